/**
 * One run through its phases: wait for a slot, plan, (wait for approval,) apply, end. Each turn reads where the
 * run stands, does one thing, and commits the next place; nothing that matters is in memory alone.
 */
import type { DeploymentError, DeploymentState } from "#areas/deployments/tables.ts";
import { adoptAliases } from "#engine/adopt-aliases.ts";
import { driftPlan, driftReport } from "#engine/drift.ts";
import { planHash } from "#engine/plan-hash.ts";
import { makePlan, protectedResources } from "#engine/plan.ts";
import type { InstanceState } from "#engine/state.ts";
import type { Plan } from "#engine/steps.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { SealBroken } from "#platform/crypto/seal.ts";
import { canonicalJson, type JsonMap } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import { type Applied, applySteps } from "./apply-steps.ts";
import { type DriftNews, driftNews } from "./drift-news.ts";
import { APPROVAL_MS } from "./approval-time.ts";
import { statusAfter, statusWhileApplying } from "./instance-status.ts";
import type { Entry } from "./journal.ts";
import { keepUnfinished } from "./keep-unfinished.ts";
import { currentSize, loadRun } from "./load-run.ts";
import { StepPerformer } from "./step-performer.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";
import type { Move, Projection } from "./projection.ts";
import { Program, ProgramError } from "./program.ts";
import type { RunnerParts } from "./runner-parts.ts";
import { ResourceTooLarge } from "./resource-state.ts";
import { endingNote } from "./narrate.ts";
import { stateInD1 } from "./end-waiting.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";
import { close, type Run, type RunSpec } from "./runner-store.ts";

/** `again`: there is more to do now. Else: nothing to do before then. */
export type Next = "again" | { wakeAtMs: number };

/** A run that waits for a slot asks again after so long, should the gate's bell be lost. */
const ASK_AGAIN_MS = 15_000;
const HOLD_EVERY_MS = SLOT_LEASE_MS / 3;
/** A row of D1 and of the runner's storage holds 2 MB, and the plan shares one with the template's source. */
const MAX_PLAN_BYTES = 1_000_000;
/** An event names so many outputs at most. */
const MAX_NAMED_OUTPUTS = 50;

