import type { JSX } from "hono/jsx/jsx-runtime";

/** In characters. */
export const MAX_QUERY_LENGTH = 100;

export function SearchField({ query }: { query: string }): JSX.Element {
  return (
    <input
      type="search"
      id="search"
      name="q"
      value={query}
      maxlength={MAX_QUERY_LENGTH}
      placeholder="Search"
      aria-label="Search endpoints, fields, events and errors"
      autocomplete="off"
      spellcheck={false}
    />
  );
}
