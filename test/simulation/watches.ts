/** The invariants that hold at every moment, checked while a simulation runs. */
import { storedPlaces } from "#test/support/places.ts";
import { columnsWithSecrets, showsSecret } from "./canaries.ts";
import { CommitWatch } from "./commit-watch.ts";
import type { CloudCall, Platform } from "./platform.ts";
import { Random } from "./random.ts";
import type { SimulatedObject } from "./simulated-object.ts";
import type { Sqlite } from "./sqlite.ts";
import { hasTable, openWork } from "./stored.ts";

/** The states in which a run holds a slot. */
const inProgress: ReadonlySet<string> = new Set(["PLANNING", "APPLYING", "CANCELING"]);

/** One commit in so many is followed by a search for secrets: all of them would take most of a run. */
const SEARCHED_COMMITS = 60;

export class Watches {
  readonly violations: string[] = [];
  /** Every call to the cloud, in order; the same for every run of one seed. */
  readonly trace: string[] = [];
  /** By deployment, the last entry of its journal when the cancel was stored. */
  readonly canceledAt = new Map<string, number>();
  readonly #platform: Platform;
  readonly #d1: Sqlite;
  readonly #gate: () => SimulatedObject;
  readonly #capacity: number;
  /** What D1 showed when it last went back. */
  readonly #stateBefore: (deploymentId: string) => string | undefined;
  /** Its own, so that a watch does not change the run. */
  readonly #random: Random;
  readonly #startMs: number;
  readonly #afterD1Commit: () => void;

