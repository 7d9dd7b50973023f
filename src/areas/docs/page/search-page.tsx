import { SEARCH_PATH } from "#areas/docs/content/docs-paths.ts";
import { documentAreas } from "#areas/docs/document/document-areas.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { rankEntries } from "#areas/docs/search/rank-entries.ts";
import { searchEntries } from "#areas/docs/search/search-entries.ts";
import type { JsonMap } from "#platform/json.ts";
import { docsLayout } from "./docs-layout.tsx";
import { SearchSection } from "./search-section.tsx";

const MAX_QUERY_LENGTH = 100;

/** Makes the page of what was found for a query in the document. */
export function docsSearch(document: JsonMap): (query: string) => Promise<string> {
  const info = mapAt(document, "info");
  const areas = documentAreas(document);
  const entries = searchEntries(document);
  return (given) => {
    const query = given.slice(0, MAX_QUERY_LENGTH).trim();
    return docsLayout({
      info,
      areas,
      path: SEARCH_PATH,
      title: "Search",
      query,
      main: <SearchSection query={query} found={rankEntries(entries, query)} />,
    });
  };
}
