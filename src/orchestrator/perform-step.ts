/**
 * One call for one step, and what it means: which verb is due, the call itself, and the outcome as a journal
 * entry with the change of state that belongs to it. Nothing is written here; the runner writes both at once.
 */
import { decideChange } from "#engine/decide-change.ts";
import { findDrift, lastSeenInputs, sameDrift } from "#engine/drift.ts";
import type { StoredResource } from "#engine/state.ts";
import type { Step } from "#engine/steps.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { hasSecret, reveal, Secret, type ValueMap } from "#engine/value.ts";
import { describeError, log } from "#platform/log.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { Entry, StepRecord, Verb } from "./journal.ts";

/** What a step's next call is to be, decided from the state as it is now. */
export type Decision =
  /** Nothing to call. `forget`: the object leaves the state all the same. */
  | { verb: "none"; forget?: StoredResource }
  | {
      verb: Verb;
      resource: string;
      type: string;
      /** The object to update or delete, or to read when it is imported. */
      id?: string;
      /** What to send; for a delete what was sent. */
      inputs: ValueMap;
      /** The object the call is about; for a create the one it replaces. */
      stored?: StoredResource;
      /** Set for an apply. */
      declaration?: ResourceDeclaration;
      dependsOn: readonly string[];
      /** The token to repeat in place of a new one: a create that was given up without an answer. */
      lostToken?: string;
    };

export type StateChange =
  | { put: StoredResource; condemns?: StoredResource }
  | { forget: StoredResource }
  | undefined;

export interface StepResult {
  entry: Entry;
  change?: StateChange;
}

export interface Performer {
  provider: Provider;
  context: ProviderContext;
  /** A number in [0, 1): spreads retries. */
  random: () => number;
}

const RETRY_BASE_MS = 500;
const RETRY_MAX_MS = 30_000;

/** What the apply of a resource comes to, given its object (if any) and its properties as they are now known. */
export function decideApply(
  resource: string,
  declaration: ResourceDeclaration,
  stored: StoredResource | undefined,
  properties: ValueMap,
  dependsOn: readonly string[],
  provider: Provider,
): Decision {
  const { type } = declaration;
  const decided = decideChange(declaration, stored, properties, provider.facts(type));
  const about = { resource, type, inputs: decided.inputs, declaration, dependsOn };
  switch (decided.action) {
    case "unchanged":
      return { verb: "none" };
    case "update":
      return stored === undefined
        ? { verb: "create", ...about }
        : { verb: "update", ...about, stored, id: stored.id };
    case "create":
      // A drift check did not find it: look once more before it is made anew.
      if (stored !== undefined) return { verb: "read", ...about, stored, id: stored.id };
      return declaration.options.import === undefined
        ? { verb: "create", ...about }
        : { verb: "read", ...about, id: declaration.options.import };
    case "replace":
      return { verb: "create", ...about, ...(stored === undefined ? {} : { stored }) };
  }
}

/** What a delete comes to. An object whose create was never answered is first looked for (`foundId`: and found). */
export function decideDelete(
  object: StoredResource | undefined,
  retain: boolean,
  foundId: string | undefined,
): Decision {
  if (object === undefined) return { verb: "none" };
  if (retain) return { verb: "none", forget: object };
  const about = {
    resource: object.name,
    type: object.type,
    inputs: object.inputs,
    stored: object,
    dependsOn: object.dependsOn,
  };
  return object.lostToken === undefined || foundId !== undefined
    ? { verb: "delete", ...about, id: foundId ?? object.id }
    : { verb: "create", ...about, lostToken: object.lostToken };
}

/** What the read of a drift check comes to. */
export function decideRead(
  object: StoredResource | undefined,
  declaration: ResourceDeclaration | undefined,
): Decision {
  if (object === undefined) return { verb: "none" };
  const { name, type, id, inputs, dependsOn } = object;
  return {
    verb: "read",
    resource: name,
    type,
    id,
    inputs,
    dependsOn,
    stored: object,
    ...(declaration === undefined ? {} : { declaration }),
  };
}

/** The first call of an intent, its repetition, or the next poll: whatever the record says is due. */
export async function callProvider(
  { provider, context }: Performer,
  decision: Exclude<Decision, { verb: "none" }>,
  record: StepRecord,
): Promise<Outcome> {
  const { intent, pending } = record;
  if (intent === undefined) throw new Error("A call without a journaled intent");
  const properties = reveal(decision.inputs) as JsonMap;
  const { type, stored, id = "" } = decision;
  try {
    if (pending !== undefined && pending.verb !== "read")
      return await provider.poll(context, {
        type,
        verb: pending.verb,
        name: intent.objectName,
        properties,
        handle: pending.handle,
        ...(pending.id === undefined ? {} : { id: pending.id }),
      });
    const repeated = record.unknown || decision.lostToken !== undefined;
    switch (intent.verb) {
      case "create":
        return await provider.create(context, {
          type,
          name: intent.objectName,
          properties,
          token: intent.token,
          repeated,
        });
      case "update":
        return await provider.update(context, {
          type,
          name: intent.objectName,
          properties,
          id,
          before:
            stored === undefined || stored.unsure
              ? {}
              : (reveal(lastSeenInputs(stored)) as JsonMap),
          token: intent.token,
        });
      case "delete":
        return await provider.delete(context, { type, id, properties, token: intent.token });
      case "read":
        return await provider.read(context, { type, id, properties });
    }
  } catch (error) {
    if (error instanceof ResolveError) throw error;
    log("error", "A provider threw", { type, error: describeError(error) });
    return {
      kind: "failed",
      code: "internal",
      message: "the service could not make the call",
      retryable: true,
      unknownOutcome: true,
    };
  }
}

