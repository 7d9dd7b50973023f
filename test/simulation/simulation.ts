/**
 * The whole service on the simulated platform. Requests go through `app.fetch`, messages through the consumers, and the
 * sweep runs each minute; runner, gate and cloud are the real classes. `invariants.ts` checks the results.
 */
import { app } from "#app.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { QuotaCounter } from "#kernel/limits/quota-counter.ts";
import { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { consumeDeployments } from "#orchestrator/runner/consume-deployments.ts";
import { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import type { Json } from "#platform/json.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";
import { providerFor } from "#providers/registry.ts";
import { cloudNetworkOf } from "./cloud-network.ts";
import { type CloudCall, fine, Platform, type SimulatedObject } from "./platform.ts";
import { firstProgram, sourceOf } from "./programs.ts";
import { Random } from "./random.ts";
import { migratedSqlite, type Sqlite } from "./sqlite.ts";
import { VirtualTime } from "./virtual-time.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Each run starts a day after the previous one, so that everything the service caches in memory has expired. */
let startMs = Date.UTC(2026, 5, 1);
const OPERATOR_KEY = "simulation-operator-key";
const MAX_ATTEMPTS = 12;

const classes = {
  INSTANCE_RUNNER: InstanceRunner,
  TARGET_GATE: TargetGate,
  MOCK_CLOUD: MockCloud,
  QUOTA_COUNTER: QuotaCounter,
} as const;

const settings: Partial<Bindings> = {
  BOOTSTRAP_API_KEY: OPERATOR_KEY,
  SEALING_KEYS: `k1:${btoa("0123456789abcdef0123456789abcdef")}`,
  RATE_LIMITS: "off",
  SERVER_TIMING: "off",
  PROVIDER_ENDPOINTS: "{}",
  OIDC_PROVIDERS: "[]",
  OPERATORS: "",
  ALLOWED_ORIGINS: "",
  STALL_SECONDS: "30",
};

export interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's shape is what each check asserts
  body: any;
}

/** A target and its instances. */
interface Place {
  capacity: number;
  targetId: string;
  instanceIds: readonly string[];
}

/** The start of every simulation in this process: the database with a tenant and what it needs. */
interface Ground {
  d1: Sqlite;
  tenantId: string;
  keys: readonly [asks: string, approves: string];
  templateId: string;
  places: readonly Place[];
  chance: { now: Random };
}

export class Simulation {
  readonly startMs = startMs;
  readonly time = new VirtualTime(startMs);
  readonly random: Random;
  readonly platform: Platform;
  readonly d1: Sqlite;
  readonly ground: Ground;
  /** Violations seen during the run. */
  readonly violations: string[] = [];
  /** Every call to the cloud, in order; the same for every run of one seed. */
  readonly trace: string[] = [];
  readonly #place: Place;
  #requests = 0;
  readonly #undo: () => void;

  private constructor(ground: Ground, place: Place, seed: number) {
    this.ground = ground;
    this.#place = place;
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
    const network = cloudNetworkOf(this.platform);
    this.platform.cloudNetwork = (call) => {
      this.#watch(call);
      return network(call);
    };
    this.platform.consume = (queue, body, env) => this.#consume(queue, body, env);
    this.platform.afterCall = (object) => this.#watchGate(object);
    this.platform.born = (object, instance) => this.#armCrash(object, instance);
    this.#undo = this.time.install(this.random);
  }

  /** Starts a simulation of two instances that share a target with `capacity` slots. Call `end` afterwards. */
  static async begin(seed: number, capacity: 1 | 2): Promise<Simulation> {
    ground ??= makeGround(
      (place, more) => new Simulation({ ...emptyGround, ...more } as Ground, place, 1),
    );
    const made = await ground;
    const place = made.places.find((one) => one.capacity === capacity) as Place;
    const simulation = new Simulation(made, place, seed);
    made.d1.script("SAVEPOINT simulation");
    simulation.#sweepEachMinute();
    return simulation;
  }

  get instanceIds(): readonly string[] {
    return this.#place.instanceIds;
  }

  end(): void {
    this.keep();
    this.d1.script("ROLLBACK TO simulation; RELEASE simulation");
  }

  /** Ends the simulation and keeps its writes. */
  keep(): void {
    startMs = this.time.nowMs + DAY_MS;
    this.#undo();
    this.platform.close();
  }

  ask(...request: Parameters<Simulation["send"]>): Promise<Answered> {
    return this.finish(`${request[0]} ${request[1]}`, this.send(...request));
  }

  /** Sends a request and repeats it until the response is known. Requires that time passes. */
  async send(
    method: string,
    path: string,
    body?: Json,
    more: { approver?: true; operator?: true } = {},
  ): Promise<Answered> {
    this.#requests += 1;
    const repeats = `request-${this.#requests}`;
    const [asks, approves] = this.ground.keys;
    const key = more.operator ? OPERATOR_KEY : more.approver ? approves : asks;
    const { weather } = this.platform;
    for (let attempt = 1; ; attempt += 1) {
      if (attempt === MAX_ATTEMPTS) this.platform.weather = fine;
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" ? {} : { "idempotency-key": repeats }),
      };
      const request = new Request(`https://control.test/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await app.fetch(request, this.platform.env, {
        waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
        passThroughOnException: () => undefined,
      } as unknown as ExecutionContext);
      if (response.status >= 500 && attempt < MAX_ATTEMPTS) continue;
      if (attempt >= MAX_ATTEMPTS) this.platform.weather = weather;
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    }
  }

  /** Advances time until `work` is done. */
  async finish<T>(what: string, work: Promise<T>): Promise<T> {
    let ended = false;
    work.then(
      () => (ended = true),
      () => (ended = true),
    );
    await this.time.passUntil(this.time.nowMs + 10 * MINUTE_MS, () => ended);
    if (!ended) throw new Error(`${what} was never answered`);
    return work;
  }

  async pass(ms: number): Promise<void> {
    await this.time.passUntil(this.time.nowMs + ms);
  }

  /** Runs without faults until no work is left. */
  async rest(): Promise<void> {
    this.platform.weather = fine;
    this.#crashes.clear();
    const untilMs = this.time.nowMs + 180 * MINUTE_MS;
    while (this.time.nowMs < untilMs) {
      await this.pass(5_000);
      if (this.unrest() === undefined) return;
    }
    throw new Error(`The service does not come to rest: ${this.unrest()}`);
  }

  runner(instance: number): SimulatedObject {
    return this.platform.object("INSTANCE_RUNNER", this.instanceIds[instance] ?? "");
  }

  get cloud(): SimulatedObject {
    return this.platform.object("MOCK_CLOUD", this.#place.targetId);
  }

  get gate(): SimulatedObject {
    return this.platform.object("TARGET_GATE", this.#place.targetId);
  }

  /** Describes work that is left; undefined: none. */
  unrest(): string | undefined {
    const [open] = this.d1.rows(
      "SELECT id, state FROM deployments WHERE state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING') AND tenant_id = ?",
      [this.ground.tenantId],
    );
    if (open !== undefined) return `${String(open["id"])} is ${String(open["state"])}`;
    if (this.platform.messages > 0) return "a message is in flight";
    for (const object of this.platform.objects.values()) {
      if (object.alarmRuns) return `the alarm of ${object.name} is running`;
      if (object.kind !== "INSTANCE_RUNNER" || object.life === undefined) continue;
      const left = object.storage.rows(
        `SELECT (SELECT count(*) FROM runs WHERE phase NOT IN ('closed', 'parked')) AS runs,
          (SELECT count(*) FROM snapshots WHERE number > acked) AS projections`,
      )[0];
      if (left?.["runs"] !== 0 || left["projections"] !== 0)
        return `runner ${object.name} has ${JSON.stringify(left)}, ${JSON.stringify(
          object.storage.rows(
            "SELECT deployment_id, phase, canceling FROM runs WHERE phase <> 'closed'",
          ),
        )}, its alarm is set for ${object.alarmAtMs}`;
    }
    if (this.gate.life === undefined) return undefined;
    const [slot] = this.gate.storage.rows(
      "SELECT deployment_id AS id FROM places WHERE lease_until_ms >= ?",
      [this.time.nowMs],
    );
    // A slot that was not released lapses.
    return slot === undefined ? undefined : `${String(slot["id"])} keeps its place at the gate`;
  }

  #sweepEachMinute(): void {
    this.time.after(MINUTE_MS, () => {
      this.#sweepEachMinute();
      void sweepDeployments(this.platform.env, this.time.nowMs).catch(() => undefined);
    });
  }

  async #consume(queue: string, body: unknown, env: Bindings): Promise<void> {
    if (queue !== "control-deployments") return;
    let again = false;
    const message = {
      id: "message",
      body,
      attempts: 1,
      timestamp: new Date(this.time.nowMs),
      ack: () => undefined,
      retry: () => (again = true),
    };
    await consumeDeployments({ queue, messages: [message] } as unknown as MessageBatch, env);
    if (again) throw new Error("Deliver it again");
  }

  /** A run must hold a slot whenever it changes the cloud, unless it is canceling and only finishes its calls. */
  #watch({ asker, request }: CloudCall): void {
    const { pathname } = new URL(request.url);
    this.trace.push(
      `${this.time.nowMs - this.startMs} ${request.method} ${pathname.split("/")[2]}`,
    );
    if (asker === undefined || request.method === "GET") return;
    const [run] = asker.storage.rows(
      "SELECT deployment_id AS id, canceling FROM runs WHERE phase = 'applying'",
    );
    if (run === undefined) {
      this.violations.push(`${request.method} ${pathname}: no run applies`);
      return;
    }
    if (run["canceling"] === 1) return;
    const [place] = this.gate.storage.rows(
      "SELECT holds, lease_until_ms AS untilMs FROM places WHERE deployment_id = ?",
      [run["id"]],
    );
    if (place?.["holds"] !== 1 || Number(place["untilMs"]) < this.time.nowMs)
      this.violations.push(`${String(run["id"])} changes the cloud without a slot`);
  }

  #watchGate(object: SimulatedObject): void {
    if (object.kind !== "TARGET_GATE") return;
    const held = object.storage.rows("SELECT count(*) AS held FROM places WHERE holds = 1")[0];
    if (Number(held?.["held"]) > this.#place.capacity)
      this.violations.push(
        `${String(held?.["held"])} slots of ${this.#place.capacity} were granted`,
      );
  }

  readonly #crashes = new Map<SimulatedObject, { when: "before" | "after"; commits: number[] }>();

  /** Kills the runner at the n-th commit from now, and after each restart at the next number. */
  crashAt(instance: number, when: "before" | "after", commits: readonly number[]): void {
    const runner = this.runner(instance);
    this.#crashes.set(runner, { when, commits: [...commits] });
    this.#armCrash(runner, this.platform.wake(runner).instance);
  }

  #armCrash(object: SimulatedObject, instance: object): void {
    if (object.kind !== "INSTANCE_RUNNER" || !this.#crashes.has(object)) return;
    let seen = 0;
    (instance as InstanceRunner).crashPoint = (when) => {
      const planned = this.#crashes.get(object);
      const [first] = planned?.commits ?? [];
      if (planned === undefined || when !== planned.when || first === undefined) return undefined;
      seen += 1;
      if (seen < first) return undefined;
      planned.commits.shift();
      this.platform.crash(object);
      return new Promise(() => undefined);
    };
  }
}

const emptyGround: Partial<Ground> = { tenantId: "", keys: ["", ""], templateId: "", places: [] };
let ground: Promise<Ground> | undefined;

async function makeGround(
  begin: (place: Place, more: Partial<Ground>) => Simulation,
): Promise<Ground> {
  // Load the provider first: an import takes real time.
  await providerFor("mock");
  const chance = { now: new Random(1) };
  const d1 = migratedSqlite(() => chance.now);
  const simulation = begin({ capacity: 0, targetId: "", instanceIds: [] }, { d1, chance });
  const make = async (path: string, body: Json) => {
    const { status, body: made } = await simulation.ask("POST", path, body, { operator: true });
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
    return made as { id: string; key: string };
  };
  const { id: tenantId } = await make("/tenants", { name: "Simulated", slug: "simulated" });
  const key = async (name: string) =>
    (await make("/api-keys", { name, scopes: ["*"], tenantId })).key;
  const keys = [await key("asks"), await key("approves")] as const;
  const source = sourceOf(firstProgram);
  const { id: templateId } = await make("/templates", { name: "simulated", source, tenantId });
  const places: Place[] = [];
  for (const capacity of [1, 2]) {
    const { id: targetId } = await make("/cloud/targets", {
      provider: "mock",
      name: `cloud ${capacity}`,
      config: {},
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
      maxConcurrentDeployments: capacity,
      tenantId,
    });
    const instanceIds: string[] = [];
    for (const name of ["first", "second"])
      instanceIds.push((await make("/instances", { name, templateId, targetId, tenantId })).id);
    places.push({ capacity, targetId, instanceIds });
  }
  simulation.keep();
  return { d1, tenantId, keys, templateId, places, chance };
}
