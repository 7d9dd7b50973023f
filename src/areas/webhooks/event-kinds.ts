import { nearest } from "#platform/text/nearest.ts";
import { eventKinds, eventTypes } from "#schema/lists/event-kinds.ts";

const known: ReadonlySet<string> = new Set([
  ...eventTypes,
  ...Object.keys(eventKinds).map((resource) => `${resource}.*`),
  "*",
]);

/** The maximum number of reported faults: the input can be long. */
const EXPLAINED_FAULTS = 10;
const SHOWN_LENGTH = 100;

export interface EventKindFault {
  index: number;
  message: string;
}

/** The entries of a webhook's `events` that are not an exact kind, `resource.*` or `*`; at most ten. */
export function eventKindFaults(kinds: readonly string[]): EventKindFault[] {
  const faults: EventKindFault[] = [];
  for (const [index, kind] of kinds.entries()) {
    if (known.has(kind)) continue;
    faults.push({ index, message: explain(kind) });
    if (faults.length === EXPLAINED_FAULTS) break;
  }
  return faults;
}

function explain(kind: string): string {
  const meant = nearest(kind, known);
  const shown = JSON.stringify(kind.slice(0, SHOWN_LENGTH));
  return meant === undefined
    ? `${shown} is not an event kind. GET /api/v1/webhooks/event-kinds lists them.`
    : `${shown} is not an event kind. Did you mean "${meant}"?`;
}
