/** Turns a failed call into a journal entry and a change of state: sent again, mended, or the end of the step. Pure. */
import { sealAt } from "#engine/value-paths.ts";
import type { OpenCall } from "#orchestrator/storage/journal.ts";
import type { Outcome } from "#providers/provider.ts";
import type { ProviderCallParts } from "./call-provider.ts";
import { concludeFailure, type Failure, madeId, type StepResult } from "./conclude-failure.ts";
import type { DueCall } from "./decide-step.ts";
import { remembersToken, tokenCounts } from "./next-attempt.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** An object counts as gone after so many further looks, apart in time: clouds are eventually consistent. */
export const UNSEEN_READS = 2;
/** A sentence names at most so many things. */
export const MAX_NAMED = 5;
/** A create may have taken long before it was refused. */
const LEAST_SPREAD_RETRIES = 3;

type Refused = Extract<Outcome, { kind: "failed" }>;

/** An open call and its answer. */
export interface Answered<D extends DueCall = DueCall> {
  due: D;
  call: OpenCall;
  parts: ProviderCallParts;
  nowMs: number;
  elapsedMs: number;
  /** No request is repeated or polled after this time. */
  deadlineMs: number;
  requestId: { requestId?: string };
  /** The time at which a look-up for the object of a create was sent; undefined: the call was no look-up. */
  lookedAtMs: number | undefined;
  /** The start of the step, epoch milliseconds. */
  startedAtMs: number;
  /** The resources that the call's one needs and that this instance has changed lately. */
  changed: readonly string[];
}

export function fail(
  { due, call, elapsedMs, requestId }: Answered,
  failure: Omit<Failure, "elapsedMs" | "requestId">,
): StepResult {
  return concludeFailure(due, call, { elapsedMs, ...requestId, ...failure });
}

export function failed(at: Answered, outcome: Refused): StepResult {
  const { due, call, parts, nowMs, deadlineMs, requestId } = at;
  const { code, message, means } = outcome;
  const delayMs = retryDelayMs(call.retries, parts.random(), outcome.afterMs);
  // The state has the object, so the cloud's answer may lag.
  const lags = means === "gone" && due.does === "update" && call.retries < UNSEEN_READS;
  const spreads = maySpread(at, outcome, nowMs + delayMs);
  if ((outcome.retryable || spreads) && leavesObject(at, outcome)) return mendLeft(at, outcome);
  const isOver = outcome.ended === true && !outcome.unknownOutcome && call.verb === "create";
  const again = outcome.retryable || lags || spreads;
  if (!again || nowMs + delayMs >= deadlineMs)
    return foundToDelete(at, madeId(outcome, call)) ?? failWith(at, outcome);
  return {
    entry: {
      kind: "retry",
      verb: call.verb,
      code,
      message,
      notBeforeMs: nowMs + delayMs,
      ...(means === "busy" ? { busy: true } : {}),
      ...(spreads ? { visible: at.changed.slice(0, MAX_NAMED) } : {}),
      // After a failed look-up, the effect of the last attempt is still unknown.
      ...(outcome.unknownOutcome || at.lookedAtMs !== undefined ? { unknown: true } : {}),
      ...(outcome.ended === true ? { ended: true } : {}),
      ...(isOver && isRemembered(at) ? { renewed: true } : {}),
      ...requestId,
    },
  };
}

/** The failed call, which is not sent again. */
function failWith(at: Answered, outcome: Refused): StepResult {
  const { due, call, parts } = at;
  const { code, message, fault, means, id, outputs } = outcome;
  const { secretOutputs } = parts.provider.facts(due.type) ?? {};
  return fail(at, {
    code,
    message,
    ...(fault === undefined ? {} : { fault }),
    ...(means === undefined ? {} : { means }),
    ...(outcome.unauthenticated === true ? { unauthenticated: true } : {}),
    unknown: outcome.unknownOutcome || call.unknown,
    unusable: saysUnusable(due, outcome),
    ...(outcome.mendable === true ? { mendable: true } : {}),
    refused: !outcome.retryable,
    ...(id === undefined ? {} : { id }),
    ...(outputs === undefined ? {} : { outputs: sealAt(outputs, secretOutputs) }),
  });
}

/** Whether the failed create has left its object, which an update can mend. */
function leavesObject({ due }: Answered, { mendable, id }: Refused): boolean {
  return due.does === "create" && mendable === true && id !== undefined;
}

/** The same step goes on with an update of the object. */
function mendLeft(at: Answered, outcome: Refused): StepResult {
  const { change } = failWith(at, outcome);
  const { elapsedMs, requestId } = at;
  const { id, message } = outcome;
  const known = id === undefined ? {} : { id };
  return {
    entry: {
      kind: "done",
      verb: "create",
      ...known,
      elapsedMs,
      left: message,
      more: true,
      ...requestId,
    },
    ...(change === undefined ? {} : { change }),
  };
}

/**
 * Whether the cloud would repeat the end of a create for its token. An attempt without an answer had the same end, as long
 * as the cloud knows the token. Else the call goes on with its token, and looks for what that attempt may have made.
 */
function isRemembered({ due, call, parts, nowMs }: Answered): boolean {
  const facts = parts.provider.repeats(parts.context, due.type);
  return remembersToken(facts) && (!call.unknown || tokenCounts(call, facts, nowMs));
}

/** Whether the refusal may pass because a new object or grant is not visible everywhere yet. */
function maySpread(
  { due, call, startedAtMs, changed }: Answered,
  { spreads }: Refused,
  nextMs: number,
): boolean {
  if (spreads === undefined || !(due.does === "create" || due.does === "update")) return false;
  const isRecent = spreads.byCloud === true || changed.length > 0;
  const isInTime = nextMs < startedAtMs + spreads.withinMs || call.retries < LEAST_SPREAD_RETRIES;
  return isRecent && isInTime;
}

/** Before a delete, a lost object's create is repeated only to learn the id. With an id, the delete can start. */
export function foundToDelete(
  { due, call: { verb }, elapsedMs, requestId }: Answered,
  id: string | undefined,
): StepResult | undefined {
  const deletes = due.does === "find" && due.declaration === undefined;
  return deletes && id !== undefined
    ? { entry: { kind: "done", verb, id, elapsedMs, more: true, ...requestId } }
    : undefined;
}

/** Whether the cloud says that a created object will never be usable. A refused read says nothing about the object. */
function saysUnusable({ does }: DueCall, { retryable, unread, id }: Refused): boolean {
  return !retryable && unread !== true && (does !== "await" || id !== undefined);
}
