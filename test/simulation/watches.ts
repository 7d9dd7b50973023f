/** The invariants that hold at every moment, checked while a simulation runs. */
import { columnsWithSecrets, showsSecret } from "./canaries.ts";
import type { CloudCall, Platform } from "./platform.ts";
import { Random } from "./random.ts";
import type { SimulatedObject } from "./simulated-object.ts";
import type { Sqlite } from "./sqlite.ts";
import { openWork } from "./stored.ts";

/** One commit in so many is followed by a search for secrets: all of them would take most of a run. */
const SEARCHED_COMMITS = 60;

export class Watches {
  readonly violations: string[] = [];
  /** Every call to the cloud, in order; the same for every run of one seed. */
  readonly trace: string[] = [];
  readonly #platform: Platform;
  readonly #d1: Sqlite;
  readonly #gate: () => SimulatedObject;
  readonly #capacity: number;
  /** Its own, so that a watch does not change the run. */
  readonly #random: Random;
  readonly #startMs: number;

  constructor(parts: {
    platform: Platform;
    d1: Sqlite;
    gate: () => SimulatedObject;
    capacity: number;
    seed: number;
  }) {
    this.#platform = parts.platform;
    this.#d1 = parts.d1;
    this.#gate = parts.gate;
    this.#capacity = parts.capacity;
    this.#random = new Random(parts.seed);
    this.#startMs = parts.platform.time.nowMs;
    parts.platform.afterTurn = (object) => this.#afterTurn(object);
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
    if (asker === undefined || request.method === "GET") return;
    const [run] = asker.storage.rows(
      "SELECT deployment_id AS id, canceling FROM runs WHERE phase = 'applying'",
    );
    if (run === undefined) {
      this.report(`${request.method} ${pathname}: no run applies`);
      return;
    }
    if (run["canceling"] === 1) return;
    const gate = this.#gate();
    const [place] = gate.storage.rows(
      "SELECT holds, lease_until_ms AS untilMs FROM places WHERE deployment_id = ?",
      [run["id"]],
    );
    if (place?.["holds"] !== 1 || Number(place["untilMs"]) < nowMs + gate.offsetMs)
      this.report(`${String(run["id"])} changes the cloud without a slot`);
  }

  /** Searches every store for secrets. */
  searchEverything(): void {
    this.#search("D1", this.#d1);
    for (const object of this.#platform.objects.values()) this.#searchObject(object);
  }

  #afterTurn(object: SimulatedObject): void {
    if (object.kind === "TARGET_GATE") this.#slotsAreBounded(object);
    if (object.kind === "INSTANCE_RUNNER") this.#workHasAnAlarm(object);
  }

  #slotsAreBounded(gate: SimulatedObject): void {
    const [row] = gate.storage.rows("SELECT count(*) AS held FROM places WHERE holds = 1");
    if (Number(row?.["held"]) > this.#capacity)
      this.report(`${String(row?.["held"])} slots of ${this.#capacity} were granted`);
  }

  /** A runner with work has an alarm, or nothing would ever continue it. */
  #workHasAnAlarm(runner: SimulatedObject): void {
    // The platform dropped the alarm, or will run it again: the sweep comes to such a runner.
    if (runner.life === undefined || runner.alarmRuns || runner.alarmLost) return;
    if (runner.alarmAtMs !== null) return;
    const work = openWork(runner);
    if (work.runs > 0 || work.unwritten > 0)
      this.report(`Runner ${runner.name} has ${JSON.stringify(work)} and no alarm`);
  }

  #afterCommit(object: SimulatedObject | undefined): void {
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