export class RunInProgress {
  readonly run: Run;
  readonly #parts: RunnerParts;
  #program: Program | undefined;
  #performer: StepPerformer | undefined;
  /** When the gate last said that the slot is ours; 0: not since this object came to life. */
  #heldAtMs = 0;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.run = run;
  }

  async advance(): Promise<Next> {
    switch (this.run.phase) {
      case "waiting":
        return this.#lookAt();
      case "gate":
        return this.#takeSlot();
      case "planning":
        return this.#plan();
      case "applying":
        return this.#apply();
      case "parked":
        // A cancel came while the plan was made: D1 says CANCELING, and nobody can approve it any more.
        return this.run.canceling ? this.#end("CANCELED", "Canceled while planning.") : "again";
      case "closed":
        return "again";
    }
  }

  /** D1 would not have it: the deployment was ended before it began (`state`: how), or is gone. */
  async drop(state: DeploymentState | undefined): Promise<void> {
    // Before the commit: a crash between the two repeats both, and no slot is left to lapse.
    const slot = this.#slot();
    if (slot !== undefined) await this.#parts.release(slot.targetId, this.run.deploymentId);
    await this.#commit([{ kind: "note", level: "info", message: endingNote(state) }], () =>
      close(this.run),
    );
  }

  async #lookAt(): Promise<Next> {
    const { spec, ...found } = await loadRun(this.#parts.db, this.run);
    if (spec === undefined) {
      await this.drop("state" in found ? found.state : undefined);
      return "again";
    }
    if ("missing" in found) return this.#giveUp(spec, found.missing);
    await this.#commit([], () => {
      this.run.spec = spec;
      this.run.phase = "gate";
    });
    return "again";
  }

  /** It can never begin: it ends with the reason, so that nobody waits for it. */
  async #giveUp(spec: RunSpec, missing: "instance" | "target"): Promise<Next> {
    const message =
      missing === "instance"
        ? "The instance does not exist any more."
        : "The target does not exist any more.";
    await this.#commit(
      [{ kind: "note", level: "error", message: `Canceled before it began: ${message}` }],
      () => {
        this.run.spec = spec;
        this.#project([
          {
            ifQueued: true,
            state: "CANCELED",
            deployment: { gateTicket: null, error: { code: `${missing}_gone`, message } },
            event: this.#event("canceled", "QUEUED", "CANCELED"),
          },
        ]);
        close(this.run);
      },
    );
    return "again";
  }

  async #takeSlot(): Promise<Next> {
    const { target } = this.#spec.inputs;
    if (this.run.canceling) {
      if (this.run.approved) return this.#end("CANCELED", "Canceled before it was carried out.");
      await this.drop(await stateInD1(this.#parts.db, this.run));
      return "again";
    }
    const answer = this.#onlyLooks ? ({ granted: true } as const) : await this.#askForSlot();
    if (!answer.granted) {
      if (this.run.ticket !== answer.ticket)
        await this.#commit(
          [
            {
              kind: "note",
              level: "info",
              message: `Waiting for a slot on ${target.name}: all of them are taken.`,
            },
          ],
          () => {
            this.run.ticket = answer.ticket;
            // An approved deployment is QUEUED no more: it shows no place in the queue.
            if (!this.run.approved)
              this.#project([{ ifQueued: true, deployment: { gateTicket: answer.ticket } }]);
          },
        );
      return { wakeAtMs: this.#parts.now() + ASK_AGAIN_MS };
    }
    if (this.run.approved) return this.#startApproved();
    await this.#commit([{ kind: "note", level: "info", message: "Started." }], () => {
      this.run.phase = "planning";
      this.#project([
        {
          ifQueued: true,
          state: "PLANNING",
          deployment: { gateTicket: null },
          event: this.#event("started", "QUEUED", "PLANNING"),
          instance: { lastDeploymentId: this.run.deploymentId },
        },
      ]);
    });
    return "again";
  }

  async #startApproved(): Promise<Next> {
    const state = await this.#parts.resources();
    if (state.view.serial !== this.run.plan?.stateSerial)
      return this.#fail("stale_plan", "The instance changed after the plan was made. Plan again.");
    await this.#beginApplying([]);
    return "again";
  }

  async #plan(): Promise<Next> {
    if (this.run.canceling) return this.#end("CANCELED", "Canceled while planning.");
    let plan: Plan;
    try {
      const resources = await this.#parts.resources();
      const program = await this.#load();
      if (program.credentialProblem !== undefined) throw program.credentialProblem;
      if (this.#spec.operation === "drift_check") return await this.#beginReading(resources.view);
      if (this.#spec.operation !== "destroy") await this.#adoptNames(program);
      plan = makePlan(program.planInput(resources.view));
    } catch (error) {
      if (error instanceof ProgramError) return this.#fail(error.code, error.message);
      if (error instanceof ResolveError) return this.#fail(error.code, error.message);
      // Planning asks nobody: what throws now would throw again at every try.
      log("error", "A plan could not be made", {
        deploymentId: this.run.deploymentId,
        error: describeError(error),
      });
      return this.#fail(
        "internal",
        error instanceof SealBroken
          ? "A secret that the instance holds cannot be opened: the operator's key for it is missing."
          : "The service could not make the plan.",
      );
    }
    if (new TextEncoder().encode(JSON.stringify(plan)).byteLength > MAX_PLAN_BYTES)
      return this.#fail(
        "plan_too_large",
        "The plan is larger than 1 MB. Split the template into several instances, or change fewer resources at once.",
      );
    const hash = await planHash(plan);
    const { summary } = plan;
    const planned: Move = {
      deployment: { summary, planHash: hash, stateSerial: plan.stateSerial },
      event: this.#event("planned", "PLANNING", "PLANNING", {
        summary: { ...summary },
        planHash: hash,
      }),
    };
    const notes: Entry[] = [{ kind: "note", level: "info", message: `Planned: ${inWords(plan)}.` }];
    const kept = this.#keptFrom(plan);
    if (kept !== undefined && this.#spec.operation !== "plan")
      return this.#fail("resource_protected", kept, [planned], plan, notes);
    if (plan.steps.length === 0 && this.#spec.operation !== "destroy")
      return this.#end("NO_CHANGES", "Nothing to change.", [planned], { plan, notes });
    if (this.#spec.operation === "plan")
      return this.#end("SUCCEEDED", "The plan is made; nothing was changed.", [planned], {
        plan,
        notes,
      });
    if (this.#needsApproval(plan)) return this.#park(plan, planned, notes);
    await this.#beginApplying([planned], plan, notes);
    return "again";
  }

  async #park(plan: Plan, planned: Move, notes: Entry[]): Promise<Next> {
    await this.#commit(
      [...notes, { kind: "note", level: "info", message: "Waiting for approval." }],
      () => {
        this.run.phase = "parked";
        this.run.plan = plan;
        this.#spec.approveUntilMs = this.#parts.now() + APPROVAL_MS;
        this.#project(
          [
            planned,
            {
              state: "AWAITING_APPROVAL",
              event: this.#event("approval_required", "PLANNING", "AWAITING_APPROVAL"),
            },
          ],
          plan,
          this.#slot(),
        );
      },
    );
    return "again";
  }

  async #beginApplying(before: Move[], plan?: Plan, notes: Entry[] = []): Promise<void> {
    await this.#commit([...notes, { kind: "note", level: "info", message: "Applying." }], () => {
      this.run.phase = "applying";
      if (plan !== undefined) this.run.plan = plan;
      this.#project(
        [
          ...before,
          {
            state: "APPLYING",
            event: this.#event(
              "applying",
              this.run.approved ? "AWAITING_APPROVAL" : "PLANNING",
              "APPLYING",
            ),
            instance: {
              state: statusWhileApplying(this.#spec.operation, this.#spec.instanceState),
            },
          },
        ],
        plan,
      );
    });
  }

  /** D1 keeps PLANNING: nothing is applied. */
  async #beginReading(state: InstanceState): Promise<Next> {
    const plan = driftPlan(state);
    const message = `Reading ${plan.steps.length} resources at the provider.`;
    await this.#commit([{ kind: "note", level: "info", message }], () => {
      this.run.phase = "applying";
      this.run.plan = plan;
    });
    return "again";
  }

  async #apply(): Promise<Next> {
    let performer = this.#performer;
    try {
      performer ??= new StepPerformer(
        this.#parts,
        this.run,
        await this.#load(),
        await this.#parts.resources(),
      );
    } catch (error) {
      // It could be read when it was planned: the service was changed since. Better an end than a run without one.
      if (!(error instanceof ProgramError)) throw error;
      const { code, message } = error;
      await keepUnfinished(this.#parts, this.run, await this.#parts.resources(), { code, message });
      return this.#fail(code, message);
    }
    this.#performer = performer;
    const applied = await applySteps(this.#parts, this.run, performer, {
      hold: () => (this.#onlyLooks ? Promise.resolve(true) : this.#holdSlot()),
      holdEveryMs: HOLD_EVERY_MS,
      yields: () => this.#makesWay(),
    });
    if ("wakeAtMs" in applied) return applied;
    if (this.#spec.operation === "drift_check") return this.#endCheck(applied);
    if (applied.settled === "canceled")
      return this.#end("CANCELED", "Canceled; what was done is kept.", [], {
        touched: applied.touched,
      });
    if (applied.settled === "failed") {
      const error = applied.error ?? { code: "internal", message: "A step failed." };
      return this.#end("FAILED", `Failed: ${error.message}`, [], { error, touched: true });
    }
    if (this.#spec.operation === "destroy")
      return this.#end("SUCCEEDED", "Destroyed.", [], { touched: true });
    return this.#end("SUCCEEDED", "Succeeded.", [], { touched: true });
  }

  /** A drift check never keeps a deployment waiting. */
  #makesWay(): boolean {
    return (
      this.#spec.operation === "drift_check" && this.#parts.store.othersWait(this.run.deploymentId)
    );
  }

  async #endCheck({ settled, error }: Extract<Applied, { settled: string }>): Promise<Next> {
    if (settled === "canceled")
      return this.#end(
        "CANCELED",
        this.run.canceling ? "Canceled." : "Canceled: a deployment of the instance came.",
      );
    const resources = await this.#parts.resources();
    const { changes, summary } = driftReport(resources.view);
    const report: Plan = {
      operation: "drift_check",
      stateSerial: resources.view.serial,
      summary,
      changes,
      steps: [],
    };
    const { stateSerial } = report;
    const found: Move = {
      deployment: { summary, stateSerial, planHash: await planHash(report) },
    };
    if (settled === "failed")
      return this.#end(
        "FAILED",
        `Failed: ${error?.message ?? "a resource could not be read"}`,
        [found],
        {
          error: error ?? { code: "internal", message: "A resource could not be read." },
          plan: report,
        },
      );
    const drifted = summary.update + summary.create;
    return drifted === 0
      ? this.#end("NO_CHANGES", "Everything is as it was applied.", [found], { plan: report })
      : this.#end(
          "SUCCEEDED",
          `${drifted} of ${changes.length} resources are not as they were applied. A deploy puts them back.`,
          [found],
          { plan: report },
        );
  }

  async #fail(
    code: string,
    message: string,
    before: Move[] = [],
    plan?: Plan,
    notes: Entry[] = [],
  ): Promise<Next> {
    return this.#end("FAILED", `Failed: ${message}`, before, {
      error: { code, message },
      touched: this.run.phase === "applying",
      notes,
      ...(plan === undefined ? {} : { plan }),
    });
  }

  /** The run's last commit. `touched`: something at the provider may have changed. */
  async #end(
    state: DeploymentState,
    message: string,
    before: Move[] = [],
    more: { error?: DeploymentError; plan?: Plan; notes?: Entry[]; touched?: boolean } = {},
  ): Promise<Next> {
    const checks = this.#spec.operation === "drift_check";
    const wasApplying = this.run.phase === "applying" && !checks;
    let error = more.error;
    let final = state;
    let outputs: RunOutputs | undefined;
    if (state === "SUCCEEDED" || state === "NO_CHANGES")
      try {
        if (!this.#onlyLooks) {
          await this.#keepOptions();
          outputs = await this.#outputs();
        }
      } catch (cause) {
        if (!(cause instanceof ResolveError || cause instanceof ProgramError)) throw cause;
        error = { code: cause.code, message: cause.message };
        final = "FAILED";
      }
    // Where nothing is left to change the instance is whole, whatever became of the runs before.
    const instanceState =
      wasApplying || (final === "NO_CHANGES" && !this.#onlyLooks)
        ? statusAfter(this.#spec.operation, this.#spec.instanceState, final, more.touched === true)
        : undefined;
    const destroyed = instanceState === "DESTROYED";
    const mended = final === "NO_CHANGES" && (this.#parts.store.fact("drift") ?? "") !== "";
    const drift =
      this.run.phase === "applying" || (mended && !this.#onlyLooks)
        ? await this.#driftNews(final)
        : undefined;
    const instance: Move["instance"] =
      this.#spec.operation === "plan"
        ? undefined
        : {
            stateSerial: this.#parts.store.serial(),
            ...(instanceState === undefined ? {} : { state: instanceState }),
            ...(outputs === undefined
              ? {}
              : {
                  outputs: outputs.shown,
                  secretOutputs: outputs.sealed,
                  outputHashes: outputs.hashes,
                }),
            ...(drift === undefined ? {} : { drift: drift.status }),
          };
    const instanceEvent = destroyed
      ? { id: this.#parts.newId(), type: "instance.destroyed" as const, data: this.#links() }
      : outputs !== undefined && outputs.changed.length > 0
        ? {
            id: this.#parts.newId(),
            type: "instance.outputs_changed" as const,
            data: { outputs: outputs.changed.slice(0, MAX_NAMED_OUTPUTS), ...this.#links() },
          }
        : undefined;
    const wakesReaders = this.#readersToWake(final, outputs);
    const level = final === "FAILED" ? ("error" as const) : ("info" as const);
    const last = final === state ? message : `Failed: ${error?.message ?? ""}`;
    await this.#commit([...(more.notes ?? []), { kind: "note", level, message: last }], () => {
      const from = this.run.canceling
        ? "CANCELING"
        : wasApplying || this.run.approved
          ? "APPLYING"
          : "PLANNING";
      outputs?.keep();
      if (drift !== undefined) this.#parts.store.setFact("drift", drift.findings);
      this.#project(
        [
          ...before,
          ...(drift?.event === undefined || destroyed ? [] : [this.#driftMove(drift.event)]),
          {
            state: final,
            deployment: { gateTicket: null, ...(error === undefined ? {} : { error }) },
            event: this.#event(
              eventName(final),
              from,
              final,
              error === undefined ? {} : { error: { ...error } },
            ),
            ...(instance === undefined ? {} : { instance }),
            ...(instanceEvent === undefined ? {} : { instanceEvent }),
            ...(wakesReaders === undefined ? {} : { wakesReaders }),
          },
        ],
        more.plan,
        this.#slot(),
      );
      close(this.run);
    });
    return "again";
  }

  /** Undefined: a check that was stopped has nothing to say against what was known before. */
  async #driftNews(final: DeploymentState): Promise<DriftNews | undefined> {
    const { view } = await this.#parts.resources();
    const sure = final === "SUCCEEDED" || final === "NO_CHANGES";
    const news = await driftNews(view, this.#parts.store.fact("drift") ?? "", sure);
    const stopped = this.#spec.operation === "drift_check" && final === "CANCELED";
    return stopped && news.status === "UNKNOWN" ? undefined : news;
  }

  #driftMove({ type, resources }: NonNullable<DriftNews["event"]>): Move {
    const id = this.#parts.newId();
    return { instance: {}, instanceEvent: { id, type, data: { resources, ...this.#links() } } };
  }

  // What a run needs to know

  /** Nothing is changed at the provider: no slot is needed. */
  get #onlyLooks(): boolean {
    return this.#spec.operation === "plan" || this.#spec.operation === "drift_check";
  }

  get #spec() {
    const { spec } = this.run;
    if (spec === null)
      throw new Error(`Run ${this.run.deploymentId} has no inputs in ${this.run.phase}`);
    return spec;
  }

  async #load(): Promise<Program> {
    this.#program ??= await Program.load(this.#parts, this.run, this.#spec);
    return this.#program;
  }

  async #adoptNames(program: Program): Promise<void> {
    const resources = await this.#parts.resources();
    const known = resources.view;
    const adopted = adoptAliases(known, program.template);
    if (adopted === known) return;
    const rename = await resources.rename(adopted);
    await this.#commit(
      [{ kind: "note", level: "info", message: "Took over renamed resources." }],
      rename,
    );
  }

  /**
   * Options that matter later (protect, retainOnDelete, the order of deletes) are kept even where nothing else
   * changed, and so is what somebody else had changed to what is desired by now.
   */
  async #keepOptions(): Promise<void> {
    if (this.#spec.operation === "destroy") return;
    const program = await this.#load();
    const resources = await this.#parts.resources();
    const puts: (() => void)[] = [];
    for (const stored of resources.view.current.values()) {
      const now = program.keptOptions(stored.name);
      if (now === undefined) continue;
      const resource = program.withoutWantedDrift(stored, resources.view);
      if (resource === stored && canonicalJson(now) === canonicalJson(keptOptionsOf(stored)))
        continue;
      try {
        puts.push(await resources.put({ ...resource, ...now }));
      } catch (error) {
        if (!(error instanceof ResourceTooLarge)) throw error;
        throw new ProgramError("state_too_large", `${stored.name}: ${error.message}`);
      }
    }
    if (puts.length > 0)
      await this.#commit([], () => {
        for (const put of puts) put();
      });
  }

  async #outputs(): Promise<RunOutputs> {
    const resources = await this.#parts.resources();
    const values =
      this.#spec.operation === "destroy" ? {} : (await this.#load()).outputs(resources.view);
    return runOutputs(this.#parts, this.run, values);
  }

  /** Whose triggers are to look at what this end left: those of the instances that read what changed, or hoped for it. */
  #readersToWake(final: DeploymentState, outputs: RunOutputs | undefined): Move["wakesReaders"] {
    const hops = (this.#spec.inputs.hops ?? 0) + 1;
    if (outputs !== undefined && outputs.changed.length > 0)
      return { outputs: outputs.changed, hops };
    const hoped = !this.#onlyLooks && this.#spec.operation !== "destroy";
    return final === "FAILED" && hoped ? { outputs: "all", hops } : undefined;
  }

  #needsApproval(plan: Plan): boolean {
    if (this.run.approved) return false;
    const { approvalMode } = this.#spec.inputs;
    return (
      approvalMode === "always" ||
      (approvalMode === "destructive" && plan.summary.delete + plan.summary.replace > 0)
    );
  }

  /** Why protection forbids this plan, if it does. */
  #keptFrom(plan: Plan): string | undefined {
    const { delete: deletes, replace } = plan.summary;
    if (this.#spec.inputs.instance.protectedFromDestroy && deletes + replace > 0)
      return "The instance is protected, and the plan deletes or replaces resources. Take the protection off first.";
    const names = protectedResources(plan, this.#parts.loadedResources(), this.#program?.template);
    if (names.length === 0) return undefined;
    return `The plan deletes or replaces protected resources: ${names.join(", ")}. Take \`protect\` off in a deployment of its own first.`;
  }

  // Slots

  async #askForSlot() {
    const { target } = this.#spec.inputs;
    // Who waits brings the newest word, should the one that changed it not have been heard.
    const size =
      (this.run.ticket !== null && (await currentSize(this.#parts.db, target))) || target;
    const nowMs = this.#parts.now();
    const answer = await this.#parts.gate(target.id).acquire({
      deploymentId: this.run.deploymentId,
      instanceId: this.run.instanceId,
      capacity: size.maxConcurrentDeployments,
      targetVersion: size.version ?? 0,
      now: nowMs,
    });
    this.#heldAtMs = answer.granted ? nowMs : 0;
    return answer;
  }

  /** The slot is ours still. A runner that lost its memory asks before anything else: it may have been dead for long. */
  async #holdSlot(): Promise<boolean> {
    if (this.#parts.now() - this.#heldAtMs < HOLD_EVERY_MS) return true;
    return (await this.#askForSlot()).granted;
  }

  /** What the run may hold at its target's gate. */
  #slot(): Projection["slot"] {
    const { spec } = this.run;
    if (spec === null || this.#onlyLooks) return undefined;
    const { target } = spec.inputs;
    return { targetId: target.id };
  }

  // Commits

  async #commit(notes: readonly Entry[], change: () => void): Promise<void> {
    await this.#parts.commit(() => {
      for (const note of notes) this.#parts.append(this.run.deploymentId, null, note);
      change();
      this.#parts.store.saveRun(this.run);
    });
  }

  /** `slot`: no longer needed when D1 has this. */
  #project(moves: Move[], plan?: Plan, slot?: Projection["slot"]): void {
    this.run.projected += 1;
    const trace = this.run.spec?.inputs.trace;
    const projection: Projection = {
      deploymentId: this.run.deploymentId,
      tenantId: this.run.tenantId,
      instanceId: this.run.instanceId,
      number: this.run.projected,
      atMs: this.#parts.now(),
      moves,
      ...(plan === undefined ? {} : { plan: plan.changes }),
      ...(slot === undefined ? {} : { slot }),
      ...(trace === undefined ? {} : { trace }),
    };
    this.#parts.store.addProjection(projection);
  }

  #event(
    verb: string,
    previousState: DeploymentState,
    state: DeploymentState,
    data: JsonMap = {},
  ): NonNullable<Move["event"]> {
    return {
      id: this.#parts.newId(),
      type: `deployment.${verb}` as NonNullable<Move["event"]>["type"],
      data: { operation: this.#spec.operation, previousState, state, ...data, ...this.#links() },
    };
  }

  #links(): JsonMap {
    return {
      deploymentUrl: `/api/v1/deployments/${this.run.deploymentId}`,
      instanceUrl: `/api/v1/instances/${this.run.instanceId}`,
    };
  }
}

function keptOptionsOf(stored: {
  protect: boolean;
  retainOnDelete: boolean;
  dependsOn: readonly string[];
}) {
  const { protect, retainOnDelete, dependsOn } = stored;
  return { protect, retainOnDelete, dependsOn: [...dependsOn] };
}

function inWords({ summary }: Plan): string {
  const parts = (["create", "update", "replace", "delete"] as const)
    .filter((action) => summary[action] > 0)
    .map((action) => `${summary[action]} to ${action}`);
  return [...parts, `${summary.unchanged} unchanged`].join(", ");
}

function eventName(state: DeploymentState): string {
  return state.toLowerCase();
}
