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
import type { DeploymentState } from "#areas/deployments/tables.ts";
import type { Bindings } from "#platform/bindings.ts";
import { ringDeliveries } from "#platform/call.ts";
import { type Sealer, sealerFrom } from "#platform/crypto/seal.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import type { DeliveryRing } from "#platform/outbox.ts";
import { endWaiting, stateInD1 } from "./end-waiting.ts";
import { endingNote, type LogEntry, narrate } from "./narrate.ts";
import { finalStates, project } from "./projection.ts";
import { ResourceState } from "./resource-state.ts";
import { ringTriggers, type TriggerRing } from "./ring-triggers.ts";
import { RunInProgress } from "./run.ts";
import type { RunnerParts } from "./runner-parts.ts";
import { close, type Run, RunnerStore } from "./runner-store.ts";

/** A dead runner is back after at most so long. */
const LEASE_MS = 30_000;
/** After a fault of our own (D1 away, say): 1 s, doubled, at most this. */
const FAULT_MAX_MS = 60_000;
const LOG_PAGE = 500;

/** The bell: which deployment, and whose. */
export interface RingMessage {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
}

export interface LogPage {
  entries: LogEntry[];
  /** Nothing more will come after these. */
  ended: boolean;
  /** The deployment has no entry at all. */
  empty: boolean;
}

export interface ResourceSummary {
  name: string;
  type: string;
  id: string;
  /** CONDEMNED: replaced, its delete still owed. LOST: its create was never answered. */
  state: "READY" | "TAINTED" | "CONDEMNED" | "LOST";
  dependsOn: string[];
}

export class InstanceRunner extends DurableObject<Bindings> {
  readonly #store: RunnerStore;
  readonly #parts: RunnerParts;
  #resources: Promise<ResourceState> | undefined;
  #loaded: ResourceState | undefined;
  #current: RunInProgress | undefined;
  #working = false;
  #rung = false;
  #faults = 0;
  #readers: (() => void)[] = [];
  /** Set by fault tests alone: called before and after every commit of a run, with the number of the commit. */
  crashPoint: ((when: "before" | "after", commit: number) => void | Promise<void>) | undefined;
  #commits = 0;
  /** Epoch milliseconds. A field, so that a test can move the time. */
  now: () => number = Date.now;

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#store = new RunnerStore(state.storage);
    this.#parts = this.#makeParts();
    // An open run always has an alarm; should it have been lost, whoever looks in here sets it again. One that
    // is set stays: it may be due now, and moving it would put off the work it was set for.
    if (this.#store.hasWork())
      void state.blockConcurrencyWhile(() => this.#armAt(Date.now() + LEASE_MS));
  }

  /**
   * Somebody wants this deployment looked at: it is new, or D1 says something else of it than before (it was
   * approved, discarded, superseded). Ringing is safe at any time: what is so is read from D1.
   */
  async ring(message: RingMessage): Promise<void> {
    await this.#addRun(message);
    await this.#ask(message.deploymentId);
    await this.wake();
  }

  /** Armed first: a run that is known and that nobody wakes would wait for ever. */
  async #addRun(message: RingMessage): Promise<void> {
    await this.#armAt(Date.now() + LEASE_MS);
    this.#store.addRun(message);
  }

