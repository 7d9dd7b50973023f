/**
 * The whole service on the simulated platform. Requests go through `app.fetch`, messages through the consumers, and the
 * sweeps run each minute; runner, gate and cloud are the real classes. `invariants.ts` checks the results.
 * Only the simulation finds histories that nobody thought of: many faults at once, against a model of the requests.
 */
import { app } from "#app.ts";
import type { Json } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { storedPlaces } from "#test/support/places.ts";
import { type Clock, withClock } from "./clocks.ts";
import { CloudNetwork } from "./cloud-network.ts";
import { CrashPoints } from "./crash-points.ts";
import {
  emptyGround,
  type Ground,
  type Make,
  makeGround,
  makePlace,
  type Place,
} from "./ground.ts";
import type { World } from "./kinds.ts";
import { Platform } from "./platform.ts";
import { Random } from "./random.ts";
import { Receivers } from "./receivers.ts";
import { classes, OLD_KEY, OPERATOR_KEY, settings } from "./service.ts";
import type { SimulatedObject } from "./simulated-object.ts";
import type { Sqlite } from "./sqlite.ts";
import { hasTable, openWork } from "./stored.ts";
import { TimeTravel } from "./time-travel.ts";
import { VirtualTime } from "./virtual-time.ts";
import { Watches } from "./watches.ts";
import { fine } from "./weather.ts";
import { consume, sweep } from "./workers.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Each run starts a day after the previous one or later, so that everything the service caches in memory has expired; at
 * midnight, because sweeps go by the minute of the hour.
 */
let startMs = Date.UTC(2026, 5, 1);
const MAX_ATTEMPTS = 12;
/** The most by which a clock is wrong. */
const CLOCK_ERROR_MS = 120_000;
const NEW_KEY = `k2:${btoa("fedcba9876543210fedcba9876543210")}`;
export const ALL_KEYS = `${NEW_KEY},${OLD_KEY}`;

export interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's shape is what each check asserts
  body: any;
  /** The old sealing key was missing when the request was sent. */
  withoutKey: boolean;
}

interface Sending {
  approver?: true;
  operator?: true;
  /** Without credentials, and not repeated: how somebody else's webhook calls. */
  bare?: true;
}

export class Simulation {
  readonly startMs = startMs;
  readonly time = new VirtualTime(startMs);
  readonly random: Random;
  readonly platform: Platform;
  readonly d1: Sqlite;
  readonly ground: Ground;
  readonly place: Place;
  readonly watches: Watches;
  readonly crashPoints: CrashPoints;
  readonly network: CloudNetwork;
  readonly receivers: Receivers;
  readonly timeTravel: TimeTravel;
  /** The old sealing key is missing. */
  keyIsMissing = false;
  #requests = 0;
  readonly #worker: Clock;
  readonly #consumer: Clock;
  readonly #undo: () => void;
  #cancelKeyChange: () => void = () => undefined;

