/**
 * Runs the deployments of one instance. One object per instance, and only this object changes the instance's
 * resources. Its storage holds the resource state, the deployments and their journals in one transactional store, so
 * deployments of an instance run one after the other without a separate lock.
 *
 * Guarantee: every run that this object was notified of reaches an end, and then the cloud, the state and D1 agree. A
 * run that keeps failing at the same point ends too. Objects that may exist in the cloud then stay in the state
 * (RunStops).
 *
 * All work happens in the alarm, which is set again before each turn. If this object dies at any point, the alarm
 * starts it again (or the sweep does, if the alarm was lost), and it resumes from the journal. An intent is on disk
 * before its call is sent. An outcome and the resulting change of state are one commit. Projections to D1 are stored
 * in the same commits, repeated until D1 has them, and kept: D1 may be restored to an earlier time. Duplicate, early
 * and needless notifications are safe.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import type { UsedShare } from "#orchestrator/gate/call-share.ts";
import { PLACE_LEASE_MS } from "#orchestrator/gate/place-lease.ts";
import type { LogEntry } from "#orchestrator/log/narrate.ts";
import { type LogPage, type LogQuery, RunLog } from "#orchestrator/log/run-log.ts";
import { notifyDue } from "#orchestrator/projection/notify-due.ts";
import { endStopped } from "#orchestrator/run/end-stopped.ts";
import type { StandingInD1 } from "#orchestrator/run/end-waiting.ts";
import { type Next, RunInProgress } from "#orchestrator/run/run-in-progress.ts";
import { RunStops } from "#orchestrator/run/run-stops.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import { type Sealer, sealerFrom } from "#platform/crypto/seal.ts";
import { type Db, openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { outside, outsideObject } from "#platform/outside.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import { LoadedResources } from "./loaded-resources.ts";
import { noteEnd } from "./note-end.ts";
import { Projector, type Reconciliation } from "./projector.ts";
import { type ResourceSummary, summarizeResources } from "./resource-summary.ts";
import { WaitingRuns } from "./waiting-runs.ts";

/** If the runner dies, its alarm starts it again within this time. */
const LEASE_MS = 30_000;
/** Maximum delay after an internal error, for example when D1 is unavailable. Starts at 1 s and doubles. */
const FAULT_MAX_MS = 60_000;
/** The maximum delay of a run that has a slot or a place in the queue, whose lease it must renew meanwhile. */
const FAULT_MAX_WITH_SLOT_MS = PLACE_LEASE_MS / 3;

/** A free-running object wakes at most this often. */
const PRUNE_EVERY_MS = 24 * 60 * 60 * 1000;
/** Maximum steps of one pruning. */
const PRUNE_STEPS = 10;

/** The content of a notification: the ids of a deployment. */
export interface RunRef {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
}

/** `nextTurnAtMs` null: no alarm is set. `faults`: consecutive faults at the run's present point. */
export interface RunStanding {
  phase: RunPhase | null;
  nextTurnAtMs: number | null;
  faults: number;
  lastProblem: LogEntry | null;
}

