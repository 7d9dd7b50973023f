/**
 * Takes one run through its phases: wait for a slot, plan, wait for approval if needed, apply, end. Each turn reads the
 * phase, does one thing, and commits the next phase. No state is in memory only, so a restarted runner continues from
 * the stored phase.
 */
import type { Plan } from "#engine/plan/steps.ts";
import type { CallShare, UsedShare } from "#orchestrator/gate/call-share.ts";
import { endingNote } from "#orchestrator/log/narrate.ts";
import { CredentialUnreachable } from "#orchestrator/program/credential-unreachable.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { applySteps, type StepsEnd } from "#orchestrator/steps/apply-steps.ts";
import { AccountRefused, leaveEmptyAccount } from "#orchestrator/steps/instance-account.ts";
import { WaitsForCalls } from "#orchestrator/steps/object-reads.ts";
import { StepExecutor } from "#orchestrator/steps/step-executor.ts";
import { StepRecords } from "#orchestrator/steps/step-records.ts";
import { keepUnfinished } from "#orchestrator/steps/stop-steps.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { close, type Run, type RunSpec } from "#orchestrator/storage/run.ts";
import { APPROVAL_MS } from "#schema/lists/approval-time.ts";
import { faultOf } from "#schema/lists/deployment-faults.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import { canceled, cancelMove } from "./cancel-run.ts";
import { endOfCheck } from "./end-check.ts";
import { type Ending, endRun, failure } from "./end-run.ts";
import { endStopped } from "./end-stopped.ts";
import { type StandingInD1, standingInD1 } from "./end-waiting.ts";
import { statusWhileApplying } from "./instance-status.ts";
import { interruptionNote } from "./interruption.ts";
import { loadRun } from "./load-run.ts";
import { OpenRun } from "./open-run.ts";
import {
  instanceProtectionProblem,
  type Planned,
  planRun,
  staysAsPlanned,
  targetGone,
} from "./plan-run.ts";
import { prepareRenaming } from "./rename-resources.ts";
import { RunStops } from "./run-stops.ts";
import { strictestSafeguards } from "./strictest-safeguards.ts";

/** A run that sleeps longer returns the calls of its rate budget. */
const RETURN_CALLS_MS = 5_000;
/** A shorter wait for the rate limit gets no line in the log. */
const TOLD_WAIT_MS = 5_000;

type CallWait = NonNullable<CallShare["wait"]>;

/** `again`: the run can continue now. Otherwise no work is due before `wakeAtMs`. */
export type Next = "again" | { wakeAtMs: number };

/** Interval at which a waiting run asks for a slot again, in case the gate's notification is lost. */
const ASK_AGAIN_MS = 15_000;
/** Maximum delay between two attempts to read a credential; the first is 1 s, and each doubles. */
const CREDENTIAL_MAX_MS = 20_000;

export class RunInProgress {
  readonly run: Run;
  readonly #parts: RunnerParts;
  readonly #open: OpenRun;
  #executor: StepExecutor | undefined;
  /** The phase that began in this life of the runner. Any other began in an earlier life. */
  #began: RunPhase | undefined;
  /** The log says that the run waits for the cloud's rate limit. */
  #waitsForRate = false;
  /** Consecutive attempts to read the credential that did not reach its store. */
  #unreached = 0;

  constructor(parts: RunnerParts, run: Run) {
    this.run = run;
    this.#parts = parts;
    this.#open = new OpenRun(parts, run);
  }

  async advance(): Promise<Next> {
    try {
      const next = await this.#advance();
      this.#unreached = 0;
      return next;
    } catch (error) {
      if (error instanceof WaitsForCalls) return this.#waitForCalls(error.wait);
      if (!(error instanceof CredentialUnreachable)) throw error;
      if (this.run.canceling && this.run.phase === "applying") return this.#cancelUnread();
      return this.#waitForCredential(error.message);
    }
  }

