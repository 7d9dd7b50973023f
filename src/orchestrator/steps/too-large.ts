import type { Entry } from "#orchestrator/storage/journal.ts";
import type { ResourceTooLarge } from "#orchestrator/storage/resource-state.ts";

/** The failure that replaces an entry whose object is too large to store. */
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
