import type { JSX } from "hono/jsx/jsx-runtime";
import { rankEntries } from "./rank-entries.ts";
import type { SearchEntry } from "./search-entry.ts";
import { MAX_QUERY_LENGTH, SearchField } from "./search-field.tsx";
import { SearchSection } from "./search-section.tsx";

/**
 * The page with the results of a query. `empty`: the page as the build made it; its two parts that show a query are
 * replaced. Every text in it is escaped, so no text can imitate those parts.
 */
export async function searchPage(
  empty: string,
  entries: readonly SearchEntry[],
  given: string,
): Promise<string> {
  const query = given.slice(0, MAX_QUERY_LENGTH).trim();
  const withField = replaced(
    empty,
    await textOf(<SearchField query="" />),
    await textOf(<SearchField query={query} />),
  );
  return replaced(
    withField,
    await textOf(<SearchSection query="" found={[]} />),
    await textOf(<SearchSection query={query} found={rankEntries(entries, query)} />),
  );
}

/** Throws unless the page has `part` exactly once. */
function replaced(page: string, part: string, by: string): string {
  const [before, after, ...more] = page.split(part);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error("The search page of the build has not the parts that show a query");
  return before + by + after;
}

async function textOf(element: JSX.Element): Promise<string> {
  return (await element).toString();
}