  /** Look whether there is something to do. */
  async wake(): Promise<void> {
    this.#rung = true;
    if (!this.#working) await this.#armAt(Date.now() + 1);
  }

  /** The deployment is to stop: nothing new is started. The state in D1 was changed before this is called. */
  async cancel(message: RingMessage): Promise<void> {
    await this.#addRun(message);
    this.#learnCancel(message.deploymentId);
    await this.wake();
  }

  /**
   * A page of a deployment's log. Waits up to `waitMs` for something new to say. `over`: D1 calls the deployment
   * ended; should the runner not have heard of it, it hears of it now.
   */
  async readLog(
    deploymentId: string,
    afterSeq: number,
    options: { limit?: number; waitMs?: number; over?: boolean } = {},
  ): Promise<LogPage> {
    const limit = Math.min(options.limit ?? LOG_PAGE, LOG_PAGE);
    const over = options.over === true;
    if (over) await this.#ask(deploymentId);
    const read = (): LogPage => {
      const rows = this.#store.journal(deploymentId, afterSeq, limit);
      const phase = this.#store.run(deploymentId)?.phase;
      // Over only when D1 says so too: who reads the deployment after the log's end reads its end.
      const ended =
        phase === undefined || phase === "waiting"
          ? over
          : phase === "closed" && !this.#store.projects(deploymentId);
      return {
        entries: rows.map(narrate),
        ended: ended && rows.length < limit,
        empty: rows.length === 0 && !this.#store.hasJournal(deploymentId),
      };
    };
    const page = read();
    if (page.entries.length > 0 || page.ended || (options.waitMs ?? 0) === 0) return page;
    await this.#nextLine(options.waitMs ?? 0);
    const later = read();
    // So long without a word: perhaps a bell was lost.
    if (later.entries.length > 0 || later.ended || !(await this.#ask(deploymentId))) return later;
    return read();
  }

  /**
   * Waits up to `waitMs` until the deployment has ended or waits for approval, and D1 says so. True: it does; of a
   * deployment that nobody rang for yet it waits to hear.
   */
  async untilSettled(deploymentId: string, waitMs: number): Promise<boolean> {
    const untilMs = Date.now() + waitMs;
    for (;;) {
      const phase = this.#store.phaseOf(deploymentId);
      if ((phase === "closed" || phase === "parked") && !this.#store.projects(deploymentId))
        return true;
      const leftMs = untilMs - Date.now();
      if (leftMs <= 0) return false;
      await this.#nextLine(leftMs);
    }
  }

  /** The cloud objects of the instance, without their values. */
  async listResources(): Promise<ResourceSummary[]> {
    return this.#store.resources().map(({ condemned, body }) => {
      const resource = JSON.parse(body) as ResourceSummary & {
        tainted: boolean;
        lostToken?: string;
      };
      return {
        name: resource.name,
        type: resource.type,
        id: resource.lostToken === undefined ? resource.id : "",
        state:
          resource.lostToken !== undefined
            ? "LOST"
            : condemned
              ? "CONDEMNED"
              : resource.tainted
                ? "TAINTED"
                : "READY",
        dependsOn: [...resource.dependsOn],
      };
    });
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
    if (this.#rung) await this.#armAt(Date.now() + 1);
  }

  /** Moves runs on while any can move; says when to look again, or nothing when all are done. */
  async #work(): Promise<number | undefined> {
    for (;;) {
      this.#rung = false;
      await this.#flush();
      await this.#endParked();
      const id = this.#store.nextRunId();
      if (id === undefined) {
        this.#store.prune(this.now());
        return this.#store.parkedUntilMs();
      }
      const current = this.#inProgress(id);
      if (current === undefined) throw new Error(`The run ${id} is not in the store`);
      this.#current = current;
      const next = await current.advance();
      if (current.run.phase === "closed" || current.run.phase === "parked")
        this.#current = undefined;
      if (next !== "again" && !this.#rung) {
        await this.#flush();
        // What D1 said may have ended the run, so that the next one can begin.
        if (!this.#rung && this.#store.nextRunId() === id) return next.wakeAtMs;
      }
    }
  }

  #inProgress(deploymentId: string): RunInProgress | undefined {
    if (this.#current?.run.deploymentId === deploymentId) return this.#current;
    const run = this.#store.run(deploymentId);
    return run && new RunInProgress(this.#parts, run);
  }

  /** Tells D1 what was decided, in order, until it has it. */
  async #flush(): Promise<void> {
    for (;;) {
      const first = this.#store.firstProjection();
      if (first === undefined) return;
      const { projection, seq } = first;
      const taken = await project(this.#parts.db, projection);
      const { slot, deploymentId } = projection;
      if (slot !== undefined) await this.#parts.release(slot.targetId, deploymentId);
      this.#store.removeProjection(seq);
      this.#tellReaders();
      if (!taken.taken) {
        const voided = this.#inProgress(projection.deploymentId);
        if (voided !== undefined && voided.run.phase !== "closed") await voided.drop(taken.state);
        if (this.#current?.run.deploymentId === projection.deploymentId) this.#current = undefined;
        continue;
      }
      if (taken.state === "CANCELING") this.#learnCancel(projection.deploymentId);
      this.#ringDeliveries(taken.deliveries);
      this.#ringTriggers(taken.triggers);
    }
  }

  /**
   * What became of a deployment that waits, by D1: an approved one goes on, one that D1 has ended is closed.
   * False: it does not wait, or nothing became of it. Safe to repeat.
   */
  async #ask(deploymentId: string): Promise<boolean> {
    const run = this.#store.run(deploymentId);
    if (run?.phase !== "parked" && run?.phase !== "gate") return false;
    const heard = await this.#hear(run, await stateInD1(this.#parts.db, run));
    if (heard) await this.wake();
    return heard;
  }

  async #hear(
    { deploymentId }: Pick<Run, "deploymentId">,
    state: DeploymentState | undefined,
  ): Promise<boolean> {
    if (state === "CANCELING") return this.#learnCancel(deploymentId);
    const ended = state === undefined || finalStates.has(state);
    if (this.#store.run(deploymentId)?.phase === "gate" && ended)
      return this.#learnCancel(deploymentId);
    if (!ended && state !== "APPLYING") return false;
    let heard = false;
    await this.#commit(() => {
      const run = this.#store.run(deploymentId);
      if (run?.phase !== "parked" || run.canceling) return;
      heard = true;
      if (ended) close(run);
      else {
        run.approved = true;
        run.phase = "gate";
      }
      this.#parts.append(deploymentId, null, {
        kind: "note",
        level: "info",
        message: ended ? endingNote(state) : "Approved.",
      });
      this.#store.saveRun(run);
    });
    return heard;
  }

