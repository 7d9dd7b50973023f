/** Turns the outcome of a call into a journal entry and a change of state. Pure. */
import { findDrift } from "#engine/plan/drift.ts";
import type { Step } from "#engine/plan/steps.ts";
import { asSent, sealAt } from "#engine/value-paths.ts";
import type { StepRecord, Verb } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import { isLook, type ProviderCallParts } from "./call-provider.ts";
import { concludeFailure, madeId, type StepResult } from "./conclude-failure.ts";
import type { DueCall } from "./decide-step.ts";
import { afterEmptyLook } from "./next-attempt.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { afterDone, driftChange, type StateChange, unshownBy } from "./state-change.ts";

/** Further looks, apart in time, that must not find an object before it counts as gone: clouds are eventually consistent. */
const UNSEEN_READS = 2;
const UNSEEN_APART_MS = 5_000;
/** How long an object may show what it showed before an accepted update. */
const UNSHOWN_WAIT_MS = 5 * 60_000;
const UNSHOWN_APART_MS = 2_000;
const MAX_UNSHOWN_APART_MS = 30_000;
const MAX_NAMED = 5;
/** Looks of one update, at most: a cloud may show its object and not show it by turns. */
const MAX_LOOKS = 12;

/** `lookedAtMs`: the call was a look-up for the object of a create, and when it was sent. */
export function conclude(
  step: Step,
  decision: DueCall,
  record: StepRecord,
  outcome: Outcome,
  parts: ProviderCallParts,
  lookedAtMs?: number,
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("An outcome without a journaled intent");
  const nowMs = parts.context.now();
  const elapsedMs = nowMs - record.startedAtMs;
  const { verb } = intent;
  const requestId = outcome.requestId === undefined ? {} : { requestId: outcome.requestId };
  const deadlineMs = record.startedAtMs + timeoutOf(decision, verb, parts.provider);
  // The delete of a lost object repeats the create only to learn the id. With an id, the delete can start.
  const findsLost = step.kind === "delete" && verb === "create";
  const found = (id: string | undefined): StepResult | undefined =>
    findsLost && id !== undefined
      ? { entry: { kind: "done", verb, id, elapsedMs, more: true, ...requestId } }
      : undefined;
  switch (outcome.kind) {
    case "done": {
      if (isLook(verb, record)) return seenAgain(decision, record, { nowMs, elapsedMs }, parts);
      const differs = imports(step, decision) ? mismatch(decision, outcome.outputs, parts) : [];
      if (differs.length > 0)
        return concludeFailure(decision, record, {
          code: "import_mismatch",
          message: `the object differs from the template in: ${differs.join(", ")}. Give the template the object's values, or list these properties in \`ignoreChanges\`; change them after the import`,
          elapsedMs,
          unknown: false,
          ...requestId,
        });
      const unshown =
        verb === "update" ? unshownBy(decision, outcome.outputs, parts.provider) : undefined;
      if (unshown !== undefined) {
        const waited = { nowMs, elapsedMs, deadlineMs };
        const waits = waitForUpdate(decision, record, unshown.paths, waited);
        if (waits !== undefined) return waits;
      }
      return {
        entry: {
          kind: "done",
          verb,
          id: outcome.id,
          elapsedMs,
          ...requestId,
          ...(unshown === undefined ? {} : { unshown: named(unshown.paths) }),
          ...(outcome.note === undefined ? {} : { note: outcome.note }),
          ...(needsMore(step, verb, decision) ? { more: true } : {}),
        },
        change: unlessDeletedSince(
          afterDone(step, decision, intent.objectName, outcome, parts.provider),
          verb === "create" && decision.lostToken !== undefined && lookedAtMs === undefined,
        ),
      };
    }
    case "gone":
      if (lookedAtMs !== undefined) {
        const facts = parts.provider.repeats(parts.context, decision.type);
        const delayMs = retryDelayMs(record.looks, parts.random(), undefined);
        const asked = { askedMs: lookedAtMs, nowMs, delayMs };
        const { none, empty, notBeforeMs } = afterEmptyLook(record, facts, asked);
        if (notBeforeMs >= deadlineMs && !none)
          return concludeFailure(decision, record, {
            code: "timed_out",
            message: `no object was found after ${Math.round(elapsedMs / 1000)} s, but the last request may still create one. The next deployment looks for it`,
            elapsedMs,
            unknown: true,
            ...requestId,
          });
        const lost = decision.lostToken === undefined ? undefined : decision.stored;
        if (!none || lost === undefined)
          return { entry: { kind: "looked", verb: "create", empty, notBeforeMs } };
        if (!findsLost)
          return {
            entry: { kind: "done", verb, elapsedMs, more: true, ...requestId },
            change: { forget: lost },
          };
      }
      if (record.emptyLooks < unseenReads(step, decision)) {
        const notBeforeMs = nowMs + unseenMs(decision, parts);
        return {
          entry: { kind: "looked", verb: "read", empty: record.emptyLooks + 1, notBeforeMs },
        };
      }
      if ((verb === "delete" || findsLost) && decision.stored !== undefined)
        return {
          entry: { kind: "done", verb, elapsedMs, ...requestId },
          change: { forget: decision.stored },
        };
      if (step.kind === "read")
        return {
          entry: { kind: "done", verb, elapsedMs, ...requestId },
          change: driftChange(decision, "gone", parts.provider),
        };
      if (verb === "update" && decision.stored !== undefined)
        // To create it again is not in the plan.
        return concludeFailure(decision, record, {
          code: "deleted_outside",
          message: `the provider no longer has it (${decision.stored.id}): it was deleted outside this service. Plan again: the next plan shows its creation`,
          elapsedMs,
          unknown: false,
          missing: true,
          ...requestId,
        });
      if (verb === "read" && decision.stored !== undefined)
        // Forget it, and the same step creates it, as planned.
        return {
          entry: { kind: "done", verb: "none", elapsedMs, more: true, ...requestId },
          change: { forget: decision.stored },
        };
      return concludeFailure(decision, record, {
        code: verb === "read" ? "import_not_found" : "gone",
        message:
          verb === "read"
            ? `there is no ${decision.type} with the id ${decision.id}, which \`import\` names: correct the id, or leave \`import\` out to create one`
            : "the object no longer exists",
        elapsedMs,
        unknown: false,
        ...requestId,
      });
    case "pending": {
      const id = outcome.id ?? record.pending?.id;
      if (nowMs >= deadlineMs)
        return (
          found(id) ??
          concludeFailure(decision, record, {
            code: "timed_out",
            message: `not finished after ${Math.round(elapsedMs / 1000)} s${outcome.note === undefined ? "" : ` (${outcome.note})`}${verb === "create" ? nextDeploy(id) : ""}`,
            elapsedMs,
            unknown: true,
            ...(outcome.id === undefined ? {} : { id: outcome.id }),
            ...requestId,
          })
        );
      return {
        entry: {
          kind: "pending",
          verb,
          handle: outcome.handle,
          notBeforeMs: Math.min(nowMs + Math.max(1, outcome.afterMs), deadlineMs),
          ...(id === undefined ? {} : { id }),
          ...(outcome.note === undefined ? {} : { note: outcome.note }),
          ...requestId,
        },
      };
    }
    case "failed": {
      const { code, message, fault, means } = outcome;
      const { secretOutputs } = parts.provider.facts(decision.type) ?? {};
      const unknown = outcome.unknownOutcome || record.unknown;
      const delayMs = retryDelayMs(record.retries, parts.random(), outcome.afterMs);
      // The object is there, so that the answer may have been late.
      const lags = means === "gone" && verb === "update" && record.retries < UNSEEN_READS;
      if (!(outcome.retryable || lags) || nowMs + delayMs >= deadlineMs)
        return (
          found(madeId(outcome, record)) ??
          concludeFailure(decision, record, {
            code,
            message,
            ...(fault === undefined ? {} : { fault }),
            ...(means === undefined ? {} : { means }),
            ...(outcome.unauthenticated === true ? { unauthenticated: true } : {}),
            elapsedMs,
            unknown,
            unusable: saysUnusable(decision, outcome),
            ...(outcome.mendable === true ? { mendable: true } : {}),
            refused: !outcome.retryable,
            ...(outcome.id === undefined ? {} : { id: outcome.id }),
            ...(outcome.outputs === undefined
              ? {}
              : { outputs: sealAt(outcome.outputs, secretOutputs) }),
            ...requestId,
          })
        );
      return {
        entry: {
          kind: "retry",
          verb,
          code,
          message,
          notBeforeMs: nowMs + delayMs,
          ...(means === "busy" ? { busy: true } : {}),
          ...(outcome.unknownOutcome ? { unknown: true } : {}),
          ...(outcome.ended === true ? { ended: true } : {}),
          ...requestId,
        },
      };
    }
  }
}

