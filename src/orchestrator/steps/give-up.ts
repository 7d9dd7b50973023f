import type { Entry, StepRecord } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Due } from "./decide-step.ts";
import { madeResource, type StateChange } from "./state-change.ts";

/** What the journal is to say, and the change of state that belongs to it: one commit. */
export interface StepResult {
  entry: Entry;
  change?: StateChange;
}

/** A call that is to be neither repeated nor waited for: what may have come of it stays in the state. */
export function giveUp(
  decision: Due,
  record: StepRecord,
  why: {
    code: string;
    message: string;
    elapsedMs: number;
    unknown: boolean;
    id?: string;
    outputs?: JsonMap;
    requestId?: string;
  },
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("A failure without a journaled intent");
  const { code, message, elapsedMs, requestId } = why;
  const entry: Entry = {
    kind: "failed",
    verb: intent.verb,
    code,
    message,
    elapsedMs,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const id = why.id ?? record.pending?.id;
  if (intent.verb === "update" && decision.stored !== undefined)
    // It may point at its new dependencies already, or at its old ones still: deletes respect both.
    return {
      entry,
      change: {
        put: {
          ...decision.stored,
          dependsOn: [...new Set([...decision.stored.dependsOn, ...decision.dependsOn])],
          unsure: true,
        },
      },
    };
  // A delete's object, and a lost create's, is in the state already.
  if (intent.verb !== "create" || decision.declaration === undefined) return { entry };
  if (id === undefined && !why.unknown) return { entry };
  const made = madeResource(decision, intent.objectName, id ?? intent.token, why.outputs ?? {});
  return {
    entry,
    change: {
      put: { ...made, tainted: true, ...(id === undefined ? { lostToken: intent.token } : {}) },
      ...(decision.stored === undefined ? {} : { replaced: decision.stored }),
    },
  };
}
