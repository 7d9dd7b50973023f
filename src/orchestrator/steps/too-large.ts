import type { Entry } from "#orchestrator/storage/journal.ts";
import type { ResourceTooLarge } from "#orchestrator/storage/resource-state.ts";

/** The failure that takes the place of an entry whose object cannot be stored. */
export function tooLarge(planned: Entry, { message }: ResourceTooLarge, elapsedMs: number): Entry {
  const verb = "verb" in planned && planned.verb !== "none" ? planned.verb : "read";
  const requestId = "requestId" in planned ? planned.requestId : undefined;
  return {
    kind: "failed",
    verb,
    code: "state_too_large",
    message,
    elapsedMs,
    ...(requestId === undefined ? {} : { requestId }),
  };
}
