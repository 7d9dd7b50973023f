/** The filter forms of lists. They use GET and work without a script. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { wordsOf } from "./parts.tsx";

/** `search`: the label of the text search. */
export function Filters(shown: {
  path: string;
  query: URLSearchParams;
  search?: string;
  children?: Child;
}): JSX.Element {
  const { path, query, search, children } = shown;
  return (
    <form class="filters" role="search" action={path} method="get">
      {search !== undefined && (
        <label>
          {search}
          <input type="search" name="q" maxlength={80} value={query.get("q") ?? ""} />
        </label>
      )}
      {children}
      <button class="button" type="submit">
        Search
      </button>
    </form>
  );
}

const narrowing = {
  instanceId: "instance",
  targetId: "target",
  templateId: "template",
  requestedBy: "person or key",
} as const;
type Narrowing = keyof typeof narrowing;

/** The filters by one object in the address, which links of other pages set. */
export function narrowedBy(query: URLSearchParams, names: readonly Narrowing[]): Narrowing[] {
  return names.filter((name) => Boolean(query.get(name)));
}

/** Keeps the filters by one object in the form of the others. */
export function KeptFilters(shown: {
  query: URLSearchParams;
  names: readonly Narrowing[];
}): JSX.Element {
  const { query, names } = shown;
  return (
    <>
      {names.map((name) => (
        <input type="hidden" name={name} value={query.get(name) ?? ""} />
      ))}
    </>
  );
}

/** Says that a list is of one object alone. */
export function NarrowedNote(shown: { path: string; names: readonly Narrowing[] }): JSX.Element {
  const { path, names } = shown;
  if (names.length === 0) return <></>;
  return (
    <p class="soft">
      Only those of one {names.map((name) => narrowing[name]).join(" and one ")}.{" "}
      <a href={path}>Show all</a>
    </p>
  );
}

/** A filter for one of several values, or any. */
export function SelectFilter(shown: {
  query: URLSearchParams;
  name: string;
  words: string;
  values: readonly string[];
  /** The label of a value. Default: the value in lower case. */
  word?: (value: never) => string;
}): JSX.Element {
  const { query, name, words, values, word = wordsOf } = shown;
  return (
    <label>
      {words}
      <select name={name}>
        <option value="">any</option>
        {values.map((value) => (
          <option value={value} selected={query.get(name) === value}>
            {word(value as never)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A filter for an exact text. */
export function TextFilter(shown: {
  query: URLSearchParams;
  name: string;
  words: string;
}): JSX.Element {
  const { query, name, words } = shown;
  return (
    <label>
      {words}
      <input name={name} maxlength={200} value={query.get(name) ?? ""} autocomplete="off" />
    </label>
  );
}

/** A filter for a time, typed in UTC. */
export function TimeFilter(shown: {
  query: URLSearchParams;
  name: string;
  words: string;
}): JSX.Element {
  const { query, name, words } = shown;
  return (
    <label>
      {words} (UTC)
      <input type="datetime-local" name={name} value={(query.get(name) ?? "").slice(0, 16)} />
    </label>
  );
}

/** The values of these filters in the address, for the API. */
export function wantedIn<const T extends string>(
  query: URLSearchParams,
  names: readonly T[],
): { [name in T]: string | undefined } {
  const wanted = names.map((name) => [name, query.get(name) ?? undefined]);
  return Object.fromEntries(wanted) as { [name in T]: string | undefined };
}

/** Whether the address filters the list. An empty list then has another message. */
export function isFilteredBy(query: URLSearchParams, names: readonly string[]): boolean {
  return names.some((name) => Boolean(query.get(name)));
}

/** A time in the address, for the API. Browsers omit the seconds and the zone. */
export function instantIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? undefined;
  return text !== undefined && /^[\d-]{10}T\d\d:\d\d$/.test(text) ? `${text}:00Z` : text;
}
