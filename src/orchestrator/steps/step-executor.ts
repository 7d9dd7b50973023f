/**
 * Executes the steps of one run. It lives as long as the runner; a restarted runner builds it again from the journal.
 */
import { replacementReason } from "#engine/plan/replacement-reason.ts";
import type { Step } from "#engine/plan/steps.ts";
import { nextMoves, type Prepared, prepare, type StepProgress } from "#engine/schedule.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ValueMap } from "#engine/value.ts";
import type { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { CallPermit, RunCalls } from "#orchestrator/gate/run-calls.ts";
import type { Program } from "#orchestrator/program/program.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type {
  Entry,
  KeptOptions,
  OpenCall,
  StepRecord,
  Verb,
} from "#orchestrator/storage/journal.ts";
import { type ResourceState, ResourceTooLarge } from "#orchestrator/storage/resource-state.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { type EncodedValues, encodeValue, sentPlace } from "#orchestrator/storage/state-codec.ts";
import { describeError, log } from "#platform/log.ts";
import type { Outcome } from "#providers/provider.ts";
import type { UnclassifiedError } from "#schema/deployments.ts";
import { callProvider } from "./call-provider.ts";
import { claimFound, claimForCall, ObjectClaimed } from "./claim-objects.ts";
import { conclude } from "./conclude-call.ts";
import { concludeUntold, type StepResult } from "./conclude-failure.ts";
import { type Decision, type DueCall, storedOf, verbOf } from "./decide-step.ts";
import { AccountRefused, type InstanceAccount } from "./instance-account.ts";
import { newObjectName } from "./object-name.ts";
import type { ObjectReads } from "./object-reads.ts";
import type { StateChange } from "./state-change.ts";
import { PlanExceeded, StepDecisions } from "./step-decisions.ts";
import { StepRecords } from "./step-records.ts";
import { stoppedEntry, unfinished } from "./stop-steps.ts";
import { tooLarge } from "./too-large.ts";
import { Unread } from "./unread.ts";

/** For so long after its change, an object may not be visible everywhere at the cloud. */
const LATELY_MS = 15 * 60_000;
/** An alarm that is late by more than this is no ordinary delay. */
const LATE_MS = 5_000;

/** The dependencies of a run's executor. */
export interface ExecutorParts {
  parts: RunnerParts;
  run: Run;
  program: Program;
  account: InstanceAccount;
  resources: ResourceState;
  claims: ObjectClaims;
  /** The calls that the run may make. */
  calls: Pick<RunCalls, "begin" | "throttled">;
  reads: ObjectReads;
}

export class StepExecutor {
  readonly #parts: RunnerParts;
  readonly #run: Run;
  readonly #program: Program;
  readonly #account: InstanceAccount;
  readonly #resources: ResourceState;
  readonly #claims: ObjectClaims;
  readonly #calls: Pick<RunCalls, "begin" | "throttled">;
  readonly #reads: ObjectReads;
  readonly #records: StepRecords;
  readonly #decisions: StepDecisions;
  readonly #steps: ReadonlyMap<string, { step: Step; index: number }>;
  readonly prepared: Prepared;
  /** The start of a time without progress although a step was due; undefined: no step was due. */
  readonly stalledSinceMs: number | undefined;

  constructor(of: ExecutorParts) {
    const { parts, run, program, resources } = of;
    this.#parts = parts;
    this.#run = run;
    this.#program = program;
    this.#account = of.account;
    this.#resources = resources;
    this.#claims = of.claims;
    this.#calls = of.calls;
    this.#reads = of.reads;
    const { plan } = run;
    if (plan === null) throw new Error(`Run ${run.deploymentId} applies without a plan`);
    program.noteSecrets(resources.view);
    this.prepared = prepare(plan.steps);
    this.#steps = new Map(plan.steps.map((step, index) => [step.id, { step, index }]));
    this.#decisions = new StepDecisions(program, resources);
    this.#records = new StepRecords(parts, run.deploymentId);
    this.stalledSinceMs = this.#stalledSinceMs(this.#records.lastAtMs ?? parts.now());
    this.#records.markInterrupted();
  }