  private constructor(ground: Ground, place: Place, world: Partial<World>, seed: number) {
    this.ground = ground;
    this.place = place;
    this.d1 = ground.d1;
    this.random = new Random(seed);
    ground.chance.now = this.random;
    this.platform = new Platform({
      time: this.time,
      random: this.random,
      classes,
      d1: ground.d1,
      settings,
    });
    const clock = (): Clock => ({
      offsetMs: world.clocks ? this.random.below(2 * CLOCK_ERROR_MS) - CLOCK_ERROR_MS : 0,
    });
    this.platform.offsetMs = (kind) => (kind === "MOCK_CLOUD" ? 0 : clock().offsetMs);
    this.#worker = clock();
    this.#consumer = clock();
    this.timeTravel = new TimeTravel(this.d1);
    this.watches = new Watches({
      stateBefore: (id) => this.timeTravel.deployments.get(id),
      platform: this.platform,
      d1: this.d1,
      gate: () => this.gate,
      capacity: place.capacity,
      hasGoneBack: () => this.timeTravel.hasGoneBack,
      instanceIds: place.instanceIds,
      seed,
    });
    this.crashPoints = new CrashPoints(this.platform);
    this.network = new CloudNetwork(this.platform, world);
    this.platform.cloudNetwork = (call) => {
      this.watches.call(call);
      return this.network.carry(call);
    };
    const { queues } = this.platform;
    queues.consume = (queue, body, attempt) =>
      withClock(this.#consumer, () => consume({ queue, body, attempt }, this.platform.env));
    this.receivers = new Receivers({
      time: this.time,
      random: this.random,
      failing: () => this.platform.weather.receivers,
    });
    this.#undo = this.time.install(this.random, this.receivers.fetch);
  }

  /** Starts a simulation of two instances that share a target. Call `end` afterwards. */
  static async begin(seed: number, world: World): Promise<Simulation> {
    sessions.clear();
    const { ground, place } = await sceneOf(
      world,
      (made, at, sceneSeed) => new Simulation(made, at, {}, sceneSeed),
    );
    const simulation = new Simulation(ground, place, world, seed);
    ground.d1.script("SAVEPOINT simulation");
    simulation.#keepOnly(world);
    simulation.#sweepEachMinute(world);
    return simulation;
  }

  /** Removes what the ground left to deliver, and the webhooks if nobody listens. */
  #keepOnly({ approves, listens }: World): void {
    if (approves) this.d1.script("UPDATE instances SET approval_mode = 'always'");
    this.d1.script("DELETE FROM webhook_deliveries");
    // The last sweep was that of the ground, days ago, which is no restore.
    this.d1.rows("INSERT OR REPLACE INTO sweep_watch (id, swept_at_ms) VALUES (1, ?)", [
      this.startMs,
    ]);
    if (!listens) this.d1.script("DELETE FROM webhooks");
    const dueMs = this.startMs + this.random.below(20 * MINUTE_MS);
    this.d1.rows(
      `UPDATE triggers SET next_fire_at_ms = CASE kind WHEN 'upstream_output' THEN NULL ELSE ? END
        WHERE next_fire_at_ms IS NOT NULL`,
      [dueMs],
    );
  }

  get instanceIds(): readonly string[] {
    return this.place.instanceIds;
  }

  end(): void {
    this.keep();
    this.d1.script("ROLLBACK TO simulation; RELEASE simulation");
  }

  /** Ends the simulation and keeps its writes. */
  keep(): void {
    startMs = Math.ceil(this.time.nowMs / DAY_MS + 1) * DAY_MS;
    this.#undo();
    this.platform.close();
  }

  ask(...request: Parameters<Simulation["send"]>): Promise<Answered> {
    return this.finish(`${request[0]} ${request[1]}`, this.send(...request));
  }

