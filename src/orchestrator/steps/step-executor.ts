/**
 * Executes the steps of one run. It is kept while the runner lives; after a restart it is built again from the journal.
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
import type { Entry, KeptOptions, StepRecord, Verb } from "#orchestrator/storage/journal.ts";
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
import type { Decision, DueCall } from "./decide-step.ts";
import { AccountRefused, type InstanceAccount } from "./instance-account.ts";
import { stoppedEntry, unfinished } from "./keep-unfinished.ts";
import { newObjectName } from "./object-name.ts";
import type { ObjectReads } from "./object-reads.ts";
import type { StateChange } from "./state-change.ts";
import { PlanExceeded, StepDecisions } from "./step-decisions.ts";
import { StepRecords } from "./step-records.ts";
import { tooLarge } from "./too-large.ts";
import { Unread } from "./unread.ts";

/** An alarm that is later than this is no ordinary delay. */
const LATE_MS = 5_000;

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
  /** Since when the steps made no progress although they could; undefined: nothing was due. */
  readonly stalledSinceMs: number | undefined;

  constructor(
    parts: RunnerParts,
    run: Run,
    program: Program,
    account: InstanceAccount,
    resources: ResourceState,
    claims: ObjectClaims,
    calls: Pick<RunCalls, "begin" | "throttled">,
    reads: ObjectReads,
  ) {
    this.#parts = parts;
    this.#run = run;
    this.#program = program;
    this.#account = account;
    this.#resources = resources;
    this.#claims = claims;
    this.#calls = calls;
    this.#reads = reads;
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

  /** Sends calls for the step until it ends or has to wait, for the cloud or for the run's next share of calls. */
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
      let decision: Decision;
      const read = await this.#readFor(step, record, permit);
      if (!read) return;
      try {
        decision = this.#decisions.decide(step, record);
      } catch (error) {
        // Deciding is pure: a retry would throw again.
        await this.#failStep(step, record, error);
        return;
      }
      if (decision.verb === "none") {
        const { forget } = decision;
        const elapsedMs = this.#parts.now() - record.startedAtMs;
        const lost = forget?.lostToken === undefined ? "kept" : "lost";
        const forgotten = forget === undefined ? {} : ({ forgotten: lost } as const);
        await this.#commit(
          step,
          { kind: "done", verb: "none", elapsedMs, ...forgotten },
          forget === undefined ? undefined : { forget },
        );
        return;
      }
      if (!(await this.#isInAccount(step, record, permit))) return;
      const objectName =
        record.intent?.objectName ?? (await this.#objectName(step, decision, record));
      const claimed = await claimForCall(
        this.#claims,
        step,
        decision,
        this.#decisions.placeOf(decision, objectName),
      );
      if (claimed !== undefined) {
        await this.#failStep(step, record, claimed, decision.verb);
        return;
      }
      if (this.#run.canceling) {
        this.#records.postpone(step);
        return;
      }
      const begins = record.intent === undefined;
      if (begins) {
        let sent: EncodedValues | undefined;
        try {
          if (decision.verb === "create") sent = await this.#sealed(decision.inputs);
        } catch (error) {
          await this.#failStep(step, record, error);
          return;
        }
        await this.#commit(step, {
          kind: "intent",
          verb: decision.verb,
          token: decision.lostToken ?? this.#token(step, record),
          objectName,
          ...(sent === undefined ? {} : { sent }),
          ...(decision.lostSent === undefined ? {} : { lostSent: decision.lostSent }),
          ...this.#keptFor(step, decision),
          ...this.#replacement(step, decision),
        });
      }
      const attempt = this.#decisions.attempt(decision, record, this.#parts.now());
      if (attempt === "cannot_tell") {
        const untold = concludeUntold(decision, record, this.#program.provider, this.#parts.now());
        await this.#commit(step, untold.entry, untold.change);
        return;
      }
      const sendsAgain = !begins || decision.lostSent !== undefined;
      if (attempt === "send" && sendsAgain)
        await this.#commit(step, { kind: "attempt", verb: "create" });
      const look =
        attempt === "look" ? { known: this.#decisions.knownIds(decision.type) } : undefined;
      const executor = {
        provider: this.#program.provider,
        context: permit.context(this.#program.context),
        random: this.#parts.random,
      };
      let outcome: Outcome;
      let result: StepResult;
      try {
        const askedMs = this.#parts.now();
        outcome = await callProvider(executor, decision, record, look);
        if (outcome.kind === "failed" && outcome.means === "throttled")
          this.#calls.throttled(outcome.afterMs);
        const lookedAtMs = look === undefined ? undefined : askedMs;
        result = conclude(step, decision, record, outcome, executor, lookedAtMs);
      } catch (error) {
        // The effect of the call is unknown, and a retry would throw again.
        record.unknown = true;
        await this.#failStep(step, record, error);
        return;
      }
      const elapsedMs = this.#parts.now() - record.startedAtMs;
      const isAnothers = (id: string) =>
        this.#decisions.isAnothers(decision.type, id, decision.stored);
      const found = { elapsedMs, isAnothers };
      result = (await claimFound(this.#claims, step, decision, outcome, found)) ?? result;
      await this.#commit(step, result.entry, result.change);
      if (result.entry.kind !== "done" || result.entry.more !== true) return;
      if (this.#run.canceling || !permit.next()) {
        this.#records.postpone(step);
        return;
      }
    }
  }

  /** Reads what the properties of the step's resource read with `get`. False: the step waits to try again, or has failed. */
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

  /** Postpones the step if what it needs may be read later. */
  async #waitsToRead(step: Step, record: StepRecord, error: unknown): Promise<boolean> {
    if (!(error instanceof Unread) || error.retryAfterMs === undefined) return false;
    if (this.#run.canceling) {
      this.#records.postpone(step);
      return true;
    }
    const { code, message, retryAfterMs } = error;
    const { verb = "read" } = record.intent ?? {};
    await this.#commit(step, {
      kind: "retry",
      verb,
      notBeforeMs: this.#parts.now() + retryAfterMs,
      code,
      message,
      // An open call keeps what is not known about it.
      ...(record.unknown ? { unknown: true } : {}),
    });
    return true;
  }

  /** What the object of a call is kept with if the step ends without the template. */
  #keptFor(
    step: Step,
    { verb }: DueCall,
  ): { options?: KeptOptions; dependsOn?: readonly string[] } {
    const kept = step.kind === "apply" ? this.#program.keptOptions(step.resource) : undefined;
    if (kept === undefined || verb === "read") return {};
    const { dependsOn, ...options } = kept;
    return { ...(verb === "create" ? { options } : {}), dependsOn };
  }

  /** The reason of a replacement, for its first call. */
  #replacement(step: Step, { verb, stored, lostToken, type }: DueCall): { replaces?: string } {
    const apply = this.#steps.get(`apply:${step.resource}`)?.step;
    const begins =
      lostToken === undefined &&
      ((step.kind === "apply" && verb === "create" && stored !== undefined) ||
        (step.kind === "delete" && apply?.dependsOn.includes(step.id) === true));
    const change = this.#run.plan?.changes.find(({ resource }) => resource === step.resource);
    if (!begins || change?.action !== "replace") return {};
    return { replaces: replacementReason(change, this.#program.provider.facts(type)) };
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
        verb: record.intent?.verb ?? verb ?? (step.kind === "apply" ? "create" : step.kind),
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

  /** Ends the steps that a cancel stopped: the possible effect of their open calls stays in the state. */
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

  /** The same for every repetition of this call, and unique among all calls of all deployments. */
  #token(step: Step, record: StepRecord): string {
    const index = this.#steps.get(step.id)?.index ?? 0;
    return `${this.#run.deploymentId}-${index}-${record.intents}`;
  }

  async #objectName(step: Step, decision: DueCall, record: StepRecord): Promise<string> {
    if (decision.verb !== "create" && decision.stored !== undefined)
      return decision.stored.objectName;
    if (decision.lostToken !== undefined && decision.stored !== undefined)
      return decision.stored.objectName;
    const index = this.#steps.get(step.id)?.index ?? 0;
    const rule = this.#program.provider.facts(decision.type)?.nameRule;
    return newObjectName(this.#run, step.resource, `${index}-${record.intents}`, rule);
  }

  async #commit(step: Step, planned: Entry, change?: StateChange): Promise<void> {
    let entry = planned;
    let put: (() => void) | undefined;
    if (change !== undefined && "put" in change)
      try {
        // A drift check reads with a template that may not be deployed yet.
        const made = step.kind === "apply" ? this.#program.settled(change.put) : change.put;
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
    if (change !== undefined && "forget" in change && change.forget.lostToken === undefined)
      await this.#claims.release(
        { type: change.forget.type, id: change.forget.id },
        { lives: planned.kind === "done" && planned.forgotten === "kept" },
      );
  }

  /** Stores an object that is too large without its outputs, so that it can still be replaced or deleted by id. */
  async #putSlim({ put, replaced }: { put: StoredResource; replaced?: StoredResource }) {
    const slim = { ...put, outputs: {}, tainted: true };
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