/** What an outcome means for the journal and the state. */
export function settle(
  step: Step,
  decision: Exclude<Decision, { verb: "none" }>,
  record: StepRecord,
  outcome: Outcome,
  performer: Performer,
): StepResult {
  const { intent } = record;
  if (intent === undefined) throw new Error("An outcome without a journaled intent");
  const nowMs = performer.context.now();
  const elapsedMs = nowMs - record.startedAtMs;
  const { verb } = intent;
  const requestId = outcome.requestId === undefined ? {} : { requestId: outcome.requestId };
  const deadlineMs = record.startedAtMs + timeoutOf(decision, verb, performer.provider);
  // A delete whose object was lost creates only to learn the id: once there is one, the delete can begin.
  const looks = step.kind === "delete" && verb === "create";
  const found = (id: string | undefined): StepResult | undefined =>
    looks && id !== undefined
      ? { entry: { kind: "done", verb, id, elapsedMs, more: true, ...requestId } }
      : undefined;
  switch (outcome.kind) {
    case "done": {
      const differs = imports(step, decision) ? mismatch(decision, outcome.outputs, performer) : [];
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
        change: afterDone(step, decision, intent.objectName, outcome, performer.provider),
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
          change: noteDrift(decision, "gone", performer.provider),
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
      const delayMs = retryDelayMs(record.retries, performer.random(), outcome.afterMs);
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

/** A call that is to be neither repeated nor waited for: what may have come of it stays in the state. */
export function giveUp(
  decision: Exclude<Decision, { verb: "none" }>,
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
  const made = storedResource(decision, intent.objectName, id ?? intent.token, why.outputs ?? {});
  return {
    entry,
    change: {
      put: { ...made, tainted: true, ...(id === undefined ? { lostToken: intent.token } : {}) },
      ...(decision.stored === undefined ? {} : { condemns: decision.stored }),
    },
  };
}

/** Waits between the tries of one call: 0.5 s, doubled, at most 30 s, ± 20 %; never less than the provider's wish. */
function retryDelayMs(retries: number, random: number, wishMs: number | undefined): number {
  const base = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** Math.min(retries, 10));
  return Math.max(Math.round(base * (0.8 + 0.4 * random)), wishMs ?? 0);
}

function timeoutOf(
  decision: Exclude<Decision, { verb: "none" }>,
  verb: Verb,
  provider: Provider,
): number {
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

type Due = Exclude<Decision, { verb: "none" }>;

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
function mismatch({ type, inputs, declaration }: Due, shown: JsonMap, { provider }: Performer) {
  const rules = {
    writeOnly: provider.facts(type)?.writeOnly ?? [],
    ignoreChanges: declaration?.options.ignoreChanges ?? [],
  };
  return Object.entries(inputs)
    .map(([key, value]) => ({ key, only: { [key]: value } }))
    .filter(({ only }) => findDrift({ inputs: only, outputs: only }, shown, rules) !== undefined)
    .map(({ key }) => key);
}

function afterDone(
  step: Step,
  decision: Exclude<Decision, { verb: "none" }>,
  objectName: string,
  { id, outputs }: { id: string; outputs: JsonMap },
  provider: Provider,
): StateChange {
  const { stored, declaration } = decision;
  if (decision.verb === "read" && stored !== undefined)
    return noteDrift(decision, outputs, provider);
  if (step.kind === "delete") {
    return stored === undefined || decision.lostToken !== undefined
      ? undefined
      : { forget: stored };
  }
  if (declaration === undefined) return undefined;
  const made = storedResource(
    decision,
    stored !== undefined && id === stored.id ? stored.objectName : objectName,
    id,
    outputs,
  );
  const replaces = stored !== undefined && stored.id !== id;
  return replaces ? { put: made, condemns: stored } : { put: made };
}

/** What a read of an object that is known says of its drift, if that is news. */
function noteDrift(
  { type, stored, declaration }: Exclude<Decision, { verb: "none" }>,
  shown: JsonMap | "gone",
  provider: Provider,
): StateChange {
  if (stored === undefined) return undefined;
  const { drift: known, ...resource } = stored;
  const drift = findDrift(stored, shown, {
    writeOnly: provider.facts(type)?.writeOnly ?? [],
    ignoreChanges: declaration?.options.ignoreChanges ?? [],
  });
  if (sameDrift(known, drift)) return undefined;
  return { put: drift === undefined ? resource : { ...resource, drift } };
}

function storedResource(
  { resource, type, inputs, declaration, dependsOn }: Exclude<Decision, { verb: "none" }>,
  objectName: string,
  id: string,
  outputs: JsonMap,
): StoredResource {
  return {
    name: resource,
    type,
    id,
    objectName,
    inputs,
    outputs: markSecrets(outputs, inputs, declaration?.options.additionalSecretOutputs ?? []),
    dependsOn,
    protect: declaration?.options.protect ?? false,
    retainOnDelete: declaration?.options.retainOnDelete ?? false,
    tainted: false,
    unsure: false,
  };
}

/** A provider's echo of a secret input is as secret as the input. */
function markSecrets(outputs: JsonMap, inputs: ValueMap, more: readonly string[]): ValueMap {
  return Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => {
      const echoed = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
      const secret = more.includes(key) || (echoed !== undefined && hasSecret(echoed));
      return [key, secret ? new Secret(value) : value];
    }),
  );
}
