import type { SearchEntry } from "./search/search-entry.ts";

/** The Worker's index of the pages of the API reference. */
export interface DocsIndex {
  /** The file below the static assets, by the page's path. */
  pages: Readonly<Record<string, string>>;
  /** The entries that a search can find. */
  entries: readonly SearchEntry[];
}

export const INDEX_FILE = "docs/index.json";
/** The page of an empty search. */
export const SEARCH_FILE = "docs/search.html";
