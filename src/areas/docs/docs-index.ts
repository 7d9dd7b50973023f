import type { SearchEntry } from "./search/search-entry.ts";

/** What the Worker knows of the pages of the API reference that the build made. */
export interface DocsIndex {
  /** By a page's path its file below the static assets. */
  pages: Readonly<Record<string, string>>;
  /** What a search can find. */
  entries: readonly SearchEntry[];
}

export const INDEX_FILE = "docs/index.json";
/** The page of a search for nothing. */
export const SEARCH_FILE = "docs/search.html";
