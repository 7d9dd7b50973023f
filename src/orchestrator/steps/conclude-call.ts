/**
 * Turns the outcome of a call into a journal entry and a change of state. Pure. The table `meanings` has the meaning of
 * an answer for each purpose of a call. A pending operation and a failure mean the same for all purposes.
 */
import { findDrift } from "#engine/plan/drift.ts";
import { asSent } from "#engine/value-paths.ts";
import type { Entry, OpenCall, Verb } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import { isLook, type ProviderCallParts } from "./call-provider.ts";
import { concludeFailure, type StepResult } from "./conclude-failure.ts";
import {
  type Confirm,
  type Create,
  declarationOf,
  type DueCall,
  type Find,
  type Import,
  type Await,
  type Update,
  verbOf,
} from "./decide-step.ts";
import {
  type Answered,
  fail,
  failed,
  foundToDelete,
  MAX_NAMED,
  UNSEEN_READS,
} from "./failed-call.ts";
import { afterEmptyLook } from "./next-attempt.ts";
import { retryDelayMs } from "./retry-delay.ts";
import {
  afterCreate,
  afterFind,
  afterImport,
  afterReady,
  afterUpdate,
  driftChange,
  type StateChange,
  unshownBy,
} from "./state-change.ts";

const UNSEEN_APART_MS = 5_000;
/** A minute, for an object that a create left unfinished: no read may have shown it yet. */
const UNSEEN_NEW_READS = 12;
/** The longest wait for an object that shows its earlier values after an accepted update. */
const UNSHOWN_WAIT_MS = 5 * 60_000;
const UNSHOWN_APART_MS = 2_000;
const MAX_UNSHOWN_APART_MS = 30_000;
/** The most looks of one update. A cloud's answers may alternate between finding the object and missing it. */
const MAX_LOOKS = 12;

type Done = Extract<Outcome, { kind: "done" }>;

/** The meaning of an answer, by the purpose of the call. `gone`: there is no object. */
type Meanings = {
  readonly [Does in DueCall["does"]]: {
    done: (at: Answered<Extract<DueCall, { does: Does }>>, outcome: Done) => StepResult;
    gone: (at: Answered<Extract<DueCall, { does: Does }>>) => StepResult;
  };
};

const meanings: Meanings = {
  create: {
    done: (at, outcome) =>
      done(at, outcome, afterCreate(at.due, at.call.objectName, outcome, at.parts.provider)),
    gone: (at) =>
      at.lookedAtMs === undefined ? noLongerExists(at) : emptyLook(at, at.lookedAtMs).result,
  },
  find: { done: foundLost, gone: lostIsGone },
  update: { done: updated, gone: deletedOutside },
  await: {
    done: (at, outcome) =>
      done(at, outcome, afterReady(at.due, outcome, at.parts.provider), { more: true }),
    gone: makeAgain,
  },
  confirm: {
    done: (at, outcome) =>
      done(at, outcome, driftChange(at.due, outcome.outputs, at.parts.provider), { more: true }),
    gone: makeAgain,
  },
  import: { done: imported, gone: nothingToImport },
  check: {
    done: (at, outcome) =>
      done(at, outcome, driftChange(at.due, outcome.outputs, at.parts.provider)),
    gone: (at) => ended(at, driftChange(at.due, "gone", at.parts.provider)),
  },
  delete: {
    done: (at, outcome) => done(at, outcome, { forget: at.due.stored }),
    gone: (at) => ended(at, { forget: at.due.stored }),
  },
};

/** `lookedAtMs` and `changed`: as in `Answered`. */
export function conclude(
  due: DueCall,
  { startedAtMs, call }: { startedAtMs: number; call: OpenCall },
  outcome: Outcome,
  parts: ProviderCallParts,
  { lookedAtMs, changed = [] }: { lookedAtMs?: number; changed?: readonly string[] } = {},
): StepResult {
  const nowMs = parts.context.now();
  const at: Answered = {
    due,
    call,
    parts,
    nowMs,
    elapsedMs: nowMs - startedAtMs,
    deadlineMs: startedAtMs + timeoutOf(due, parts.provider),
    requestId: outcome.requestId === undefined ? {} : { requestId: outcome.requestId },
    lookedAtMs,
    startedAtMs,
    changed,
  };
  switch (outcome.kind) {
    case "done":
      return isLook(call) ? seenAgain(at) : meaningOf(due).done(at, outcome);
    case "gone":
      return call.emptyLooks < unseenReads(due) ? lookAgain(at) : meaningOf(due).gone(at);
    case "pending":
      return stillWorking(at, outcome);
    case "failed":
      return failed(at, outcome);
  }
}

