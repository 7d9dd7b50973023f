export interface Sequenced {
  id: string;
  type: string;
  sequence: number;
}

/**
 * Problems of the events of one resource: two events with one sequence, a sequence beyond the resource's version, or a
 * later event with a lower sequence. `unordered`: a restore took events away. These may come back with a higher
 * sequence than later ones.
 */
export function sequenceProblems(
  resource: string,
  events: readonly Sequenced[],
  { version, unordered = false }: { version?: number | undefined; unordered?: boolean } = {},
): string[] {
  const numbers = events.map(({ sequence }) => sequence);
  if (new Set(numbers).size !== numbers.length)
    return [`${resource} has two events with one sequence: ${told(events)}`];
  if (version !== undefined && Math.max(...numbers) > version)
    return [`${resource} has the version ${version} and the events ${told(events)}`];
  const byId = events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rises = byId.every(
    ({ sequence }, at) => at === 0 || sequence > (byId[at - 1]?.sequence ?? 0),
  );
  return unordered || rises ? [] : [`${resource} has events out of order: ${told(byId)}`];
}

function told(events: readonly Sequenced[]): string {
  return events.map(({ id, sequence, type }) => `#${sequence} ${type} ${id}`).join(", ");
}