  /** Plans that wait for approval in vain: for too long, or of a state that is no more. D1 says who came first. */
  async #endParked(): Promise<void> {
    if (this.#store.isBusy()) return;
    const serial = this.#store.serial();
    for (const parked of this.#store.parked()) {
      const verdict =
        parked.stateSerial !== serial
          ? "SUPERSEDED"
          : parked.untilMs <= this.now()
            ? "EXPIRED"
            : undefined;
      if (verdict === undefined) continue;
      const ended = await endWaiting(this.#parts.db, parked, parked.operation, verdict, {
        id: newId(),
        atMs: this.now(),
      });
      this.#ringDeliveries(ended.deliveries);
      await this.#hear(parked, ended.state);
    }
  }

  #ringTriggers(triggers: readonly TriggerRing[]): void {
    if (triggers.length === 0) return;
    this.ctx.waitUntil(
      ringTriggers(this.env, triggers).catch((error: unknown) => {
        log("warn", "The triggers queue could not be rung; the sweep will", {
          error: describeError(error),
        });
      }),
    );
  }

  #ringDeliveries(deliveries: readonly DeliveryRing[]): void {
    if (deliveries.length === 0) return;
    this.ctx.waitUntil(
      ringDeliveries(deliveries)
        .send(this.env)
        .catch((error: unknown) => {
          log("warn", "The webhooks queue could not be rung; the sweep will", {
            error: describeError(error),
          });
        }),
    );
  }

  /** From the call, or from D1 when the call was lost. */
  #learnCancel(deploymentId: string): boolean {
    const run = this.#inProgress(deploymentId)?.run;
    if (run === undefined || run.phase === "closed" || run.canceling) return false;
    run.canceling = true;
    this.#store.saveRun(run);
    this.#rung = true;
    return true;
  }

  #makeParts(): RunnerParts {
    const { env } = this;
    let sealer: Sealer | undefined;
    return {
      env,
      db: openDb(env.DB),
      store: this.#store,
      get sealer() {
        sealer ??= sealerFrom(env.SEALING_KEYS);
        return sealer;
      },
      now: () => this.now(),
      newId,
      random: Math.random,
      resources: () => this.#loadResources(),
      loadedResources: () => {
        if (this.#loaded === undefined) throw new Error("The resources were not loaded yet");
        return this.#loaded.view;
      },
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
        this.#store.append(deploymentId, this.now(), step, entry),
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
    this.#tellReaders();
  }

  #tellReaders(): void {
    for (const tell of this.#readers.splice(0)) tell();
  }

  #loadResources(): Promise<ResourceState> {
    this.#resources ??= (async (): Promise<ResourceState> => {
      const owner = this.#store.owner();
      if (owner === undefined) throw new Error("A runner without a run has no resources");
      this.#loaded = await ResourceState.load(this.#store, this.#parts.sealer, owner);
      return this.#loaded;
    })().catch((error: unknown) => {
      this.#resources = undefined;
      throw error;
    });
    return this.#resources;
  }

  #forget(): void {
    this.#resources = undefined;
    this.#loaded = undefined;
    this.#current = undefined;
  }

  async #nextLine(waitMs: number): Promise<void> {
    let told: (() => void) | undefined;
    const line = new Promise<void>((resolve) => {
      told = resolve;
      this.#readers.push(resolve);
    });
    const enough = new AbortController();
    await Promise.race([
      line,
      scheduler.wait(waitMs, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
    this.#readers = this.#readers.filter((reader) => reader !== told);
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
