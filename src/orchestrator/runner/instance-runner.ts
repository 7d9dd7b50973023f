/**
 * One object per instance: it alone changes what the instance is. Its storage holds the resource state, the
 * waiting deployments and the journal of the run in progress, so the lock, the state and the run are one
 * transactional store and a deployment is serial by nature.
 *
 * Guarantee: every run that was rung for reaches an end, and the cloud, the state and D1 then say the same.
 * Work is done in the alarm, which is armed ahead of every move: if this object dies anywhere, the alarm (or
 * the sweep, should the alarm be lost) brings it back, and it goes on from the journal. An intent is on disk
 * before its call leaves; its outcome and the state it makes are one commit; what D1 must know is decided in
 * such a commit too and repeated until D1 has it. Being rung twice, early or for nothing does no harm.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { type LogPage, type LogQuery, RunLog } from "#orchestrator/log/run-log.ts";
import { notifyDue } from "#orchestrator/projection/notify-due.ts";
import { project } from "#orchestrator/projection/projection.ts";
import { RunInProgress } from "#orchestrator/run/run-in-progress.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import { type Sealer, sealerFrom } from "#platform/crypto/seal.ts";
import { type Db, openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import type { DeploymentState } from "#schema/deployment-states.ts";
import { LoadedResources } from "./loaded-resources.ts";
import { type ResourceSummary, summarizeResources } from "./resource-summary.ts";
import { WaitingRuns } from "./waiting-runs.ts";

/** A dead runner is back after at most so long. */
const LEASE_MS = 30_000;
/** After a fault of our own (D1 away, say): 1 s, doubled, at most this. */
const FAULT_MAX_MS = 60_000;

/** The bell: which deployment, and whose. */
export interface RunRef {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
}

export class InstanceRunner extends DurableObject<Bindings> {
  readonly #store: RunnerStore;
  readonly #parts: RunnerParts;
  readonly #resources: LoadedResources;
  readonly #waiting: WaitingRuns;
  readonly #log: RunLog;
  /** The run at work, which its steps keep in memory from one turn to the next. */
  #current: RunInProgress | undefined;
  #working = false;
  #notified = false;
  #faults = 0;
  /** Set by fault tests alone: called before and after every commit of a run, with the number of the commit. */
  crashPoint: ((when: "before" | "after", commit: number) => void | Promise<void>) | undefined;
  #commits = 0;
  /** Epoch milliseconds. A field, so that a test can move the time. */
  now: () => number = Date.now;
  /** A field, so that a test can let it fail. */
  db: Db = openDb(this.env.DB);

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#store = new RunnerStore(state.storage);
    this.#parts = this.#makeParts();
    this.#resources = new LoadedResources(this.#store, this.#parts);
    this.#waiting = new WaitingRuns(this.#parts, (id) => this.#learnCancel(id));
    this.#log = new RunLog(this.#store, (id) => this.#ask(id));
    // An open run always has an alarm; should it have been lost, whoever looks in here sets it again. One that
    // is set stays: it may be due now, and moving it would put off the work it was set for.
    if (this.#store.hasWork())
      void state.blockConcurrencyWhile(() => this.#armAt(Date.now() + LEASE_MS));
  }

  /**
   * Somebody wants this deployment looked at: it is new, or D1 says something else of it than before (it was
   * approved, discarded, superseded). Ringing is safe at any time: what is so is read from D1.
   */
  async notify(message: RunRef): Promise<void> {
    await this.#addRun(message);
    await this.#ask(message.deploymentId);
    await this.wake();
  }

  /** Armed first: a run that is known and that nobody wakes would wait for ever. */
  async #addRun(message: RunRef): Promise<void> {
    await this.#armAt(Date.now() + LEASE_MS);
    this.#store.runs.add(message);
  }

  /** Look whether there is something to do. */
  async wake(): Promise<void> {
    this.#notified = true;
    if (!this.#working) await this.#armAt(Date.now() + 1);
  }

  /** The deployment is to stop: nothing new is started. The state in D1 was changed before this is called. */
  async cancel(message: RunRef): Promise<void> {
    await this.#addRun(message);
    await this.#learnCancel(message.deploymentId);
    await this.wake();
  }

  /** A page of a deployment's log. */
  async readLog(deploymentId: string, afterSeq: number, query: LogQuery = {}): Promise<LogPage> {
    return this.#log.read(deploymentId, afterSeq, query);
  }

  /** Waits up to `waitMs` until the deployment has ended or waits for approval, and D1 says so. False: the time is up. */
  async untilEnded(deploymentId: string, waitMs: number): Promise<boolean> {
    return this.#log.untilEnded(deploymentId, waitMs);
  }

  /** The cloud objects of the instance, without their values. */
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
      // Memory and storage may differ now: storage is right.
      this.#forget();
      this.#faults += 1;
      const delayMs = Math.min(FAULT_MAX_MS, 500 * 2 ** this.#faults);
      log("error", "A run was interrupted and goes on by itself", {
        runner: this.ctx.id.name ?? this.ctx.id.toString(),
        delayMs,
        error: describeError(error),
      });
      wakeAtMs = Date.now() + delayMs;
    } finally {
      this.#working = false;
    }
    if (wakeAtMs === undefined) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(wakeAtMs, Date.now() + 1));
    if (this.#notified) await this.#armAt(Date.now() + 1);
  }

