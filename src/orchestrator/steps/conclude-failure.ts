import type { StoredResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import type { ValueMap } from "#engine/value.ts";
import type { Entry, StepRecord } from "#orchestrator/storage/journal.ts";
import type { FailureMeaning, Provider } from "#providers/provider.ts";
import type { Fault } from "#schema/lists/deployment-faults.ts";
import type { DueCall } from "./decide-step.ts";
import { madeResource, type StateChange } from "./state-change.ts";

/** A journal entry and its change of state, to be written in one commit. */
export interface StepResult {
  entry: Entry;
  change?: StateChange;
}

/** How to have a lost object forgotten without a delete; undefined: its resource is applied with other properties. */
function howToForget({ declaration, stored }: DueCall, untold: boolean): string | undefined {
  const retaining =
    "To have the lost object forgotten without a delete, set `retainOnDelete: true` on the resource and deploy";
  if (declaration === undefined) return retaining;
  const importing = "If it exists, set `import` to its id and deploy.";
  if (stored?.retainOnDelete ?? declaration.options.retainOnDelete ?? false)
    return `${importing} To have the lost object forgotten, remove the resource from the template and deploy; add it again afterwards`;
  return untold ? `${importing} ${retaining}` : undefined;
}

/** What the owner of the account does about a refusal; undefined: its message has to say it. */
function howToMend(
  { type }: DueCall,
  { means, unauthenticated }: { means?: FailureMeaning; unauthenticated?: true },
): string | undefined {
  // What mends a credential that the cloud does not know, the provider says.
  if (means === "denied" && unauthenticated !== true)
    return `The target's credential may not do this: give it the permission for ${type}, or change the target's credential`;
  if (means === "quota")
    return `The account has no room for another ${type}: have its quota raised, or delete what nobody needs`;
  return undefined;
}

/** Concludes a create whose outcome nobody can find out: what it may have made stays in the state. */
export function concludeUntold(
  decision: DueCall,
  record: StepRecord,
  { name }: Pick<Provider, "name">,
  nowMs: number,
): StepResult {
  const { type, stored, resource } = decision;
  const elapsedMs = nowMs - record.startedAtMs;
  const made = `an earlier request may have created ${resource} (${type}; its name there is ${shownName(decision, record)})`;
  if (stored?.lostSealed !== undefined)
    return concludeFailure(decision, record, {
      code: "cannot_tell",
      message: `${made}, and what it sent cannot be decrypted. The operator has to put the sealing key back; then deploy again.`,
      fault: "service",
      elapsedMs,
      unknown: true,
    });
  return concludeFailure(decision, record, {
    code: "cannot_tell",
    message: `${made}, and ${name} offers no way to tell. Look for it at the provider.`,
    elapsedMs,
    unknown: true,
  });
}

/** The name of the object at the provider: the template's, or the one that the engine chose. */
function shownName({ inputs }: DueCall, { intent }: StepRecord): string {
  const given = own(inputs, "name");
  return typeof given === "string" ? given : (intent?.objectName ?? "unknown");
}

/** Concludes a call that is neither repeated nor polled any further: its possible effect stays in the state. */
export function concludeFailure(
  decision: DueCall,
  record: StepRecord,
  failure: {
    code: string;
    message: string;
    fault?: Fault;
    means?: FailureMeaning;
    unauthenticated?: true;
    elapsedMs: number;
    unknown: boolean;
    /** The cloud says that the object will never be usable. */
    unusable?: boolean;
    /** An update can mend it. */
    mendable?: boolean;
    /** The cloud refuses the call, and would again. */
    refused?: boolean;
    /** The object of an update is not there: what a drift check would keep. */
    missing?: boolean;
    id?: string;
    /** Secrets of the cloud marked. */
    outputs?: ValueMap;
    requestId?: string;
  },
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("A failure without a journaled intent");
  const { code, fault, elapsedMs, requestId } = failure;
  const untold = code === "cannot_tell";
  const refusedAgain = failure.refused === true && decision.lostToken !== undefined;
  if ((untold || refusedAgain) && isGivenUp(decision))
    return {
      entry: { kind: "done", verb: "none", elapsedMs, more: true, forgotten: "lost" },
      change: { forget: decision.stored },
    };
  const hint =
    untold || refusedAgain ? howToForget(decision, untold) : howToMend(decision, failure);
  const message =
    hint === undefined ? failure.message : `${failure.message.replace(/\.?$/, ".")} ${hint}`;
  const entry: Entry = {
    kind: "failed",
    verb: intent.verb,
    code,
    message,
    ...(fault === undefined ? {} : { fault }),
    elapsedMs,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const id = madeId(failure, record);
  if (intent.verb === "update" && decision.stored !== undefined)
    // The object may still use its old dependencies or already use the new ones: deletes respect both.
    return {
      entry,
      change: {
        put: {
          ...decision.stored,
          dependsOn: [...new Set([...decision.stored.dependsOn, ...decision.dependsOn])],
          unsure: true,
          ...(failure.missing === true ? { drift: { kind: "missing" } } : {}),
        },
      },
    };
  if (decision.settles === true && failure.unusable === true && decision.stored !== undefined) {
    const { unready: _, ...made } = decision.stored;
    const marks = failure.mendable === true ? { unsure: true } : { tainted: true };
    return { entry, change: { put: { ...made, ...marks } } };
  }
  const isSent = failure.unknown || record.pending !== undefined;
  if (intent.verb === "delete" && decision.isCurrent === true && isSent) {
    const change = maybeDeleted(decision.stored);
    return change === undefined ? { entry } : { entry, change };
  }
  // The object of another delete, or of a lost create, is already in the state.
  if (intent.verb !== "create" || decision.declaration === undefined) return { entry };
  if (id === undefined && !failure.unknown) return { entry };
  const marks =
    failure.mendable === true && id !== undefined
      ? { tainted: false, unsure: true }
      : unfinishedMarks(record, intent.token, id, failure.unusable === true);
  if (decision.lostToken !== undefined && decision.stored !== undefined)
    return { entry, change: { put: stillUnfinished(decision.stored, marks, id ?? intent.token) } };
  const { outputs = {} } = failure;
  const made = madeResource(decision, intent.objectName, id ?? intent.token, outputs, undefined);
  return {
    entry,
    change: {
      put: { ...made, ...marks },
      ...(decision.stored === undefined ? {} : { replaced: decision.stored }),
    },
  };
}

/**
 * A delete was sent and not seen to end: the object is read before a plan counts on it, and updated if it is there, since
 * the delete may have set it back, or taken away what is attached to it.
 */
export function maybeDeleted(stored: StoredResource | undefined): StateChange {
  if (stored === undefined || stored.lostToken !== undefined) return undefined;
  return { put: { ...stored, unready: true, unsure: true } };
}

/** The id of what a create may have made. What exists already is a stranger's, even if the create's operation named it. */
export function madeId(
  { id, means }: { id?: string | undefined; means?: FailureMeaning },
  { pending }: StepRecord,
): string | undefined {
  return id ?? (means === "exists" ? undefined : pending?.id);
}

/** Whether nobody needs to find the lost object: `retainOnDelete` was set since its create. */
function isGivenUp(decision: DueCall): decision is DueCall & { stored: StoredResource } {
  const { lostToken, stored, declaration } = decision;
  return (
    lostToken !== undefined &&
    stored?.retainOnDelete === false &&
    declaration?.options.retainOnDelete === true
  );
}

/** A lost object whose create was repeated in vain. */
export function stillUnfinished(
  stored: StoredResource,
  marks: UnfinishedMarks,
  id: string,
): StoredResource {
  const { lostToken: _, lostSent: __, ...lost } = stored;
  return { ...lost, id, ...marks };
}

type UnfinishedMarks = Pick<StoredResource, "tainted" | "unready" | "lostToken" | "lostSent"> &
  Partial<Pick<StoredResource, "unsure">>;

/** What the state says of an object whose create was given up. `unusable`: the cloud's word. */
export function unfinishedMarks(
  { sent }: StepRecord,
  token: string,
  id: string | undefined,
  unusable: boolean,
): UnfinishedMarks {
  if (id !== undefined) return unusable ? { tainted: true } : { tainted: false, unready: true };
  return { tainted: true, lostToken: token, ...(sent === undefined ? {} : { lostSent: sent }) };
}