function nextDeploy(id: string | undefined): string {
  const finds = id === undefined ? "looks for it" : "reads it";
  return `. The next deploy ${finds}, and keeps it if it is usable`;
}

/** So many further looks must not find the object of a step. */
function unseenReads({ kind }: Step, { verb, stored, settles }: DueCall): number {
  if (kind !== "apply" || stored === undefined) return 0;
  if (verb === "update" || settles === true) return UNSEEN_READS;
  // A drift check did not find it either.
  return verb === "read" ? UNSEEN_READS - 1 : 0;
}

/**
 * The next look at an object that shows what it showed before the update; undefined: it is waited for no longer, because
 * a cloud may write the new value as it wrote the old one.
 */
function waitForUpdate(
  decision: DueCall,
  record: StepRecord,
  paths: readonly string[],
  { nowMs, elapsedMs, deadlineMs }: { nowMs: number; elapsedMs: number; deadlineMs: number },
): StepResult | undefined {
  const waitedMs = nowMs - (record.unshownSinceMs ?? nowMs);
  const unshown = named(paths);
  if (waitedMs >= UNSHOWN_WAIT_MS) return undefined;
  if (nowMs >= deadlineMs)
    return concludeFailure(decision, record, {
      code: "timed_out",
      message: `the provider accepted the update, but after ${Math.round(elapsedMs / 1000)} s it still shows the earlier value of ${unshown.join(", ")}. Check at the provider why, and deploy again`,
      elapsedMs,
      unknown: true,
    });
  const delayMs = Math.max(UNSHOWN_APART_MS, Math.min(MAX_UNSHOWN_APART_MS, waitedMs / 5));
  const notBeforeMs = Math.min(Math.round(nowMs + delayMs), deadlineMs);
  return { entry: { kind: "looked", verb: "update", empty: 0, notBeforeMs, unshown } };
}

