/** What an outcome means: the journal entry that says it, and the change of state that belongs to it. Pure. */
import { findDrift } from "#engine/plan/drift.ts";
import type { Step } from "#engine/plan/steps.ts";
import type { StepRecord, Verb } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import type { ProviderCallParts } from "./call-provider.ts";
import type { Due } from "./decide-step.ts";
import { giveUp, type StepResult } from "./give-up.ts";
import { afterDone, noteDrift } from "./state-change.ts";

const RETRY_BASE_MS = 500;
const RETRY_MAX_MS = 30_000;

/** What an outcome means for the journal and the state. */
export function conclude(
  step: Step,
  decision: Due,
  record: StepRecord,
  outcome: Outcome,
  parts: ProviderCallParts,
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("An outcome without a journaled intent");
  const nowMs = parts.context.now();
  const elapsedMs = nowMs - record.startedAtMs;
  const { verb } = intent;
  const requestId = outcome.requestId === undefined ? {} : { requestId: outcome.requestId };
  const deadlineMs = record.startedAtMs + timeoutOf(decision, verb, parts.provider);
  // A delete whose object was lost creates only to learn the id: once there is one, the delete can begin.
  const looks = step.kind === "delete" && verb === "create";
  const found = (id: string | undefined): StepResult | undefined =>
    looks && id !== undefined
      ? { entry: { kind: "done", verb, id, elapsedMs, more: true, ...requestId } }
      : undefined;
  switch (outcome.kind) {
    case "done": {
      const differs = imports(step, decision) ? mismatch(decision, outcome.outputs, parts) : [];
      if (differs.length > 0)
        return giveUp(decision, record, {
          code: "import_mismatch",
          message: `the object is not as the template has it: ${differs.join(", ")}. Write there what it is, or ignore it by \`ignoreChanges\`, and change it once it is imported`,
          elapsedMs,
          unknown: false,
          ...requestId,
        });
      return {
        entry: {
          kind: "done",
          verb,
          id: outcome.id,
          elapsedMs,
          ...requestId,
          ...(needsMore(step, verb, decision) ? { more: true } : {}),
        },
        change: afterDone(step, decision, intent.objectName, outcome, parts.provider),
      };
    }
    case "gone":
      if ((verb === "delete" || looks) && decision.stored !== undefined)
        return {
          entry: { kind: "done", verb, elapsedMs, ...requestId },
          change: { forget: decision.stored },
        };
      if (step.kind === "read")
        return {
          entry: { kind: "done", verb, elapsedMs, ...requestId },
          change: noteDrift(decision, "gone", parts.provider),
        };
      if ((verb === "update" || verb === "read") && decision.stored !== undefined)
        // Somebody deleted it behind our back: forget it, and the same step makes it anew.
        return {
          entry: { kind: "done", verb: "none", elapsedMs, more: true, ...requestId },
          change: { forget: decision.stored },
        };
      return giveUp(decision, record, {
        code: verb === "read" ? "import_not_found" : "gone",
        message:
          verb === "read" ? "there is no object with the id to import" : "the object is gone",
        elapsedMs,
        unknown: false,
        ...requestId,
      });
    case "pending": {
      const id = outcome.id ?? record.pending?.id;
      if (nowMs >= deadlineMs)
        return (
          found(id) ??
          giveUp(decision, record, {
            code: "timed_out",
            message: `not finished after ${Math.round(elapsedMs / 1000)} s`,
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
      const { code, message } = outcome;
      const unknown = outcome.unknownOutcome || record.unknown;
      const delayMs = retryDelayMs(record.retries, parts.random(), outcome.afterMs);
      if (!outcome.retryable || nowMs + delayMs >= deadlineMs)
        return (
          found(outcome.id ?? record.pending?.id) ??
          giveUp(decision, record, {
            code,
            message,
            elapsedMs,
            unknown,
            ...(outcome.id === undefined ? {} : { id: outcome.id }),
            ...(outcome.outputs === undefined ? {} : { outputs: outcome.outputs }),
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
          ...(outcome.unknownOutcome ? { unknown: true } : {}),
          ...requestId,
        },
      };
    }
  }
}

/** Waits between the tries of one call: 0.5 s, doubled, at most 30 s, ± 20 %; never less than the provider's wish. */
function retryDelayMs(retries: number, random: number, wishMs: number | undefined): number {
  const base = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** Math.min(retries, 10));
  return Math.max(Math.round(base * (0.8 + 0.4 * random)), wishMs ?? 0);
}

function timeoutOf(decision: Due, verb: Verb, provider: Provider): number {
  if (verb === "read") return 60_000;
  const custom = decision.declaration?.options.customTimeouts;
  const seconds = {
    create: custom?.createSeconds,
    update: custom?.updateSeconds,
    delete: custom?.deleteSeconds,
  };
  const chosen = seconds[verb];
  return chosen === undefined ? provider.timeoutMs(decision.type, verb) : chosen * 1000;
}

/** An object that was thought gone is brought to the desired properties next; a lost one that was found is deleted next. */
function needsMore(step: Step, verb: Verb, decision: Due): boolean {
  return (
    (step.kind === "apply" && verb === "read" && decision.stored !== undefined) ||
    (step.kind === "delete" && verb === "create")
  );
}

function imports(step: Step, { verb, stored }: Due): boolean {
  return step.kind === "apply" && verb === "read" && stored === undefined;
}

/** The desired properties that the object to import does not have. What is adopted is not changed by that. */
function mismatch(
  { type, inputs, declaration }: Due,
  shown: JsonMap,
  { provider }: ProviderCallParts,
) {
  const rules = {
    writeOnly: provider.facts(type)?.writeOnly ?? [],
    ignoreChanges: declaration?.options.ignoreChanges ?? [],
  };
  return Object.entries(inputs)
    .map(([key, value]) => ({ key, only: { [key]: value } }))
    .filter(({ only }) => findDrift({ inputs: only, outputs: only }, shown, rules) !== undefined)
    .map(({ key }) => key);
}