/** The call's row of the table. */
function meaningOf(due: DueCall): {
  done: (at: Answered, outcome: Done) => StepResult;
  gone: (at: Answered) => StepResult;
} {
  // The compiler cannot see that each row gets calls of its own purpose.
  return meanings[due.does] as ReturnType<typeof meaningOf>;
}

function done(
  { call: { verb }, elapsedMs, requestId }: Answered,
  { id, note }: Done,
  change: StateChange,
  more: Pick<Extract<Entry, { kind: "done" }>, "more" | "unshown"> = {},
): StepResult {
  const noted = note === undefined ? {} : { note };
  return {
    entry: { kind: "done", verb, id, elapsedMs, ...requestId, ...noted, ...more },
    change,
  };
}

/** The call has ended, and there is no object. */
function ended(
  { call: { verb }, elapsedMs, requestId }: Answered,
  change: StateChange,
  more: { more?: true } = {},
): StepResult {
  return { entry: { kind: "done", verb, elapsedMs, ...more, ...requestId }, change };
}

/** The step reads the found object next: the answer to a repeated create may be older than a delete of the object. */
function foundLost(at: Answered<Find>, outcome: Done): StepResult {
  const found = afterFind(at.due, at.call.objectName, outcome, at.parts.provider);
  const state = at.lookedAtMs === undefined ? "unready" : "ready";
  return done(at, outcome, found && { put: { ...found, state } }, { more: true });
}

/** A look-up found no object of a create. `isCertain`: none exists, and no attempt can make one any more. */
function emptyLook(
  at: Answered<Create | Find>,
  askedMs: number,
): { isCertain: boolean; result: StepResult } {
  const { due, call, parts, nowMs, elapsedMs, deadlineMs } = at;
  const facts = parts.provider.repeats(parts.context, due.type);
  const delayMs = retryDelayMs(call.looks, parts.random(), undefined);
  const { none, empty, notBeforeMs } = afterEmptyLook(call, facts, { askedMs, nowMs, delayMs });
  const result: StepResult =
    notBeforeMs >= deadlineMs && !none
      ? fail(at, {
          code: "timed_out",
          message: `no object was found after ${seconds(elapsedMs)}, but the last request may still create one. The next deployment looks for it`,
          unknown: true,
        })
      : { entry: { kind: "looked", verb: "create", empty, notBeforeMs } };
  return { isCertain: none, result };
}

/** Without a declaration, the search was for a delete, so the step ends. */
function lostIsGone(at: Answered<Find>): StepResult {
  const { declaration, stored } = at.due;
  if (at.lookedAtMs !== undefined) {
    const { isCertain, result } = emptyLook(at, at.lookedAtMs);
    if (!isCertain) return result;
  } else if (declaration !== undefined) return noLongerExists(at);
  return ended(at, { forget: stored }, declaration === undefined ? {} : { more: true });
}

function noLongerExists(at: Answered): StepResult {
  return fail(at, { code: "gone", message: "the object no longer exists", unknown: false });
}

function updated(at: Answered<Update>, outcome: Done): StepResult {
  const { due, call, parts } = at;
  const unshown = unshownBy(due, outcome.outputs, parts.provider);
  const waits = unshown === undefined ? undefined : waitForUpdate(at, unshown.paths);
  if (waits !== undefined) return waits;
  const change = afterUpdate(due, call.objectName, outcome, parts.provider);
  return done(at, outcome, change, unshown === undefined ? {} : { unshown: named(unshown.paths) });
}

/** The call fails, because the plan does not include another create of the object. */
function deletedOutside(at: Answered<Update>): StepResult {
  return fail(at, {
    code: "deleted_outside",
    message: `the provider no longer has it (${at.due.stored.id}): it was deleted outside this service. Plan again: the next plan shows its creation`,
    unknown: false,
    missing: true,
  });
}

/** The object is forgotten, and the same step creates it, as planned. */
function makeAgain({ due, elapsedMs, requestId }: Answered<Await | Confirm>): StepResult {
  return {
    entry: { kind: "done", verb: "none", elapsedMs, more: true, ...requestId },
    change: { forget: due.stored },
  };
}

function imported(at: Answered<Import>, outcome: Done): StepResult {
  const { due, call, parts } = at;
  const differs = mismatch(due, outcome.outputs, parts);
  if (differs.length > 0)
    return fail(at, {
      code: "import_mismatch",
      message: `the object differs from the template in: ${differs.join(", ")}. Give the template the object's values, or list these properties in \`ignoreChanges\`; change them after the import`,
      unknown: false,
    });
  return done(at, outcome, afterImport(due, call.objectName, outcome, parts.provider));
}

function nothingToImport(at: Answered<Import>): StepResult {
  const { type, id } = at.due;
  return fail(at, {
    code: "import_not_found",
    message: `there is no ${type} with the id ${id}, which \`import\` names: correct the id, or leave \`import\` out to create one`,
    unknown: false,
  });
}

