import { SEARCH_PATH } from "#areas/docs/content/docs-paths.ts";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import { type DocsIndex, INDEX_FILE, SEARCH_FILE } from "#areas/docs/docs-index.ts";
import { documentAreas } from "#areas/docs/document/document-areas.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { SearchSection } from "#areas/docs/search/search-section.tsx";
import type { JsonMap } from "#platform/json.ts";
import { docsLayout } from "./docs-layout.tsx";
import { docsPages } from "./docs-page.tsx";
import { guideEntries, searchEntries } from "./search-entries.ts";

/**
 * The pages of the API reference and their index, by their names below the static assets. The build makes them
 * (`scripts/reference/`); the Worker does not import this file.
 */
export async function docsFiles(
  document: JsonMap,
  guides: readonly GuidePage[],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const pages: Record<string, string> = {};
  for (const [path, page] of docsPages(document, guides)) {
    const file = path === "/docs" ? "docs/index.html" : `${path.slice(1)}.html`;
    pages[path] = file;
    files.set(file, await page());
  }
  const search = docsLayout({
    info: mapAt(document, "info"),
    areas: documentAreas(document),
    guides,
    path: SEARCH_PATH,
    title: "Search",
    main: <SearchSection query="" found={[]} />,
  });
  files.set(SEARCH_FILE, await search);
  const index: DocsIndex = {
    pages,
    entries: [...searchEntries(document), ...guideEntries(guides)],
  };
  return files.set(INDEX_FILE, JSON.stringify(index));
}