  /** Sends a request and repeats it until the response is known. Requires that time passes. */
  async send(method: string, path: string, body?: Json, more: Sending = {}): Promise<Answered> {
    this.#requests += 1;
    const repeats = `request-${this.#requests}`;
    const [asks, approves] = this.ground.keys;
    const key = more.operator ? OPERATOR_KEY : more.approver ? approves : asks;
    const { weather } = this.platform;
    for (let attempt = 1; ; attempt += 1) {
      if (attempt === MAX_ATTEMPTS) this.platform.weather = fine;
      const headers = {
        ...(more.bare ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" || more.bare ? {} : { "idempotency-key": repeats }),
      };
      const request = new Request(`https://control.test/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const context = {
        waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
        passThroughOnException: () => undefined,
      } as unknown as ExecutionContext;
      const withoutKey = this.keyIsMissing;
      const response = await withClock(this.#worker, () =>
        app.fetch(request, this.platform.env, context),
      );
      const awayMs = this.platform.d1AwayUntilMs - this.time.nowMs;
      const repeat = response.status >= 500 && attempt < MAX_ATTEMPTS && !more.bare;
      if (repeat && awayMs > 0) await this.time.wait(awayMs);
      if (repeat) continue;
      if (attempt >= MAX_ATTEMPTS) this.platform.weather = weather;
      const text = await response.text();
      const answered = text === "" ? undefined : JSON.parse(text);
      return { status: response.status, body: answered, withoutKey };
    }
  }

  /** Advances time until `work` is done. */
  async finish<T>(what: string, work: Promise<T>): Promise<T> {
    let ended = false;
    work.then(
      () => (ended = true),
      () => (ended = true),
    );
    await this.time.passUntil(this.time.nowMs + 20 * MINUTE_MS, () => ended);
    if (!ended) throw new Error(`${what} was never answered`);
    return work;
  }

  async pass(ms: number): Promise<void> {
    await this.time.passUntil(this.time.nowMs + ms);
  }

  /** Takes the old sealing key away, or puts it back. */
  setKeyMissing(isMissing: boolean, inMs = 0): void {
    this.#cancelKeyChange();
    this.#cancelKeyChange = this.time.after(inMs, () => {
      if (this.keyIsMissing === isMissing) return;
      this.keyIsMissing = isMissing;
      this.platform.release({ SEALING_KEYS: isMissing ? NEW_KEY : ALL_KEYS });
    });
  }

  /** Runs without faults, and with all keys, until no work is left. */
  async rest(): Promise<void> {
    this.setKeyMissing(false);
    await this.restAsItIs();
  }

  /** The same, but a sealing key that is missing stays so. */
  async restAsItIs(): Promise<void> {
    this.platform.weather = fine;
    this.#finishAtTheCloud();
    this.platform.d1AwayUntilMs = 0;
    this.crashPoints.clear();
    const untilMs = this.time.nowMs + 180 * MINUTE_MS;
    while (this.time.nowMs < untilMs) {
      await this.pass(5_000);
      if (this.unrest() === undefined) return;
    }
    throw new Error(`The service does not come to rest: ${this.unrest()}`);
  }

  /** What the cloud is still making becomes ready. */
  #finishAtTheCloud(): void {
    const { storage } = this.cloud;
    if (hasTable(this.cloud, "objects")) storage.rows("UPDATE objects SET ready_at_ms = 0");
  }

  runner(instance: number): SimulatedObject {
    return this.platform.object("INSTANCE_RUNNER", this.instanceIds[instance] ?? "");
  }

  get cloud(): SimulatedObject {
    return this.platform.object("MOCK_CLOUD", this.place.targetId);
  }

  get gate(): SimulatedObject {
    return this.platform.object("TARGET_GATE", this.place.targetId);
  }

  /** Describes work that is left; undefined: none. */
  unrest(): string | undefined {
    const [open] = this.d1.rows(
      "SELECT id, state FROM deployments WHERE state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING') AND tenant_id = ?",
      [this.ground.tenantId],
    );
    if (open !== undefined) return `${String(open["id"])} is ${String(open["state"])}`;
    for (const queue of ["control-deployments", "control-triggers", "control-dead-letters"])
      if (this.platform.queues.arriving(queue) > 0) return `a message of ${queue} is in flight`;
    const [due] = this.d1.rows(
      "SELECT id, kind FROM triggers WHERE tenant_id = ? AND next_fire_at_ms <= ?",
      [this.ground.tenantId, this.time.nowMs - CLOCK_ERROR_MS],
    );
    if (due !== undefined) return `the ${String(due["kind"])} trigger ${String(due["id"])} is due`;
    if (this.network.inFlight > 0) return "a request to the cloud is in flight";
    for (const object of this.platform.objects.values()) {
      const left = this.#workOf(object) ?? this.#endedWithoutRunner(object);
      if (left !== undefined) return left;
    }
    if (this.gate.life === undefined) return undefined;
    const { gate, time } = this;
    // A slot that was not released lapses.
    const slot = storedPlaces((query) => gate.storage.rows(query)).find(
      ({ untilMs }) => untilMs >= time.nowMs + gate.offsetMs,
    );
    return slot === undefined ? undefined : `${slot.id} keeps its place at the gate`;
  }

  #workOf(object: SimulatedObject): string | undefined {
    if (object.alarmRuns) return `the alarm of ${object.name} is running`;
    if (object.kind !== "INSTANCE_RUNNER") return undefined;
    // A dead one too: the sweep comes to it.
    const { runs, unwritten } = openWork(object);
    const isAsleep = object.alarmAtMs === null;
    const projectedOf = (id: string): number | undefined => {
      const [row] = this.d1.rows("SELECT projected FROM deployments WHERE id = ?", [id]);
      return row === undefined ? undefined : Number(row["projected"]);
    };
    // A restore by less than the sweep notices, while the alarm was lost: an operator reconciles the instance.
    const isForgotten = (id: string) =>
      isAsleep && this.timeTravel.hasGoneBack && projectedOf(id) === undefined;
    const lacking = unwritten.filter(
      ({ deploymentId, number }) =>
        // D1 may have it although its answer was lost, with the alarm: the runner learns of it when it is next needed.
        (!isAsleep || (projectedOf(deploymentId) ?? 0) < number) && !isForgotten(deploymentId),
    );
    const due = runs.filter((id) => !isForgotten(id));
    if (due.length === 0 && lacking.length === 0) return undefined;
    const open = object.storage.rows(
      "SELECT deployment_id, phase, canceling FROM runs WHERE phase <> 'closed'",
    );
    return `runner ${object.name} has to write ${JSON.stringify(lacking)}, and has ${JSON.stringify(open)}, its alarm is set for ${object.alarmAtMs}`;
  }

  /** A plan that a request has ended, of which its runner does not know yet. */
  #endedWithoutRunner(object: SimulatedObject): string | undefined {
    if (object.kind !== "INSTANCE_RUNNER" || !hasTable(object, "runs")) return undefined;
    for (const { id } of object.storage.rows(
      "SELECT deployment_id AS id FROM runs WHERE phase = 'parked'",
    )) {
      const [row] = this.d1.rows(
        "SELECT state FROM deployments WHERE id = ? AND state <> 'AWAITING_APPROVAL'",
        [id],
      );
      if (row !== undefined) return `${String(id)} is ${String(row["state"])}, its run waits`;
    }
    return undefined;
  }

  #sweepEachMinute(world: World): void {
    this.time.after(MINUTE_MS, () => {
      this.#sweepEachMinute(world);
      withClock(this.#consumer, () => sweep(this.platform.env, world));
    });
  }
}

/** One for each kind of world, with a database of its own: a run must not depend on which others there were. */
const scenes = new Map<string, Promise<Scene>>();

interface Scene {
  ground: Ground;
  place: Place;
}

/** The scene of such worlds; made when it is first used. */
function sceneOf(
  world: World,
  begin: (ground: Ground, place: Place, seed: number) => Simulation,
): Promise<Scene> {
  const { capacity, cloud, bound, operations, sessions } = world;
  const key = [capacity, cloud, bound, operations, sessions].join();
  const known = scenes.get(key) ?? makeScene(world, begin);
  scenes.set(key, known);
  return known;
}

async function makeScene(...[world, begin]: Parameters<typeof sceneOf>): Promise<Scene> {
  const nowhere: Place = { capacity: 0, targetId: "", templateId: "", instanceIds: [] };
  const building = async <T>(
    on: Ground,
    seed: number,
    build: (make: Make) => Promise<T>,
  ): Promise<T> => {
    const simulation = begin(on, nowhere, seed);
    const built = await build(async (path, body) => {
      const { status, body: made } = await simulation.ask("POST", path, body, { operator: true });
      if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
      return made as Record<string, string>;
    });
    simulation.keep();
    return built;
  };
  const empty = emptyGround();
  const ground = await building(empty, 1, (make) => makeGround(empty, make));
  const place = await building(ground, 2, (make) => makePlace(ground, world, make));
  return { ground, place };
}
