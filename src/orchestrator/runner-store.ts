/**
 * What a runner keeps in its own SQLite: the runs, their journal, the resources, the projections D1 has yet to
 * take in. Every method is one synchronous piece of a transaction; `atomically` makes several one.
 */
import type { DeploymentInputs, DeploymentOperation } from "#areas/deployments/tables.ts";
import type { InstanceStatus } from "#areas/instances/tables.ts";
import type { Plan } from "#engine/steps.ts";
import { firstIdAt } from "#platform/ids.ts";
import type { Entry, JournalRow } from "./journal.ts";
import type { Projection } from "./projection.ts";

/** The logs that are kept of an instance's deployments. */
const KEPT_LOGS = 50;
const KEPT_LOGS_MS = 30 * 24 * 60 * 60 * 1000;
/** What is forgotten at a time, at most: runs, and entries of each. */
const PRUNED_RUNS = 5;
const PRUNED_ENTRIES = 1_000;

/** Where a run stands. `waiting`: rung, not looked at. `parked`: its plan waits for approval, it holds nothing. */
export type Phase = "waiting" | "gate" | "planning" | "parked" | "applying" | "closed";

export interface RunSpec {
  operation: DeploymentOperation;
  inputs: DeploymentInputs;
  /** The source of the template's version; null for a destroy. */
  source: string | null;
  /** The instance's state when the run began to plan. */
  instanceState: InstanceStatus;
  /** Set while its plan waits for approval: it expires then. */
  approveUntilMs?: number;
}

export interface Run {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  phase: Phase;
  /** Somebody asked to stop: nothing new is started. */
  canceling: boolean;
  /** Its plan was approved. */
  approved: boolean;
  /** The place in the target's queue that D1 was told. */
  ticket: number | null;
  /** The last projection made, by its number. */
  projected: number;
  /** Known from the moment the run is looked at until it is closed. */
  spec: RunSpec | null;
  plan: Plan | null;
}

/** `drift`: DRIFTED while any resource is, as far as D1 was told. */
type Fact = "serial" | "position" | "outputs" | "outputKey" | "drift";

export interface ParkedRun extends Pick<Run, "deploymentId" | "tenantId" | "instanceId"> {
  operation: DeploymentOperation;
  /** Of what its plan was made. */
  stateSerial: number;
  /** When it expires, in epoch milliseconds. */
  untilMs: number;
}

/** Over: what it was made of is needed no more. */
export function close(run: Run): void {
  run.phase = "closed";
  run.spec = null;
  run.plan = null;
}

interface RunRow {
  deployment_id: string;
  tenant_id: string;
  instance_id: string;
  phase: Phase;
  canceling: number;
  approved: number;
  ticket: number | null;
  projected: number;
  spec: string | null;
  plan: string | null;
}

interface JournalColumns {
  seq: number;
  at_ms: number;
  step: string | null;
  resource: string | null;
  entry: string;
}