function stillWorking(at: Answered, outcome: Extract<Outcome, { kind: "pending" }>): StepResult {
  const { call, nowMs, elapsedMs, deadlineMs, requestId } = at;
  const { verb } = call;
  const id = outcome.id ?? call.pending?.id;
  const note = outcome.note === undefined ? "" : ` (${outcome.note})`;
  if (nowMs >= deadlineMs)
    return (
      foundToDelete(at, id) ??
      fail(at, {
        code: "timed_out",
        message: `not finished after ${seconds(elapsedMs)}${note}${verb === "create" ? nextDeploy(id) : ""}`,
        unknown: true,
        ...(outcome.id === undefined ? {} : { id: outcome.id }),
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

function nextDeploy(id: string | undefined): string {
  const finds = id === undefined ? "looks for it" : "reads it";
  return `. The next deploy ${finds}, and keeps it if it is usable`;
}

/** The number of further looks that must not find the object of a call. */
function unseenReads(due: DueCall): number {
  if (due.does === "update" && due.stored.state === "unsure") return UNSEEN_NEW_READS;
  if (due.does === "update" || due.does === "await") return UNSEEN_READS;
  // A drift check has already missed it once.
  return due.does === "confirm" ? UNSEEN_READS - 1 : 0;
}

function lookAgain({ due, call, parts, nowMs }: Answered): StepResult {
  const { longestRequestMs } = parts.provider.repeats(parts.context, due.type);
  const notBeforeMs = nowMs + Math.min(UNSEEN_APART_MS, longestRequestMs);
  return { entry: { kind: "looked", verb: "read", empty: call.emptyLooks + 1, notBeforeMs } };
}

/**
 * The next look at an object that still shows its earlier values after an update; undefined: the wait is over. A cloud
 * may write the new value in the same form as the earlier one, so the wait has a limit.
 */
function waitForUpdate(at: Answered<Update>, paths: readonly string[]): StepResult | undefined {
  const { call, nowMs, elapsedMs, deadlineMs } = at;
  const waitedMs = nowMs - (call.unshownSinceMs ?? nowMs);
  const unshown = named(paths);
  if (waitedMs >= UNSHOWN_WAIT_MS) return undefined;
  if (nowMs >= deadlineMs)
    return concludeFailure(at.due, call, {
      code: "timed_out",
      message: `the provider accepted the update, but after ${seconds(elapsedMs)} it still shows the earlier value of ${unshown.join(", ")}. Check at the provider why, and deploy again`,
      elapsedMs,
      unknown: true,
    });
  const delayMs = Math.max(UNSHOWN_APART_MS, Math.min(MAX_UNSHOWN_APART_MS, waitedMs / 5));
  const notBeforeMs = Math.min(Math.round(nowMs + delayMs), deadlineMs);
  return { entry: { kind: "looked", verb: "update", empty: 0, notBeforeMs, unshown } };
}

/** The first property paths, for a sentence. */
function named(paths: readonly string[]): string[] {
  return paths.slice(0, MAX_NAMED);
}

/** The object of an update exists after all, so the update continues. */
function seenAgain({ due, call, parts, nowMs, elapsedMs }: Answered): StepResult {
  const delayMs = retryDelayMs(call.looks, parts.random(), undefined);
  if (call.looks < MAX_LOOKS)
    return { entry: { kind: "looked", verb: "read", empty: 0, notBeforeMs: nowMs + delayMs } };
  return concludeFailure(due, call, {
    code: "inconsistent",
    message:
      "the provider shows the object when it is read, and answers the update that there is none. Deploy again later",
    elapsedMs,
    unknown: true,
  });
}

function timeoutOf(due: DueCall, provider: Provider): number {
  const verb: Verb = verbOf[due.does];
  if (verb === "read" && due.does !== "await") return 60_000;
  const waits = verb === "read" ? "create" : verb;
  // A search must outlast the last request of the lost object, so the resource's own timeout does not apply to it.
  const custom = due.does === "find" ? undefined : declarationOf(due)?.options.customTimeouts;
  const chosen = {
    create: custom?.createSeconds,
    update: custom?.updateSeconds,
    delete: due.does === "delete" ? due.deleteSeconds : undefined,
  }[waits];
  return chosen === undefined ? provider.timeoutMs(due.type, waits) : chosen * 1000;
}

/** The properties in which the imported object differs from the template. An import must not change the object. */
function mismatch(
  { type, inputs, declaration }: Import,
  shown: JsonMap,
  { provider }: ProviderCallParts,
): string[] {
  const { shownAt, ...facts } = provider.facts(type) ?? {};
  const { ignoreChanges } = declaration.options;
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

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