  /** Moves runs on while any can move; says when to look again, or nothing when all are done. */
  async #work(): Promise<number | undefined> {
    for (;;) {
      this.#notified = false;
      await this.#flush();
      await this.#waiting.endVain((deliveries) => this.#notifyDue({ deliveries }));
      const id = this.#store.runs.nextId();
      if (id === undefined) {
        this.#store.prune(this.now());
        return this.#store.runs.parkedUntilMs();
      }
      const current = this.#inProgress(id);
      if (current === undefined) throw new Error(`The run ${id} is not in the store`);
      this.#current = current;
      const next = await current.advance();
      if (current.run.phase === "closed" || current.run.phase === "parked")
        this.#current = undefined;
      if (next !== "again" && !this.#notified) {
        await this.#flush();
        // What D1 said may have ended the run, so that the next one can begin.
        if (!this.#notified && this.#store.runs.nextId() === id) return next.wakeAtMs;
      }
    }
  }

  #inProgress(deploymentId: string): RunInProgress | undefined {
    if (this.#current?.run.deploymentId === deploymentId) return this.#current;
    const run = this.#store.runs.get(deploymentId);
    return run && new RunInProgress(this.#parts, run);
  }

  /** Tells D1 what was decided, in order, until it has it. */
  async #flush(): Promise<void> {
    for (;;) {
      const first = this.#store.projections.first();
      if (first === undefined) return;
      const { projection, seq } = first;
      const taken = await project(this.#parts.db, projection);
      const { slot, deploymentId } = projection;
      if (slot !== undefined) await this.#parts.release(slot.targetId, deploymentId);
      // Dropped first: D1 takes nothing after a projection that was void, so a run that went on would never end.
      if (!taken.taken) await this.#drop(deploymentId, taken.state);
      this.#store.projections.remove(seq);
      this.#log.tell();
      if (!taken.taken) continue;
      if (taken.state === "CANCELING") await this.#learnCancel(deploymentId);
      this.#notifyDue(taken);
    }
  }

  async #drop(deploymentId: string, state: DeploymentState | undefined): Promise<void> {
    const voided = this.#inProgress(deploymentId);
    if (voided !== undefined && voided.run.phase !== "closed") await voided.drop(state);
    if (this.#current === voided) this.#current = undefined;
  }

  #notifyDue(due: Parameters<typeof notifyDue>[1]): void {
    this.ctx.waitUntil(notifyDue(this.env, due));
  }

  /** What became of a deployment that waits, by D1. False: it does not wait, or nothing became of it. */
  async #ask(deploymentId: string): Promise<boolean> {
    const heard = await this.#waiting.ask(deploymentId);
    if (heard) await this.wake();
    return heard;
  }

  /** From the call, or from D1 when the call was lost. False: that is no news. */
  async #learnCancel(deploymentId: string): Promise<boolean> {
    const open = () => {
      const run = this.#inProgress(deploymentId)?.run;
      return run === undefined || run.phase === "closed" || run.canceling ? undefined : run;
    };
    if (open() === undefined) return false;
    let learned = false;
    await this.#commit(() => {
      // Looked up once more: it went on meanwhile.
      const run = open();
      if (run === undefined) return;
      run.canceling = true;
      this.#store.runs.save(run);
      this.#notified = true;
      learned = true;
    });
    return learned;
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
      gate: (targetId) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)),
      release: async (targetId, deploymentId) => {
        try {
          await env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)).release(
            deploymentId,
            this.now(),
          );
        } catch (error) {
          log("warn", "A slot could not be given back; it lapses", {
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
    await this.ctx.storage.sync();
    await this.crashPoint?.("after", commit);
    this.#log.tell();
  }

  #forget(): void {
    this.#resources.forget();
    this.#current = undefined;
  }

  async #armLease(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS);
  }

  /** Sooner, never later, than what is armed. Always later than now: an alarm set for now is lost. */
  async #armAt(atMs: number): Promise<void> {
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > atMs) await this.ctx.storage.setAlarm(atMs);
  }
}
