/** The persons who changed the content of a row. They must not alone approve its deployment. Pure. */
import { type Authors, OTHERS } from "#schema/authors.ts";

/** The most persons in a row. Those with the oldest changes are dropped. */
export const MAX_AUTHORS = 20;

/**
 * The authors after a change by this person, which made the row's `version`. An unknown person (undefined, null) is not
 * added. `since`: changes up to this version no longer count.
 */
export function withAuthor(
  authors: Authors,
  person: string | null | undefined,
  { version, since = 0 }: { version: number; since?: number },
): Authors {
  const added = person === undefined || person === null ? {} : { [person]: version };
  const all = Object.entries({ ...authors, ...added }).filter(([, at]) => at > since);
  const others = all.find(([name]) => name === OTHERS)?.[1] ?? 0;
  const named = all.filter(([name]) => name !== OTHERS).toSorted(([, a], [, b]) => b - a);
  const dropped = Math.max(others, named[MAX_AUTHORS]?.[1] ?? 0);
  return Object.fromEntries([
    ...named.slice(0, MAX_AUTHORS),
    ...(dropped === 0 ? [] : [[OTHERS, dropped] as const]),
  ]);
}

/** The persons who have changed the row after this version. */
export function authorsSince(authors: Authors, version: number): string[] {
  return Object.keys(authors).filter((person) => (authors[person] ?? 0) > version);
}