export class RunnerStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS runs (
        deployment_id TEXT PRIMARY KEY,
        tenant_id TEXT NOT NULL,
        instance_id TEXT NOT NULL,
        phase TEXT NOT NULL,
        canceling INTEGER NOT NULL,
        approved INTEGER NOT NULL,
        ticket INTEGER,
        projected INTEGER NOT NULL,
        spec TEXT,
        plan TEXT
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS journal (
        deployment_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        step TEXT,
        resource TEXT,
        entry TEXT NOT NULL,
        PRIMARY KEY (deployment_id, seq)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS resources (
        key TEXT PRIMARY KEY,
        condemned INTEGER NOT NULL,
        position INTEGER NOT NULL,
        body TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS projections (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        body TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    `);
  }

  atomically<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  // Runs

  addRun(run: Pick<Run, "deploymentId" | "tenantId" | "instanceId">): void {
    this.#sql.exec(
      `INSERT INTO runs VALUES (?, ?, ?, 'waiting', 0, 0, NULL, 0, NULL, NULL) ON CONFLICT DO NOTHING`,
      run.deploymentId,
      run.tenantId,
      run.instanceId,
    );
  }

  run(deploymentId: string): Run | undefined {
    return this.#runs("WHERE deployment_id = ?", deploymentId)[0];
  }

  /** Where it stands, without all that a run holds. */
  phaseOf(deploymentId: string): Phase | undefined {
    const [row] = this.#sql
      .exec("SELECT phase FROM runs WHERE deployment_id = ?", deploymentId)
      .toArray() as unknown as { phase: Phase }[];
    return row?.phase;
  }

  /**
   * The id of the run in progress; else of the one that was asked for first. A parked run waits outside the
   * queue, unless it is to be canceled.
   */
  nextRunId(): string | undefined {
    const [row] = this.#sql
      .exec(
        `SELECT deployment_id AS id FROM runs WHERE phase NOT IN ('closed', 'parked') OR (phase = 'parked' AND canceling = 1)
          ORDER BY CASE phase WHEN 'applying' THEN 0 WHEN 'planning' THEN 1 WHEN 'parked' THEN 2 WHEN 'gate' THEN 3 ELSE 4 END,
            deployment_id LIMIT 1`,
      )
      .toArray() as unknown as { id: string }[];
    return row?.id;
  }

  /** Another run than this one waits for its turn. */
  othersWait(deploymentId: string): boolean {
    return (
      this.#sql
        .exec(
          "SELECT 1 FROM runs WHERE phase IN ('waiting', 'gate') AND deployment_id <> ? LIMIT 1",
          deploymentId,
        )
        .toArray().length > 0
    );
  }

  /** A run is at work on the instance. */
  isBusy(): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM runs WHERE phase IN ('planning', 'applying') LIMIT 1").toArray()
        .length > 0
    );
  }

  /** The runs whose plans wait for approval. */
  parked(): ParkedRun[] {
    return this.#sql
      .exec(
        `SELECT deployment_id AS deploymentId, tenant_id AS tenantId, instance_id AS instanceId,
          json_extract(spec, '$.operation') AS operation,
          json_extract(spec, '$.approveUntilMs') AS untilMs,
          json_extract(plan, '$.stateSerial') AS stateSerial
          FROM runs WHERE phase = 'parked' AND canceling = 0 ORDER BY deployment_id`,
      )
      .toArray() as unknown as ParkedRun[];
  }

  /** When the first of them expires; undefined: none waits. */
  parkedUntilMs(): number | undefined {
    const times = this.parked().map(({ untilMs }) => untilMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Something is yet to be done: a run, or a projection that D1 has not taken in. */
  hasWork(): boolean {
    return this.nextRunId() !== undefined || this.firstProjection() !== undefined;
  }

  /** Whose instance this is, from any run there was. */
  owner(): { tenantId: string; instanceId: string } | undefined {
    const [row] = this.#sql
      .exec("SELECT tenant_id AS tenantId, instance_id AS instanceId FROM runs LIMIT 1")
      .toArray() as unknown as { tenantId: string; instanceId: string }[];
    return row;
  }

  saveRun(run: Run): void {
    this.#sql.exec(
      `UPDATE runs SET phase = ?, canceling = ?, approved = ?, ticket = ?, projected = ?, spec = ?, plan = ? WHERE deployment_id = ?`,
      run.phase,
      Number(run.canceling),
      Number(run.approved),
      run.ticket,
      run.projected,
      run.spec === null ? null : JSON.stringify(run.spec),
      run.plan === null ? null : JSON.stringify(run.plan),
      run.deploymentId,
    );
  }

  #runs(where: string, ...values: string[]): Run[] {
    return (
      this.#sql.exec(`SELECT * FROM runs ${where}`, ...values).toArray() as unknown as RunRow[]
    ).map((row) => ({
      deploymentId: row.deployment_id,
      tenantId: row.tenant_id,
      instanceId: row.instance_id,
      phase: row.phase,
      canceling: row.canceling === 1,
      approved: row.approved === 1,
      ticket: row.ticket,
      projected: row.projected,
      spec: row.spec === null ? null : (JSON.parse(row.spec) as RunSpec),
      plan: row.plan === null ? null : (JSON.parse(row.plan) as Plan),
    }));
  }

  // Journal

  append(
    deploymentId: string,
    atMs: number,
    step: { id: string; resource: string } | null,
    entry: Entry,
  ): JournalRow {
    const [row] = this.#sql
      .exec(
        `INSERT INTO journal (deployment_id, seq, at_ms, step, resource, entry)
          SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM journal WHERE deployment_id = ?1 RETURNING seq`,
        deploymentId,
        atMs,
        step?.id ?? null,
        step?.resource ?? null,
        JSON.stringify(entry),
      )
      .toArray() as unknown as { seq: number }[];
    return {
      seq: row?.seq ?? 0,
      atMs,
      step: step?.id ?? null,
      resource: step?.resource ?? null,
      entry,
    };
  }

  hasJournal(deploymentId: string): boolean {
    return (
      this.#sql
        .exec("SELECT 1 FROM journal WHERE deployment_id = ? LIMIT 1", deploymentId)
        .toArray().length > 0
    );
  }

  /**
   * Forgets the logs, and the runs, of old deployments: those that ended and are older than 30 days or not among the
   * newest 50. A bounded piece of it each time.
   */
  prune(nowMs: number): void {
    const [kept] = this.#sql
      .exec(
        "SELECT deployment_id AS id FROM runs ORDER BY deployment_id DESC LIMIT 1 OFFSET ?",
        KEPT_LOGS - 1,
      )
      .toArray() as unknown as { id: string }[];
    const oldest = firstIdAt(nowMs - KEPT_LOGS_MS);
    const before = kept !== undefined && kept.id > oldest ? kept.id : oldest;
    const old = this.#sql
      .exec(
        `SELECT deployment_id AS id FROM runs WHERE deployment_id < ? AND phase = 'closed'
          AND NOT EXISTS (SELECT 1 FROM projections WHERE json_extract(body, '$.deploymentId') = deployment_id)
          ORDER BY deployment_id LIMIT ?`,
        before,
        PRUNED_RUNS,
      )
      .toArray() as unknown as { id: string }[];
    for (const { id } of old)
      this.atomically(() => {
        this.#sql.exec(
          `DELETE FROM journal WHERE deployment_id = ?1 AND seq <=
            (SELECT min(seq) FROM journal WHERE deployment_id = ?1) + ?2`,
          id,
          PRUNED_ENTRIES,
        );
        if (!this.hasJournal(id)) this.#sql.exec("DELETE FROM runs WHERE deployment_id = ?", id);
      });
  }

  journal(deploymentId: string, afterSeq: number, limit: number): JournalRow[] {
    return [
      ...this.#journal(
        `SELECT seq, at_ms, step, resource, entry FROM journal WHERE deployment_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
        deploymentId,
        afterSeq,
        limit,
      ),
    ];
  }

  /** All of a run's journal, a row at a time: it may be long. */
  wholeJournal(deploymentId: string): Iterable<JournalRow> {
    return this.#journal(
      `SELECT seq, at_ms, step, resource, entry FROM journal WHERE deployment_id = ? ORDER BY seq`,
      deploymentId,
    );
  }

  *#journal(query: string, ...values: (string | number)[]): Generator<JournalRow> {
    for (const found of this.#sql.exec(query, ...values)) {
      const row = found as unknown as JournalColumns;
      yield {
        seq: row.seq,
        atMs: row.at_ms,
        step: row.step,
        resource: row.resource,
        entry: JSON.parse(row.entry) as Entry,
      };
    }
  }

  // Resources: encoded by the caller, since sealing is asynchronous and a transaction is not.

  resources(): { condemned: boolean; body: string }[] {
    return (
      this.#sql
        .exec("SELECT condemned, body FROM resources ORDER BY position")
        .toArray() as unknown as {
        condemned: number;
        body: string;
      }[]
    ).map((row) => ({ condemned: row.condemned === 1, body: row.body }));
  }

  /** A key that is known keeps its position, as a map in memory does. */
  putResource(key: string, condemned: boolean, position: number, body: string): void {
    this.#sql.exec(
      `INSERT INTO resources VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET condemned = excluded.condemned, body = excluded.body`,
      key,
      Number(condemned),
      position,
      body,
    );
  }

  removeResource(key: string): void {
    this.#sql.exec("DELETE FROM resources WHERE key = ?", key);
  }

  // Projections: decided, not yet taken in by D1.

  addProjection(projection: Projection): void {
    this.#sql.exec("INSERT INTO projections (body) VALUES (?)", JSON.stringify(projection));
  }

  firstProjection(): { seq: number; projection: Projection } | undefined {
    const [row] = this.#sql
      .exec("SELECT seq, body FROM projections ORDER BY seq LIMIT 1")
      .toArray() as unknown as { seq: number; body: string }[];
    return row && { seq: row.seq, projection: JSON.parse(row.body) as Projection };
  }

  /** True while D1 has yet to take something in of this deployment. */
  projects(deploymentId: string): boolean {
    return (
      this.#sql
        .exec(
          "SELECT 1 FROM projections WHERE json_extract(body, '$.deploymentId') = ? LIMIT 1",
          deploymentId,
        )
        .toArray().length > 0
    );
  }

  removeProjection(seq: number): void {
    this.#sql.exec("DELETE FROM projections WHERE seq = ?", seq);
  }

  // Facts about the instance as a whole

  serial(): number {
    return Number(this.fact("serial") ?? "0");
  }

  fact(name: Fact): string | undefined {
    const [row] = this.#sql
      .exec("SELECT value FROM facts WHERE name = ?", name)
      .toArray() as unknown as { value: string }[];
    return row?.value;
  }

  setFact(name: Fact, value: string): void {
    this.#sql.exec(
      "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }
}