/** Property paths, not more than a sentence can have. */
function named(paths: readonly string[]): string[] {
  return paths.slice(0, MAX_NAMED);
}

/** The object of an update is there after all: the update goes on. */
function seenAgain(
  decision: DueCall,
  record: StepRecord,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
  parts: ProviderCallParts,
): StepResult {
  const delayMs = retryDelayMs(record.looks, parts.random(), undefined);
  if (record.looks < MAX_LOOKS)
    return { entry: { kind: "looked", verb: "read", empty: 0, notBeforeMs: nowMs + delayMs } };
  return concludeFailure(decision, record, {
    code: "inconsistent",
    message:
      "the provider shows the object when it is read, and answers the update that there is none. Deploy again later",
    elapsedMs,
    unknown: true,
  });
}

function unseenMs({ type }: DueCall, { provider, context }: ProviderCallParts): number {
  return Math.min(UNSEEN_APART_MS, provider.repeats(context, type).longestRequestMs);
}

/** Whether the cloud says that the object of a create will never be usable. A refused read says nothing about it. */
function saysUnusable(
  { settles }: DueCall,
  { retryable, unread, id }: Extract<Outcome, { kind: "failed" }>,
): boolean {
  return !retryable && unread !== true && (settles !== true || id !== undefined);
}

function timeoutOf(decision: DueCall, verb: Verb, provider: Provider): number {
  if (verb === "read" && decision.settles !== true) return 60_000;
  const waits = verb === "read" ? "create" : verb;
  // To look for a lost object takes the time that its last request may take, however short its own time is.
  const custom =
    decision.lostToken === undefined ? decision.declaration?.options.customTimeouts : undefined;
  const seconds = {
    create: custom?.createSeconds,
    update: custom?.updateSeconds,
    delete: decision.deleteSeconds,
  };
  const chosen = seconds[waits];
  return chosen === undefined ? provider.timeoutMs(decision.type, waits) : chosen * 1000;
}

/** Whether the step needs another call: to apply an object reported missing, or to apply or delete a lost one just found. */
function needsMore(step: Step, verb: Verb, decision: DueCall): boolean {
  return (
    (step.kind === "apply" && verb === "read" && decision.stored !== undefined) ||
    (verb === "create" && decision.lostToken !== undefined)
  );
}

/** The answer to a repeated create may be from before the object was deleted: the step reads it before it is believed. */
function unlessDeletedSince(change: StateChange, isRepeated: boolean): StateChange {
  return isRepeated && change !== undefined && "put" in change
    ? { ...change, put: { ...change.put, unready: true } }
    : change;
}

function imports(step: Step, { verb, stored }: DueCall): boolean {
  return step.kind === "apply" && verb === "read" && stored === undefined;
}

/** The properties in which the object to import differs from the template. An import must not change the object. */
function mismatch(
  { type, inputs, declaration }: DueCall,
  shown: JsonMap,
  { provider }: ProviderCallParts,
) {
  const { shownAt, ...facts } = provider.facts(type) ?? {};
  const ignoreChanges = declaration?.options.ignoreChanges ?? [];
  const found = asSent(shown, shownAt);
  return Object.entries(inputs)
    .map(([key, value]) => ({ key, only: { [key]: value } }))
    .filter(
      ({ only }) =>
        findDrift({ inputs: only, outputs: only }, found, { ...facts, ignoreChanges }) !==
        undefined,
    )
    .map(({ key }) => key);
}