  constructor(parts: {
    platform: Platform;
    d1: Sqlite;
    gate: () => SimulatedObject;
    capacity: number;
    stateBefore: (deploymentId: string) => string | undefined;
    /** Whether D1 has gone back to an earlier time: then what a commit tells may have been told before. */
    hasGoneBack: () => boolean;
    instanceIds: readonly string[];
    seed: number;
  }) {
    this.#platform = parts.platform;
    this.#d1 = parts.d1;
    this.#gate = parts.gate;
    this.#capacity = parts.capacity;
    this.#stateBefore = parts.stateBefore;
    this.#random = new Random(parts.seed);
    this.#startMs = parts.platform.time.nowMs;
    const commits = new CommitWatch(parts.d1, parts.instanceIds, (violation) =>
      this.report(violation),
    );
    this.#afterD1Commit = () => {
      if (!parts.hasGoneBack()) commits.committed();
    };
    parts.platform.afterTurn = (...turn) => this.#afterTurn(...turn);
    parts.platform.afterCommit = (object) => this.#afterCommit(object);
    parts.platform.queues.stored = (body) => {
      if (showsSecret(JSON.stringify(body))) this.report("A secret in a message of a queue");
    };
  }

  report(violation: string): void {
    if (!this.violations.includes(violation)) this.violations.push(violation);
  }

  /** A run must hold a slot whenever it changes the cloud, unless it is canceling and only finishes its calls. */
  call({ asker, request }: CloudCall): void {
    const { nowMs } = this.#platform.time;
    const { pathname } = new URL(request.url);
    this.trace.push(`${nowMs - this.#startMs} ${request.method} ${pathname.split("/")[2]}`);
    const changes = request.method !== "GET" && !pathname.startsWith("/v1/_");
    if (asker === undefined || !changes) return;
    if (request.method === "DELETE") this.#isUnused(asker, pathname.split("/")[3] ?? "");
    const [run] = asker.storage.rows(
      "SELECT deployment_id AS id, canceling FROM runs WHERE phase = 'applying'",
    );
    if (run === undefined) {
      this.report(`${request.method} ${pathname}: no run applies`);
      return;
    }
    if (run["canceling"] === 1) return;
    const gate = this.#gate();
    const place = storedPlaces((query) => gate.storage.rows(query)).find(
      ({ id }) => id === run["id"],
    );
    if (place?.holds !== 1 || place.untilMs < nowMs + gate.offsetMs)
      this.report(`${String(run["id"])} changes the cloud without a slot`);
  }

  /** Nothing of the same instance depends on what is deleted. */
  #isUnused(asker: SimulatedObject, id: string): void {
    const users = this.#gate().storage.rows(
      "SELECT object_id AS id FROM claims WHERE instance_id = ?",
      [asker.name],
    );
    const cloud = this.#platform.object("MOCK_CLOUD", this.#gate().name);
    const using = cloud.storage
      .rows("SELECT id FROM objects WHERE json_extract(properties, '$.network') = ?", [id])
      .filter((object) => users.some((user) => user["id"] === object["id"]));
    if (using.length > 0)
      this.report(`${id} was deleted while ${String(using[0]?.["id"])} was in it`);
  }

  /** Searches every store for secrets. */
  searchEverything(): void {
    this.#search("D1", this.#d1);
    for (const object of this.#platform.objects.values()) this.#searchObject(object);
  }

  #afterTurn(object: SimulatedObject, method?: string, args: readonly unknown[] = []): void {
    if (object.kind === "TARGET_GATE") this.#slotsAreBounded(object);
    if (object.kind === "TARGET_GATE" && method === "release") this.#endIsInD1(String(args[0]));
    if (object.kind === "INSTANCE_RUNNER") this.#workHasAnAlarm(object);
  }

  #slotsAreBounded(gate: SimulatedObject): void {
    const held = gate.storage.rows("SELECT 1 FROM slots").length;
    if (held > this.#capacity) this.report(`${held} slots of ${this.#capacity} were granted`);
  }

  /** A slot is given back when D1 knows the end, or that the plan waits: it may be approved or canceled by then. */
  #endIsInD1(deploymentId: string): void {
    const [row] = this.#d1.rows(
      "SELECT state, instance_id AS instanceId FROM deployments WHERE id = ?",
      [deploymentId],
    );
    if (!inProgress.has(String(row?.["state"]))) return;
    // D1 had the end, and went back before the slot did.
    if (!inProgress.has(this.#stateBefore(deploymentId) ?? "PLANNING")) return;
    const { storage } = this.#platform.object("INSTANCE_RUNNER", String(row?.["instanceId"]));
    const [run] = storage.rows("SELECT phase FROM runs WHERE deployment_id = ?", [deploymentId]);
    // Its wait for approval was over before the runner heard that D1 knew of it: now it waits for a slot again.
    if (run?.["phase"] === "parked" || run?.["phase"] === "gate") return;
    this.report(`${deploymentId} gave its slot back while it was ${String(row?.["state"])} in D1`);
  }

  /** A runner with work has an alarm, or nothing would ever continue it. */
  #workHasAnAlarm(runner: SimulatedObject): void {
    // The platform dropped the alarm, or will run it again: the sweep comes to such a runner.
    if (runner.life === undefined || runner.alarmRuns || runner.alarmLost) return;
    if (runner.alarmAtMs !== null) return;
    const work = openWork(runner);
    if (work.runs.length > 0 || work.unwritten.length > 0)
      this.report(`Runner ${runner.name} has ${JSON.stringify(work)} and no alarm`);
  }

  /** An alarm that works has set the next one: if the runner dies, that one starts it again. */
  #workHasALease(runner: SimulatedObject): void {
    if (runner.alarmRuns && runner.alarmAtMs === null)
      this.report(`Runner ${runner.name} works without a lease`);
  }

  /** Remembers how far the journal was when a run was canceled. */
  #noteCancels(runner: SimulatedObject): void {
    if (!hasTable(runner, "journal")) return;
    const found = runner.storage.rows(
      `SELECT deployment_id AS id, (SELECT max(seq) FROM journal j WHERE j.deployment_id = r.deployment_id) AS seq
        FROM runs r WHERE canceling = 1 AND phase = 'applying'`,
    );
    for (const { id, seq } of found)
      if (!this.canceledAt.has(String(id))) this.canceledAt.set(String(id), Number(seq ?? 0));
  }

  #afterCommit(object: SimulatedObject | undefined): void {
    if (object === undefined) this.#afterD1Commit();
    if (object?.kind === "INSTANCE_RUNNER") {
      this.#workHasALease(object);
      this.#noteCancels(object);
    }
    if (this.#random.below(SEARCHED_COMMITS) > 0) return;
    if (object === undefined) this.#search("D1", this.#d1);
    else this.#searchObject(object);
  }

  #searchObject(object: SimulatedObject): void {
    // The cloud is where the secrets belong.
    if (object.kind !== "MOCK_CLOUD") this.#search(object.kind, object.storage);
  }

  #search(where: string, database: Sqlite): void {
    for (const column of columnsWithSecrets(database))
      this.report(`A secret is readable in ${where}, ${column}`);
  }
}
