/** The end of a call that failed or whose outcome is unknown: its possible effect stays in the state. Pure. */
import type { KnownResource, LostResource, StoredResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import type { ValueMap } from "#engine/value.ts";
import type { Entry, OpenCall } from "#orchestrator/storage/journal.ts";
import type { FailureMeaning, Provider } from "#providers/provider.ts";
import type { Fault } from "#schema/lists/deployment-faults.ts";
import { type Create, declarationOf, type DueCall, type Find, storedOf } from "./decide-step.ts";
import { madeResource, type StateChange, union } from "./state-change.ts";

/** A journal entry and its change of state, to be written in one commit. */
export interface StepResult {
  entry: Entry;
  change?: StateChange;
}

/** A call that is neither repeated nor polled any further. */
export interface Failure {
  code: string;
  message: string;
  fault?: Fault;
  means?: FailureMeaning;
  unauthenticated?: true;
  elapsedMs: number;
  /** An attempt may have taken effect. */
  unknown: boolean;
  /** The cloud says that the object will never be usable. */
  unusable?: boolean;
  /** An update can correct the object. */
  mendable?: boolean;
  /** The cloud refuses the call, and would refuse it again. */
  refused?: boolean;
  /** The object of an update is missing. The state gets the drift that a check would have stored. */
  missing?: boolean;
  id?: string;
  /** The type's secret outputs in it are marked as secret. */
  outputs?: ValueMap;
  requestId?: string;
}

/** Concludes a failed call. */
export function concludeFailure(due: DueCall, call: OpenCall, failure: Failure): StepResult {
  const { code, fault, elapsedMs, requestId } = failure;
  const isUntold = code === "cannot_tell";
  const isHopeless = due.does === "find" && (isUntold || failure.refused === true);
  if (isHopeless && isGivenUp(due))
    return {
      entry: { kind: "done", verb: "none", elapsedMs, more: true, forgotten: "lost" },
      change: { forget: due.stored },
    };
  const hint = isUntold || isHopeless ? howToForget(due, isUntold) : refusalAdvice(due, failure);
  const message =
    hint === undefined ? failure.message : `${failure.message.replace(/\.?$/, ".")} ${hint}`;
  const entry: Entry = {
    kind: "failed",
    verb: call.verb,
    code,
    message,
    ...(fault === undefined ? {} : { fault }),
    elapsedMs,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const change = changeAfter(due, call, failure);
  return change === undefined ? { entry } : { entry, change };
}

/** The state after a failed call, by its purpose; undefined: unchanged. */
function changeAfter(due: DueCall, call: OpenCall, failure: Failure): StateChange {
  switch (due.does) {
    case "create":
      return afterFailedCreate(due, call, failure);
    case "find":
      return afterFailedFind(due, call, failure);
    case "update": {
      const dependsOn = union(due.stored.dependsOn, due.dependsOn);
      const missing = failure.missing === true ? { drift: { kind: "missing" as const } } : {};
      return { put: { ...due.stored, dependsOn, state: "unsure", ...missing } };
    }
    case "await":
      return failure.unusable === true
        ? { put: { ...due.stored, state: failure.mendable === true ? "unsure" : "tainted" } }
        : undefined;
    case "delete": {
      const isSent = failure.unknown || call.pending !== undefined;
      return due.isCurrent && isSent ? maybeDeleted(due.stored) : undefined;
    }
    case "confirm":
    case "import":
    case "check":
      return undefined;
  }
}

function afterFailedCreate(due: Create, call: OpenCall, failure: Failure): StateChange {
  const { stored } = due;
  const made = unfinishedObject(due, call, failure);
  if (made === undefined) return undefined;
  return stored === undefined ? { put: made } : { put: made, replaced: stored };
}

/** The object of an unfinished create; undefined: none was made. */
function unfinishedObject(
  due: Create,
  call: OpenCall,
  failure: Failure,
): StoredResource | undefined {
  const id = madeId(failure, call);
  if (id === undefined && !failure.unknown) return undefined;
  const known = madeResource(due, call.objectName, id ?? "", failure.outputs ?? {}, undefined);
  if (id !== undefined) return { ...known, state: stateOfUnfinished(failure) };
  const { id: _, outputs: __, ...made } = known;
  return { ...made, ...lostAs(call) };
}

/** Without a declaration, the lost object is to be deleted, so the state stays as it is. */
function afterFailedFind(due: Find, call: OpenCall, failure: Failure): StateChange {
  const id = madeId(failure, call);
  if (due.declaration === undefined || (id === undefined && !failure.unknown)) return undefined;
  return {
    put:
      id === undefined
        ? stillLost(due.stored, call)
        : foundUnfinished(due.stored, id, stateOfUnfinished(failure)),
  };
}

function stateOfUnfinished({ mendable, unusable }: Failure): KnownResource["state"] {
  if (mendable === true) return "unsure";
  return unusable === true ? "tainted" : "unready";
}

/** The marks of a create that may have made an object of unknown id. */
export function lostAs({ token, sent }: OpenCall): Pick<LostResource, "state" | "token" | "sent"> {
  return { state: "lost", token, sent };
}

/** A lost object whose create was repeated in vain. */
export function stillLost(stored: LostResource, call: OpenCall): LostResource {
  return { ...stored, ...lostAs(call) };
}

/** A lost object whose id is now known, although its create has not ended. */
export function foundUnfinished(
  lost: LostResource,
  id: string,
  state: KnownResource["state"],
): KnownResource {
  const { token: _token, sent: _sent, sealedInputs: _inputs, ...object } = lost;
  return { ...object, id, outputs: {}, state };
}

/**
 * The state after a delete that was sent and not seen to end. The object is read before a plan counts on it. If it
 * exists, it is updated: the delete may have reset it or removed its attachments. A tainted object is replaced in any
 * case.
 */
export function maybeDeleted(stored: StoredResource | undefined): StateChange {
  return stored === undefined || stored.state === "lost" || stored.state === "tainted"
    ? undefined
    : { put: { ...stored, state: "deleting" } };
}

/**
 * The id of the object that a create may have made. An object that existed before belongs to somebody else, even if the
 * create's operation named it.
 */
export function madeId(
  { id, means }: { id?: string | undefined; means?: FailureMeaning },
  { pending }: OpenCall,
): string | undefined {
  return id ?? (means === "exists" ? undefined : pending?.id);
}

/** Concludes a create whose outcome cannot be determined: its possible object stays in the state. */
export function concludeUntold(
  due: Create | Find,
  call: OpenCall,
  { name }: Pick<Provider, "name">,
  elapsedMs: number,
): StepResult {
  const { type, resource } = due;
  const made = `an earlier request may have created ${resource} (${type}; its name there is ${shownName(due, call)})`;
  const failure = { code: "cannot_tell", elapsedMs, unknown: true };
  if (due.does === "find" && due.stored.sealedInputs !== undefined)
    return concludeFailure(due, call, {
      ...failure,
      message: `${made}, and what it sent cannot be decrypted. The operator has to put the sealing key back; then deploy again.`,
      fault: "service",
    });
  return concludeFailure(due, call, {
    ...failure,
    message: `${made}, and ${name} offers no way to tell. Look for it at the provider.`,
  });
}

/** The name of the object at the provider: the template's, or the engine's. */
function shownName({ inputs }: DueCall, { objectName }: OpenCall): string {
  const given = own(inputs, "name");
  return typeof given === "string" ? given : objectName;
}

/** Whether the lost object may be forgotten: `retainOnDelete` was set since its create. */
function isGivenUp({ stored, declaration }: Find): boolean {
  return !stored.retainOnDelete && declaration?.options.retainOnDelete === true;
}

/** The way to forget a lost object without a delete; undefined: its resource is applied with other properties. */
function howToForget(due: DueCall, isUntold: boolean): string | undefined {
  const retaining =
    "To have the lost object forgotten without a delete, set `retainOnDelete: true` on the resource and deploy";
  const declaration = declarationOf(due);
  if (declaration === undefined) return retaining;
  const importing = "If it exists, set `import` to its id and deploy.";
  if (storedOf(due)?.retainOnDelete ?? declaration.options.retainOnDelete)
    return `${importing} To have the lost object forgotten, remove the resource from the template and deploy; add it again afterwards`;
  return isUntold ? `${importing} ${retaining}` : undefined;
}

/** The account owner's remedy for a refusal; undefined: only the refusal's own message can contain it. */
function refusalAdvice(
  { type }: DueCall,
  { means, unauthenticated }: { means?: FailureMeaning; unauthenticated?: true },
): string | undefined {
  // For a credential that the cloud does not know, the provider's message contains the remedy.
  if (means === "denied" && unauthenticated !== true)
    return `The target's credential may not do this: give it the permission for ${type}, or change the target's credential`;
  if (means === "quota")
    return `The account has no room for another ${type}: have its quota raised, or delete what nobody needs`;
  return undefined;
}