  /** The run keeps its slot during the wait. The gate gives it calls again after an hour at most. */
  async #waitForCalls(wait: CallWait): Promise<Next> {
    const { slot } = this.#open;
    await this.#tellWait(wait);
    await slot.renew();
    return { wakeAtMs: this.#parts.now() + Math.min(wait.forMs, slot.renewEveryMs) };
  }

  /** The run keeps its slot during the wait, because it has already waited its turn. */
  async #waitForCredential(why: string): Promise<Next> {
    if (this.#unreached === 0) {
      const line = `Waiting for the target's credential. ${why} The request is repeated.`;
      await this.#open.writer.commit([note(line, "warn")], () => {});
    }
    await this.#open.slot.renew();
    this.#unreached += 1;
    const delayMs = Math.min(CREDENTIAL_MAX_MS, 500 * 2 ** this.#unreached);
    return { wakeAtMs: this.#parts.now() + delayMs };
  }

  async #advance(): Promise<Next> {
    if (this.run.canceling) {
      const move = cancelMove(this.run);
      if (move.kind === "ends") return this.#end(move.ending);
      if (move.kind === "closes") return this.#closeCanceled();
    }
    switch (this.run.phase) {
      case "waiting":
        return this.#load();
      case "gate":
        return this.#acquireSlot();
      case "planning":
        return this.#plan();
      case "applying":
        return this.#apply();
      case "parked":
      case "closed":
        return "again";
    }
  }