  #stalledSinceMs(lastAtMs: number): number | undefined {
    const progress = this.progress();
    const states = [...progress.values()];
    const nowMs = this.#parts.now();
    const { canceling } = this.#run;
    const { start, end } = nextMoves(this.prepared, progress, { canceling, nowMs });
    const stopped = states.some(({ status }) => status === "running");
    if (stopped || start.length > 0 || end !== undefined) return lastAtMs;
    const dueMs = states.flatMap((one) => (one.status === "waiting" ? [one.notBeforeMs] : []));
    const firstMs = Math.max(lastAtMs, Math.min(...dueMs));
    return nowMs - firstMs > LATE_MS ? firstMs : undefined;
  }

  get touched(): boolean {
    return this.#records.touched;
  }

  get firstError(): UnclassifiedError | undefined {
    return this.#records.firstError;
  }

  /** The progress of each started step. */
  progress(): ReadonlyMap<string, StepProgress> {
    return this.#records.progress();
  }

  /** Marks the step as running, synchronously. */
  begin(step: Step): void {
    this.#records.begin(step);
  }

  /** Sends calls for the step until it ends, or has to wait for the cloud or the run's next share of calls. */
  async execute(step: Step): Promise<void> {
    const permit = this.#calls.begin();
    if (permit === undefined) {
      this.#records.postpone(step);
      return;
    }
    try {
      await this.#proceed(step, permit);
    } finally {
      permit.end();
    }
  }

  async #proceed(step: Step, permit: CallPermit): Promise<void> {
    for (;;) {
      const record = this.#records.of(step);
      const due = await this.#decide(step, record, permit);
      if (due === undefined) return;
      if (!(await this.#isInAccount(step, record, permit))) return;
      const named = record.call ?? record.renewed;
      const objectName = named?.objectName ?? (await this.#objectName(step, due, record));
      const place = this.#decisions.placeOf(due, objectName);
      const claimed = await claimForCall(this.#claims, step, due, place);
      if (claimed !== undefined) {
        await this.#failStep(step, record, claimed, verbOf[due.does]);
        return;
      }
      if (this.#run.canceling) {
        this.#records.postpone(step);
        return;
      }
      const begins = record.call === undefined;
      if (begins && !(await this.#begin(step, record, due, objectName))) return;
      const { call } = record;
      if (call === undefined) throw new Error(`Step ${step.id} has a call without an intent`);
      const request = await this.#nextRequest(step, due, call, record, begins);
      if (request === "ended") return;
      const isLook = request === "look";
      const more = await this.#send(step, record, { due, call, permit, isLook });
      if (!more) return;
      if (this.#run.canceling || !permit.next()) {
        this.#records.postpone(step);
        return;
      }
    }
  }

  /** The due call; undefined: the step has ended, or waits for a read. */
  async #decide(step: Step, record: StepRecord, permit: CallPermit): Promise<DueCall | undefined> {
    if (!(await this.#readFor(step, record, permit))) return undefined;
    let decision: Decision;
    try {
      decision = this.#decisions.decide(step, record);
    } catch (error) {
      // The decision is pure, so a retry would throw again.
      await this.#failStep(step, record, error);
      return undefined;
    }
    if (decision.does !== "nothing") return decision;
    const { forget } = decision;
    const elapsedMs = this.#parts.now() - record.startedAtMs;
    const entry = { kind: "done", verb: "none", elapsedMs } as const;
    if (forget === undefined) await this.#commit(step, entry);
    else {
      const forgotten = forget.state === "lost" ? "lost" : "kept";
      await this.#commit(step, { ...entry, forgotten }, { forget });
    }
    return undefined;
  }

  /** Journals the intent of a call. False: the step has failed. */
  async #begin(step: Step, record: StepRecord, due: DueCall, objectName: string): Promise<boolean> {
    let sent: EncodedValues | undefined;
    try {
      if (verbOf[due.does] === "create") sent = await this.#sealed(due.inputs);
    } catch (error) {
      await this.#failStep(step, record, error);
      return false;
    }
    const lost = due.does === "find" ? due.stored : undefined;
    await this.#commit(step, {
      kind: "intent",
      verb: verbOf[due.does],
      token: lost?.token ?? this.#token(step, record),
      objectName,
      ...(sent === undefined ? {} : { sent }),
      ...(lost === undefined ? {} : { lostSent: lost.sent }),
      ...this.#keptFor(step, due),
      ...this.#replacement(step, due),
    });
    return true;
  }

  /**
   * Chooses the next request, and journals a repeated attempt of a create before it is sent. `ended`: the create's
   * effect cannot be determined, and the step has ended.
   */
  async #nextRequest(
    step: Step,
    due: DueCall,
    call: OpenCall,
    record: StepRecord,
    begins: boolean,
  ): Promise<"send" | "look" | "ended"> {
    if (due.does !== "create" && due.does !== "find") return "send";
    const attempt = this.#decisions.attempt(due, call, this.#parts.now());
    if (attempt === "cannot_tell") {
      const elapsedMs = this.#parts.now() - record.startedAtMs;
      const untold = concludeUntold(due, call, this.#program.provider, elapsedMs);
      await this.#commit(step, untold.entry, untold.change);
      return "ended";
    }
    const sendsAgain = !begins || due.does === "find";
    if (attempt === "send" && sendsAgain)
      await this.#commit(step, { kind: "attempt", verb: "create" });
    return attempt ?? "send";
  }

  /** Sends the request, and journals the meaning of its answer. True: the step needs a further call. */
  async #send(
    step: Step,
    record: StepRecord,
    of: { due: DueCall; call: OpenCall; permit: CallPermit; isLook: boolean },
  ): Promise<boolean> {
    const { due, call, permit, isLook } = of;
    const parts = {
      provider: this.#program.provider,
      context: permit.context(this.#program.context),
      random: this.#parts.random,
    };
    const look = isLook ? { known: this.#decisions.knownIds(due.type) } : undefined;
    const { startedAtMs } = record;
    let outcome: Outcome;
    let result: StepResult;
    try {
      const askedMs = this.#parts.now();
      outcome = await callProvider(parts, due, call, look);
      if (outcome.kind === "failed" && outcome.means === "throttled")
        this.#calls.throttled(outcome.afterMs);
      const changed = this.#changedBefore(due, outcome);
      const looked = isLook ? { lookedAtMs: askedMs } : {};
      result = conclude(due, { startedAtMs, call }, outcome, parts, { ...looked, changed });
    } catch (error) {
      // A retry would throw again, so the step ends with a call of unknown effect.
      call.unknown = true;
      await this.#failStep(step, record, error);
      return false;
    }
    const elapsedMs = this.#parts.now() - startedAtMs;
    const isAnothers = (id: string) => this.#decisions.isAnothers(due.type, id, storedOf(due));
    const found = await claimFound(this.#claims, due, outcome, { elapsedMs, isAnothers });
    const { entry, change } = found ?? result;
    await this.#commit(step, entry, change);
    return entry.kind === "done" && entry.more === true;
  }

  /** The resources that a refused one needs and that this instance changed lately, so that they may not be visible. */
  #changedBefore({ dependsOn }: DueCall, outcome: Outcome): string[] {
    if (outcome.kind !== "failed" || outcome.spreads === undefined) return [];
    const { current } = this.#resources.view;
    const needed = new Set(dependsOn);
    for (const name of needed)
      for (const one of current.get(name)?.dependsOn ?? []) needed.add(one);
    return this.#parts.store.journal.changedSince([...needed], this.#parts.now() - LATELY_MS);
  }

  /** Reads the objects that the step's resource reads with `get`. False: the step waits to try again, or has failed. */
  async #readFor(step: Step, record: StepRecord, permit: CallPermit): Promise<boolean> {
    const decides = step.kind === "apply" || step.tentative === true;
    if (!decides) return true;
    try {
      await this.#reads.readFor(step.resource, this.#resources.view, permit);
      return true;
    } catch (error) {
      if (await this.#waitsToRead(step, record, error)) return false;
      if (!(error instanceof Unread || error instanceof ResolveError)) throw error;
      if (error instanceof AccountRefused) throw error;
      await this.#failStep(step, record, error);
      return false;
    }
  }

  /** False: the step waits to ask again. Throws `AccountRefused`, which ends the run. */
  async #isInAccount(step: Step, record: StepRecord, permit: CallPermit): Promise<boolean> {
    try {
      await this.#account.require(permit);
      return true;
    } catch (error) {
      if (await this.#waitsToRead(step, record, error)) return false;
      throw error;
    }
  }

  /** Postpones the step if its failed read may succeed later. */
  async #waitsToRead(step: Step, record: StepRecord, error: unknown): Promise<boolean> {
    if (!(error instanceof Unread) || error.retryAfterMs === undefined) return false;
    if (this.#run.canceling) {
      this.#records.postpone(step);
      return true;
    }
    const { code, message, retryAfterMs } = error;
    const { verb = "read" } = record.call ?? {};
    await this.#commit(step, {
      kind: "retry",
      verb,
      notBeforeMs: this.#parts.now() + retryAfterMs,
      code,
      message,
      // The effect of an open call stays unknown.
      ...(record.call?.unknown === true ? { unknown: true } : {}),
    });
    return true;
  }

  /** The options and dependencies of a call's object, for a step that ends without the template. */
  #keptFor(
    step: Step,
    { does }: DueCall,
  ): { options?: KeptOptions; dependsOn?: readonly string[] } {
    const kept = step.kind === "apply" ? this.#program.keptOptions(step.resource) : undefined;
    const verb = verbOf[does];
    if (kept === undefined || verb === "read") return {};
    const { dependsOn, ...options } = kept;
    return { ...(verb === "create" ? { options } : {}), dependsOn };
  }

  /** The reason of a replacement, for its first call. */
  #replacement(step: Step, due: DueCall): { replaces?: string } {
    const apply = this.#steps.get(`apply:${step.resource}`)?.step;
    const begins =
      (due.does === "create" && due.stored !== undefined) ||
      (due.does === "delete" && apply?.dependsOn.includes(step.id) === true);
    const change = this.#run.plan?.changes.find(({ resource }) => resource === step.resource);
    if (!begins || change?.action !== "replace") return {};
    return { replaces: replacementReason(change, this.#program.provider.facts(due.type)) };
  }

  #sealed(inputs: ValueMap): Promise<EncodedValues> {
    return encodeValue(inputs, this.#parts.sealer, sentPlace(this.#run));
  }

  async #failStep(step: Step, record: StepRecord, error: unknown, verb?: Verb): Promise<void> {
    const known =
      error instanceof ResolveError ||
      error instanceof PlanExceeded ||
      error instanceof Unread ||
      error instanceof ObjectClaimed;
    if (!known) this.#logUndecided(step, error);
    await this.#commit(
      step,
      {
        kind: "failed",
        verb: record.call?.verb ?? verb ?? (step.kind === "apply" ? "create" : step.kind),
        code: known ? error.code : "internal",
        message: known ? error.message : "the service could not decide the next call",
        ...(error instanceof Unread && error.fault !== undefined ? { fault: error.fault } : {}),
        elapsedMs: this.#parts.now() - record.startedAtMs,
      },
      await unfinished(this.#parts, this.#run, step, record, this.#resources.view),
    );
  }

  async skip(ids: readonly string[]): Promise<void> {
    await this.#parts.commit(() => {
      for (const id of ids) {
        const step = this.#step(id);
        const last = step.last === true ? ({ last: true } as const) : {};
        this.#records.append(step, { kind: "skipped", ...last });
      }
    });
  }

  /** Ends the steps that a cancel stopped. The possible effect of their open calls stays in the state. */
  async stop(): Promise<void> {
    for (const { id, record } of this.#records.waiting()) {
      const step = this.#step(id);
      const change = await unfinished(this.#parts, this.#run, step, record, this.#resources.view);
      const entry = stoppedEntry(step, record, change, this.#resources.view, this.#parts.now());
      await this.#commit(step, entry, change);
    }
  }

  #logUndecided(step: Step, error: unknown): void {
    log("error", "A step cannot be decided", {
      step: step.id,
      deploymentId: this.#run.deploymentId,
      traceId: this.#run.spec?.inputs.trace?.traceId,
      error: describeError(error),
    });
  }

  /** The token: the same for every repetition of this call, and unique among all calls of all deployments. */
  #token(step: Step, record: StepRecord): string {
    const index = this.#steps.get(step.id)?.index ?? 0;
    return `${this.#run.deploymentId}-${index}-${record.intents}`;
  }

  async #objectName(step: Step, due: DueCall, record: StepRecord): Promise<string> {
    const stored = storedOf(due);
    if (due.does !== "create" && stored !== undefined) return stored.objectName;
    const index = this.#steps.get(step.id)?.index ?? 0;
    const rule = this.#program.provider.facts(due.type)?.nameRule;
    return newObjectName(this.#run, step.resource, `${index}-${record.intents}`, rule);
  }

  async #commit(step: Step, planned: Entry, change?: StateChange): Promise<void> {
    let entry = planned;
    let put: (() => void) | undefined;
    if (change !== undefined && "put" in change)
      try {
        // A drift check may read with a template that is not deployed yet.
        const made =
          step.kind === "apply" ? this.#program.withSpentAliases(change.put) : change.put;
        put = await this.#resources.put(made, change.replaced);
      } catch (error) {
        if (!(error instanceof ResourceTooLarge)) throw error;
        entry = tooLarge(planned, error, this.#parts.now() - this.#records.of(step).startedAtMs);
        // After a read the stored resource stays as it was.
        if (entry.kind === "failed" && entry.verb !== "read") put = await this.#putSlim(change);
      }
    await this.#parts.commit(() => {
      put?.();
      if (change !== undefined && "forget" in change) this.#resources.remove(change.forget);
      this.#records.append(step, entry);
    });
    if (change !== undefined && "forget" in change && change.forget.state !== "lost")
      await this.#claims.release(
        { type: change.forget.type, id: change.forget.id },
        { lives: planned.kind === "done" && planned.forgotten === "kept" },
      );
  }

  /** Stores an object that is too large without its outputs, so that it can still be replaced or deleted by id. */
  async #putSlim({ put, replaced }: { put: StoredResource; replaced?: StoredResource }) {
    const slim: StoredResource =
      put.state === "lost" ? put : { ...put, outputs: {}, state: "tainted" };
    try {
      return await this.#resources.put(slim, replaced);
    } catch (error) {
      if (!(error instanceof ResourceTooLarge)) throw error;
      return this.#resources.put({ ...slim, inputs: {} }, replaced);
    }
  }

  #step(id: string): Step {
    const known = this.#steps.get(id);
    if (known === undefined) throw new Error(`The plan has no step ${id}`);
    return known.step;
  }
}
