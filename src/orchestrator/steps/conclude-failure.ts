import type { Entry, StepRecord } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Fault } from "#schema/lists/deployment-faults.ts";
import type { DueCall } from "./decide-step.ts";
import { madeResource, type StateChange } from "./state-change.ts";

/** A journal entry and its change of state, to be written in one commit. */
export interface StepResult {
  entry: Entry;
  change?: StateChange;
}

/** Concludes a call that is neither repeated nor polled any further: its possible effect stays in the state. */
export function concludeFailure(
  decision: DueCall,
  record: StepRecord,
  failure: {
    code: string;
    message: string;
    fault?: Fault;
    elapsedMs: number;
    unknown: boolean;
    id?: string;
    outputs?: JsonMap;
    requestId?: string;
  },
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("A failure without a journaled intent");
  const { code, message, fault, elapsedMs, requestId } = failure;
  const entry: Entry = {
    kind: "failed",
    verb: intent.verb,
    code,
    message,
    ...(fault === undefined ? {} : { fault }),
    elapsedMs,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const id = failure.id ?? record.pending?.id;
  if (intent.verb === "update" && decision.stored !== undefined)
    // The object may still use its old dependencies or already use the new ones: deletes respect both.
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
  // The object of a delete, or of a lost create, is already in the state.
  if (intent.verb !== "create" || decision.declaration === undefined) return { entry };
  if (id === undefined && !failure.unknown) return { entry };
  const made = madeResource(decision, intent.objectName, id ?? intent.token, failure.outputs ?? {});
  return {
    entry,
    change: {
      put: { ...made, tainted: true, ...(id === undefined ? { lostToken: intent.token } : {}) },
      ...(decision.stored === undefined ? {} : { replaced: decision.stored }),
    },
  };
}