export class InstanceRunner extends DurableObject<Bindings> {
  readonly #store: RunnerStore;
  readonly #parts: RunnerParts;
  readonly #resources: LoadedResources;
  readonly #waiting: WaitingRuns;
  readonly #log: RunLog;
  readonly #stops: RunStops;
  readonly #projector: Projector;
  /** The run in progress, kept in memory from one turn to the next. */
  #current: RunInProgress | undefined;
  /** The run in progress. A fault is counted as its own. */
  #advancing: string | undefined;
  #working = false;
  #notified = false;
  #faults = 0;
  /** Set by fault tests only: called before and after every commit of a run, with the number of the commit. */
  crashPoint: ((when: "before" | "after", commit: number) => void | Promise<void>) | undefined;
  #commits = 0;
  /** Epoch milliseconds. A field, so that tests can change the time. */
  now: () => number = Date.now;
  // Seam for several databases (docs/operations.md, "Past one database"): the database of the run's tenant.
  /** A field, so that tests can make it fail. */
  db: Db = openDb(this.env.DB);

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#store = new RunnerStore(state.storage, (id, ending) => noteEnd(this.#parts, id, ending));
    this.#parts = this.#makeParts();
    this.#resources = new LoadedResources(this.#store, this.#parts);
    this.#waiting = new WaitingRuns(this.#parts, {
      cancel: (id) => this.#markCanceling(id),
      suspect: (id) => this.#projector.suspect(id),
    });
    this.#projector = new Projector(this.#parts, {
      rejected: (id, ended) => this.#drop(id, ended),
      canceling: (id) => this.#markCanceling(id),
      notify: (due) => this.#notifyDue(due),
      changed: () => this.#log.notifyReaders(),
    });
    this.#log = new RunLog(this.#store, (id) => this.#refresh(id));
    this.#stops = new RunStops(this.#parts);
    // An open run always has an alarm. If the alarm was lost, any request to this object sets it again. An alarm that
    // is set is not moved: it may be due now, and a move would delay its work.
    const armAtMs = this.#store.hasWork() ? Date.now() + LEASE_MS : this.#pruneAtMs();
    if (armAtMs !== undefined) void state.blockConcurrencyWhile(() => this.#armAt(armAtMs));
  }

  /**
   * Announces that a deployment is new, or that its state in D1 changed (approved, discarded, superseded). Safe to
   * repeat at any time: the state itself is read from D1. `seen`: the number of projections that D1 has. True: the run
   * is closed and D1 has every projection, so no work is left.
   */
  async notify(message: RunRef, seen?: { projected: number }): Promise<boolean> {
    const { deploymentId } = message;
    await this.#addRun(message, 1);
    const known = this.#store.snapshots.get(deploymentId);
    if (known !== undefined && seen !== undefined && seen.projected < known.acked)
      this.#projector.suspect(deploymentId);
    await this.#refresh(deploymentId);
    await this.wake();
    return this.#store.isOver(message.deploymentId);
  }

  /** Compares all snapshots that this object keeps with D1, and writes missing rows again; with `dryRun` none. */
  async reconcile({ dryRun = false } = {}): Promise<Reconciliation> {
    const reconciled = await this.#projector.reconcile({ dryRun });
    // D1 may have ended or canceled a run.
    if (!dryRun && this.#store.hasWork()) await this.wake();
    return reconciled;
  }

  /** As `reconcile`. True: a run is open. D1 may not show it, so no other sweep would reach it. */
  async followRestore(): Promise<boolean> {
    await this.reconcile();
    return this.#store.hasWork();
  }

  /** Sets the alarm first: a stored run without an alarm would wait forever. */
  async #addRun(message: RunRef, alarmInMs = LEASE_MS): Promise<void> {
    await this.#armAt(Date.now() + alarmInMs);
    const { runs, snapshots } = this.#store;
    // A run that has ended is not added again, unless D1 shows it as open.
    if (runs.phaseOf(message.deploymentId) === "closed" || snapshots.hasEnded(message.deploymentId))
      this.#projector.suspect(message.deploymentId);
    else runs.add(message);
  }

  /** Makes the runner check for work. */
  async wake(): Promise<void> {
    this.#notified = true;
    if (!this.#working) await this.#armAt(Date.now() + 1);
  }

  /** Cancels a deployment: no new step starts. D1 already says CANCELING when this is called. */
  async cancel(message: RunRef): Promise<void> {
    await this.#addRun(message);
    await this.#markCanceling(message.deploymentId);
    await this.wake();
  }

  /**
   * Ends the run now, whatever its phase and even if it is unreadable. Calls in flight are awaited, and no other call
   * is made. D1 already says FAILED when this is called. True: the run is closed and D1 has every projection, so no
   * work is left.
   */
  async abandon({ message, ...run }: RunRef & { message: string }): Promise<boolean> {
    await this.#addRun(run);
    await this.#abandon(run.deploymentId, message);
    await this.wake();
    return this.#store.isOver(run.deploymentId);
  }

  /** Returns a share of calls to the target's gate. Null: this runner makes no calls for the deployment. */
  async recallCalls(deploymentId: string): Promise<UsedShare | null> {
    const current = this.#current;
    return current?.run.deploymentId === deploymentId ? current.recallCalls() : null;
  }

  /** A page of a deployment's log. */
  async readLog(deploymentId: string, afterSeq: number, query: LogQuery = {}): Promise<LogPage> {
    return this.#log.read(deploymentId, afterSeq, query);
  }

  /** The standing of a run, for operators. Changes nothing and wakes nothing. */
  async standingOf(deploymentId: string): Promise<RunStanding> {
    return {
      phase: this.#store.runs.phaseOf(deploymentId) ?? null,
      nextTurnAtMs: await this.ctx.storage.getAlarm(),
      faults: this.#stops.faultsOf(deploymentId),
      lastProblem: this.#log.lastProblem(deploymentId) ?? null,
    };
  }

  /** Waits up to `waitMs` until D1 shows that the deployment has ended or waits for approval. False: the time is up. */
  async untilEnded(deploymentId: string, waitMs: number): Promise<boolean> {
    return this.#log.untilEnded(deploymentId, waitMs);
  }

  async listResources(): Promise<ResourceSummary[]> {
    return summarizeResources(this.#store);
  }

  override async alarm(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    let wakeAtMs: number | undefined;
    try {
      await this.#armLease();
      wakeAtMs = await this.#work();
      this.#faults = 0;
    } catch (error) {
      // Memory may now differ from storage: discard it.
      this.#forget();
      this.#faults += 1;
      const isOver = await this.#countFault(error);
      const maxMs = (await this.#keepSlot()) ? FAULT_MAX_WITH_SLOT_MS : FAULT_MAX_MS;
      const delayMs = isOver ? 0 : Math.min(maxMs, 500 * 2 ** this.#faults);
      log("error", "A run was interrupted; it resumes after a delay", {
        runner: this.ctx.id.name ?? this.ctx.id.toString(),
        delayMs,
        error: describeError(error),
      });
      wakeAtMs = Date.now() + delayMs;
    } finally {
      this.#working = false;
    }
    // A run that was added while this turn ended has set its own alarm.
    if (wakeAtMs !== undefined) await this.ctx.storage.setAlarm(Math.max(wakeAtMs, Date.now() + 1));
    else if (!this.#store.hasWork()) await this.ctx.storage.deleteAlarm();
    if (this.#notified) await this.#armAt(Date.now() + 1);
  }

  /** Advances runs until none can advance. Returns the time of the next wake; undefined: no work is left. */
  async #work(): Promise<number | undefined> {
    for (;;) {
      this.#notified = false;
      await this.#projector.flush();
      await this.#waiting.endOutdated((deliveries) => this.#notifyDue({ deliveries }));
      const id = this.#store.runs.nextId();
      if (id === undefined) {
        for (let steps = 0; steps < PRUNE_STEPS && this.#store.prune(this.now()); steps += 1);
        return earlier(this.#store.runs.parkedUntilMs(), this.#pruneAtMs());
      }
      const next = await this.#advance(id);
      if (next !== "again" && !this.#notified) {
        await this.#projector.flush();
        // The answer from D1 may have ended the run, so the next one can start.
        if (!this.#notified && this.#store.runs.nextId() === id) return next.wakeAtMs;
      }
    }
  }

  /** Renews the slot or the place of the next run after a fault. False: it has neither. Never throws. */
  async #keepSlot(): Promise<boolean> {
    try {
      const id = this.#store.runs.nextId();
      return id !== undefined && (await this.#inProgress(id)?.keepSlot()) === true;
    } catch (error) {
      log("warn", "A slot could not be renewed; the run asks again", {
        runner: this.ctx.id.name ?? this.ctx.id.toString(),
        error: describeError(error),
      });
      return true;
    }
  }

  async #advance(id: string): Promise<Next> {
    this.#advancing = id;
    const stop = this.#stops.of(id);
    if (stop !== undefined) {
      this.#forget();
      await endStopped(this.#parts, id, stop);
      this.#advancing = undefined;
      return "again";
    }
    const current = this.#inProgress(id);
    if (current === undefined) throw new Error(`The run ${id} is not in the store`);
    this.#current = current;
    const next = await current.advance();
    this.#advancing = undefined;
    if (current.run.phase === "closed" || current.run.phase === "parked") this.#current = undefined;
    return next;
  }

  /** True: the run must end now. Never throws: a fault that cannot be counted now is counted the next time. */
  async #countFault(error: unknown): Promise<boolean> {
    const id = this.#advancing;
    this.#advancing = undefined;
    try {
      return id !== undefined && (await this.#stops.count(id, error));
    } catch (failed) {
      log("warn", "A fault could not be counted", { error: describeError(failed) });
      return false;
    }
  }

  #inProgress(deploymentId: string): RunInProgress | undefined {
    if (this.#current?.run.deploymentId === deploymentId) return this.#current;
    const run = this.#store.runs.get(deploymentId);
    return run && new RunInProgress(this.#parts, run);
  }

  /** The time at which the oldest log can be removed, at least a day ahead; undefined: there is no log. */
  #pruneAtMs(): number | undefined {
    const dueAtMs = this.#store.pruneAtMs();
    return dueAtMs === undefined ? undefined : Math.max(dueAtMs, this.now() + PRUNE_EVERY_MS);
  }

  /** Follows D1, in which the deployment has ended or is missing. */
  async #drop(deploymentId: string, ended: StandingInD1 | undefined): Promise<void> {
    // The run may already apply: its end tells the state of the instance.
    if (ended?.state === "FAILED")
      return this.#abandon(deploymentId, ended.error?.message ?? "An operator abandoned it.");
    const dropped = this.#inProgress(deploymentId);
    if (dropped !== undefined && dropped.run.phase !== "closed") await dropped.drop(ended);
    if (this.#current === dropped) this.#current = undefined;
  }

  #notifyDue(due: Parameters<typeof notifyDue>[1]): void {
    this.ctx.waitUntil(notifyDue(this.env, due));
  }

  /** Applies the state in D1 to a waiting run. False: the run does not wait, or nothing changed. */
  async #refresh(deploymentId: string): Promise<boolean> {
    const changed = await this.#waiting.refresh(deploymentId);
    if (changed) await this.wake();
    return changed;
  }

  /** Marks a run as canceling. False: it has ended, or is marked already. */
  async #markCanceling(deploymentId: string): Promise<boolean> {
    if (!this.#store.runs.isToCancel(deploymentId)) return false;
    let marked = false;
    await this.#commit(() => {
      marked = this.#store.runs.markCanceling(deploymentId);
      if (marked) this.#follow(deploymentId);
    });
    return marked;
  }

  async #abandon(deploymentId: string, message: string): Promise<void> {
    if (await this.#stops.abandon(deploymentId, message)) this.#follow(deploymentId);
  }

  /** Copies the mark from storage to the run in memory, which the next commit saves. */
  #follow(deploymentId: string): void {
    if (this.#current?.run.deploymentId === deploymentId) this.#current.run.canceling = true;
    this.#notified = true;
  }

  #makeParts(): RunnerParts {
    const { env } = this;
    const db = (): Db => this.db;
    let sealer: Sealer | undefined;
    return {
      env,
      get db() {
        return db();
      },
      store: this.#store,
      get sealer() {
        sealer ??= sealerFrom(env.SEALING_KEYS);
        return sealer;
      },
      now: () => this.now(),
      newId,
      random: Math.random,
      resources: () => this.#resources.get(),
      gate: (targetId) => outsideObject(env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId))),
      release: async (targetId, deploymentId) => {
        try {
          await env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)).release(deploymentId);
        } catch (error) {
          log("warn", "A slot could not be released; its lease lapses", {
            deploymentId,
            error: describeError(error),
          });
        }
      },
      commit: (change) => this.#commit(change),
      append: (deploymentId, step, entry) =>
        this.#store.journal.append(deploymentId, this.now(), step, entry),
      renewLease: () => this.#armLease(),
    };
  }

  async #commit(change: () => void): Promise<void> {
    this.#commits += 1;
    const commit = this.#commits;
    await this.crashPoint?.("before", commit);
    this.#store.atomically(change);
    await outside(() => this.ctx.storage.sync());
    await this.crashPoint?.("after", commit);
    this.#log.notifyReaders();
  }

  #forget(): void {
    this.#resources.forget();
    this.#current = undefined;
  }

  async #armLease(): Promise<void> {
    await outside(() => this.ctx.storage.setAlarm(Date.now() + LEASE_MS));
  }

  /** Moves the alarm earlier, never later. `atMs` must be in the future: an alarm set for the present is lost. */
  async #armAt(atMs: number): Promise<void> {
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > atMs) await this.ctx.storage.setAlarm(atMs);
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