  /**
   * Renews the lease of the slot or of the place in the queue, so that a run that cannot continue now (D1 is
   * unreachable) keeps its turn. False: the run has neither.
   */
  async keepSlot(): Promise<boolean> {
    const { phase, canceling } = this.run;
    const waits = phase === "gate" && !canceling;
    const works = phase === "planning" || phase === "applying";
    if (!(waits || works) || this.#open.readOnly) return false;
    await this.#open.slot.acquire();
    return true;
  }

  /** Closes a run whose deployment ended before it started (`ended`: its end) or no longer exists. */
  async drop(ended: StandingInD1 | undefined): Promise<void> {
    // Release before the commit. A crash between the two repeats both, so no slot waits for its lease to lapse.
    const slot = this.#open.slot.held();
    if (slot !== undefined) await this.#parts.release(slot.targetId, this.run.deploymentId);
    await this.#open.writer.commit([note(endingNote(ended))], () => {
      if (ended !== undefined && isFinal(ended.state))
        this.#parts.store.endInD1(this.run, { state: ended.state, atMs: this.#parts.now() });
      close(this.run);
    });
  }

  async #load(): Promise<Next> {
    const { spec, ...found } = await loadRun(this.#parts.db, this.run);
    if (spec === undefined) {
      await this.drop("standing" in found ? found.standing : undefined);
      return "again";
    }
    if ("missing" in found) return this.#cancelUnstartable(spec, found.missing);
    await this.#open.writer.commit([], () => {
      this.run.spec = spec;
      this.run.phase = "gate";
    });
    return "again";
  }

  /** Cancels a run that can never start, with the reason. */
  async #cancelUnstartable(spec: RunSpec, missing: "instance" | "target"): Promise<Next> {
    const { writer } = this.#open;
    const code = `${missing}_gone`;
    const message =
      missing === "instance" ? "The instance no longer exists." : "The target no longer exists.";
    await writer.commit([note(`Canceled before it started: ${message}`, "error")], () => {
      this.run.spec = spec;
      writer.project([
        {
          ifQueued: true,
          state: "CANCELED",
          deployment: { gateTicket: null, error: { code, message, fault: faultOf({ code }) } },
          event: writer.event("canceled", "QUEUED", "CANCELED"),
        },
      ]);
      close(this.run);
    });
    return "again";
  }

  /** Closes a run that waits for a slot, as D1 says. */
  async #closeCanceled(): Promise<Next> {
    const standing = await standingInD1(this.#parts.db, this.run);
    // D1 was restored to a moment before the cancel: its row is compared with this end.
    const isQueued = standing?.state === "QUEUED";
    await this.drop(isQueued ? { state: "CANCELED", error: null } : standing);
    return "again";
  }

  async #acquireSlot(): Promise<Next> {
    const { spec, slot, writer } = this.#open;
    const answer = await slot.acquire();
    if (!answer.granted) {
      const { ticket } = answer;
      const { name } = spec.inputs.target;
      const why = slot.isShared
        ? ". Tenants that share this target take turns, and none gets all of several slots."
        : ": all slots are in use.";
      const waits = `Waiting for a slot on ${name}${why}`;
      if (this.run.ticket === ticket) await slot.sendCapacity();
      else
        await writer.commit([note(waits)], () => {
          this.run.ticket = ticket;
          // An approved deployment is no longer QUEUED and shows no place in the queue.
          if (!this.run.approved)
            writer.project([{ ifQueued: true, deployment: { gateTicket: ticket } }]);
        });
      return { wakeAtMs: this.#parts.now() + ASK_AGAIN_MS };
    }
    if (this.run.approved) return this.#startApproved();
    this.#began = "planning";
    await writer.commit([note("Started.")], () => {
      this.run.phase = "planning";
      writer.project([
        {
          ifQueued: true,
          state: "PLANNING",
          deployment: { gateTicket: null },
          event: writer.event("started", "QUEUED", "PLANNING"),
          instance: { lastDeploymentId: this.run.deploymentId },
        },
      ]);
    });
    return "again";
  }

  async #startApproved(): Promise<Next> {
    const { view } = await this.#parts.resources();
    if (view.serial !== this.run.plan?.stateSerial)
      return this.#end(
        failure({
          code: "stale_plan",
          message: "The instance changed after the plan was made. Plan again.",
        }),
      );
    // A failure here comes before anything is applied. From the commit of `applying` on, the run continues.
    const safeguards = await strictestSafeguards(this.#parts.db, this.run);
    const { limits } = safeguards;
    const refusal =
      limits === undefined
        ? targetGone
        : instanceProtectionProblem(this.#open, safeguards, this.run.plan);
    if (refusal !== undefined) return this.#end(failure(refusal));
    const narrowed = limits !== undefined && this.#open.narrow(limits);
    return (await this.#requireAsPlanned(narrowed)) ?? this.#beginApplying();
  }

  /**
   * Only the approved plan may run: its reads with `get` must be unchanged, and the target must still allow it.
   * Undefined: both hold.
   */
  async #requireAsPlanned(narrowed: boolean): Promise<Next | undefined> {
    const stays = await staysAsPlanned(this.#open, narrowed);
    if (stays === true) return undefined;
    if (stays !== false)
      return stays.kind === "ends" ? this.#end(stays.ending) : this.#tryLater(stays);
    return this.#end(
      failure({
        code: "stale_plan",
        message:
          "An object that the template reads with `get` changed after the plan was made. Plan again.",
      }),
    );
  }

  async #plan(): Promise<Next> {
    if (this.#began !== "planning") {
      this.#began = "planning";
      const sinceMs = this.#parts.store.journal.lastAtMs(this.run.deploymentId);
      await this.#open.writer.commit([interruptionNote(sinceMs, this.#parts.now())], () => {});
    }
    const planned = await planRun(this.#open);
    // Other runs can now use the rest of the calls that planning took.
    if (planned.kind === "ends" || planned.kind === "waits") await this.#open.slot.returnCalls();
    switch (planned.kind) {
      case "ends":
        return this.#end(planned.ending);
      case "retries":
        return this.#tryLater(planned);
      case "reads":
        return this.#beginReading(planned.plan);
      case "waits":
        return this.#park(planned);
      case "applies":
        return this.#beginApplying(planned);
    }
  }

  async #tryLater({ message, afterMs }: Extract<Planned, { kind: "retries" }>): Promise<Next> {
    if (this.run.canceling) return "again";
    await this.#open.slot.renew();
    const line = `${message}. Trying again in ${Math.ceil(afterMs / 1000)} s.`;
    await this.#open.writer.commit([note(line, "warn")], () => {});
    return { wakeAtMs: this.#parts.now() + afterMs };
  }

  async #park({
    plan,
    planned,
    lines,
    properties,
  }: Extract<Planned, { planned: Move }>): Promise<Next> {
    const { spec, slot, writer } = this.#open;
    await writer.commit([...lines, note("Waiting for approval.")], () => {
      this.run.phase = "parked";
      this.run.plan = plan;
      spec.approveUntilMs = this.#parts.now() + APPROVAL_MS;
      if (properties !== undefined) spec.plannedProperties = properties;
      const event = writer.event("approval_required", "PLANNING", "AWAITING_APPROVAL");
      writer.project([planned, { state: "AWAITING_APPROVAL", event }], {
        plan,
        slot: slot.held(),
      });
    });
    return "again";
  }

  /** `made`: the plan, if D1 does not have it yet. */
  async #beginApplying(made?: { plan: Plan; planned: Move; lines: Entry[] }): Promise<Next> {
    const { spec, writer } = this.#open;
    this.#began = "applying";
    const renaming = await prepareRenaming(this.#open);
    const lines = [...(made?.lines ?? []), ...(renaming?.lines ?? []), note("Applying.")];
    const { view } = await this.#parts.resources();
    await writer.commit(lines, () => {
      leaveEmptyAccount(this.#parts.store, view);
      renaming?.store();
      this.run.phase = "applying";
      if (made !== undefined) this.run.plan = made.plan;
      // The approval has moved the deployment to APPLYING already.
      const from = this.run.approved ? "APPLYING" : "PLANNING";
      const state = statusWhileApplying(spec.operation, spec.instanceState);
      writer.project(
        [
          ...(made === undefined ? [] : [made.planned]),
          {
            state: "APPLYING",
            event: writer.event("applying", from, "APPLYING"),
            instance: { state },
          },
        ],
        { plan: made?.plan },
      );
    });
    return "again";
  }

  /** The deployment stays PLANNING in D1, because nothing is applied. */
  async #beginReading(plan: Plan): Promise<Next> {
    this.#began = "applying";
    const reading = `Reading ${plan.steps.length} resources at the provider.`;
    await this.#open.writer.commit([note(reading)], () => {
      this.run.phase = "applying";
      this.run.plan = plan;
    });
    return "again";
  }

  async #apply(): Promise<Next> {
    const { slot } = this.#open;
    let executor = this.#executor;
    try {
      executor ??= new StepExecutor({
        parts: this.#parts,
        run: this.run,
        program: await this.#open.program(),
        account: await this.#open.account(),
        resources: await this.#parts.resources(),
        claims: this.#open.claims,
        calls: slot.calls,
        reads: await this.#open.reads(),
      });
    } catch (error) {
      // Planning could load the program, but the service has changed since: end the run instead of retrying.
      if (!(error instanceof ProgramError)) throw error;
      return this.#endUnfinished(error);
    }
    if (this.#executor === undefined) await this.#resume(executor);
    this.#executor = executor;
    let applied: Awaited<ReturnType<typeof applySteps>>;
    try {
      applied = await applySteps(this.#parts, this.run, executor, {
        renew: () => slot.renew(),
        renewEveryMs: slot.renewEveryMs,
        calls: slot.calls,
        share: () => this.#shareCalls(),
        yields: () => this.#yields(),
      });
    } catch (error) {
      if (!(error instanceof AccountRefused)) throw error;
      return this.#endUnfinished(error, executor.touched);
    }
    const sleeps = "wakeAtMs" in applied && applied.wakeAtMs - this.#parts.now() > RETURN_CALLS_MS;
    if (sleeps || !("wakeAtMs" in applied)) await slot.returnCalls();
    if ("wakeAtMs" in applied) return applied;
    return this.#endApplied(applied);
  }

  async #endApplied(applied: StepsEnd): Promise<Next> {
    const checks = this.#open.spec.operation === "drift_check";
    return this.#end(checks ? await endOfCheck(this.#open, applied) : this.#endOfSteps(applied));
  }

  /** Ends a run whose open steps cannot continue. Their possible effects stay in the state. */
  async #endUnfinished(error: ProgramError, touched = true): Promise<Next> {
    const why = { code: error.code, message: error.message };
    const fault = error instanceof AccountRefused ? error.fault : undefined;
    await keepUnfinished(this.#parts, this.run, await this.#parts.resources(), why);
    return this.#end({ ...failure({ ...why, ...(fault && { fault }) }), touched });
  }

  /** Ends a canceled run whose credential cannot be read. The possible effects of its open steps stay in the state. */
  async #cancelUnread(): Promise<Next> {
    await keepUnfinished(this.#parts, this.run, await this.#parts.resources(), "canceled");
    const { touched, firstError } = new StepRecords(this.#parts, this.run.deploymentId);
    return this.#endApplied(
      firstError === undefined
        ? { end: "canceled", touched }
        : { end: "failed", touched, error: firstError },
    );
  }

  /** Resumes the steps, which an earlier life of the runner may have begun. */
  async #resume({ stalledSinceMs }: StepExecutor): Promise<void> {
    await this.#open.claims.resume((await this.#parts.resources()).view);
    if (this.#began === "applying" || stalledSinceMs === undefined) return;
    const line = interruptionNote(stalledSinceMs, this.#parts.now());
    await this.#open.writer.commit([line], () => {});
  }

  async #shareCalls(): Promise<void> {
    const wait = await this.#open.slot.share();
    if (wait?.for === "rate") await this.#tellWait(wait);
    else this.#waitsForRate = false;
  }

  /** Logs once the reason why the run makes no calls for a while. */
  async #tellWait(wait: CallWait): Promise<void> {
    const { spec, writer } = this.#open;
    if (this.#waitsForRate || wait.for !== "rate" || wait.forMs < TOLD_WAIT_MS) return;
    this.#waitsForRate = true;
    const { provider, name } = spec.inputs.target;
    const seconds = Math.ceil(wait.forMs / 1000);
    const line = `Waiting up to ${seconds} s: ${provider} takes no more calls for the target ${name} now.`;
    await writer.commit([note(line, "warn")], () => {});
  }

  /** Returns the run's share of calls to the gate. */
  recallCalls(): UsedShare {
    return this.#open.slot.calls.giveUp();
  }

  /** A drift check gives way to a waiting deployment. */
  #yields(): boolean {
    return (
      this.#open.spec.operation === "drift_check" &&
      this.#parts.store.runs.othersWait(this.run.deploymentId)
    );
  }

  #endOfSteps({ end, touched, error }: StepsEnd): Ending {
    switch (end) {
      case "canceled":
        return {
          ...canceled(
            "Canceled. The completed steps are kept, and what was begun is in the instance's resources.",
          ),
          touched,
        };
      case "failed":
        return {
          ...failure(error ?? { code: "internal", message: "A step failed." }),
          touched: true,
        };
      case "succeeded": {
        const destroys = this.#open.spec.operation === "destroy";
        const message = destroys ? "Destroyed." : "Succeeded.";
        return { state: "SUCCEEDED", message, touched: true };
      }
    }
  }

  async #end(ending: Ending): Promise<Next> {
    const stop = new RunStops(this.#parts).of(this.run.deploymentId);
    if (stop === undefined) await endRun(this.#open, ending);
    else {
      await endStopped(this.#parts, this.run.deploymentId, stop);
      close(this.run);
    }
    return "again";
  }
}
