import type { Plan } from "#engine/plan/steps.ts";
import { readJson } from "#platform/json.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import type { Run, RunSpec } from "./run.ts";

export interface ParkedRun extends Pick<Run, "deploymentId" | "tenantId" | "instanceId"> {
  operation: DeploymentOperation;
  /** The state serial that the plan is bound to. */
  stateSerial: number;
  /** The time at which the plan expires, in epoch milliseconds. */
  untilMs: number;
}

interface RunRow {
  deployment_id: string;
  tenant_id: string;
  instance_id: string;
  phase: RunPhase;
  canceling: number;
  approved: number;
  ticket: number | null;
  projected: number;
  spec: string | null;
  plan: string | null;
}

/** The runs of the instance: queued, in progress, waiting, and ended ones whose logs are kept. */
export class RunsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS runs (
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
    ) WITHOUT ROWID`);
  }

  /** Does nothing if the run exists. */
  add(run: Pick<Run, "deploymentId" | "tenantId" | "instanceId">): void {
    this.#sql.exec(
      `INSERT INTO runs VALUES (?, ?, ?, 'waiting', 0, 0, NULL, 0, NULL, NULL) ON CONFLICT DO NOTHING`,
      run.deploymentId,
      run.tenantId,
      run.instanceId,
    );
  }

  /** Throws if the spec or the plan of an open run is not JSON. */
  get(deploymentId: string): Run | undefined {
    const row = this.#row(deploymentId);
    if (row === undefined) return undefined;
    const { spec, plan } = row.phase === "closed" ? { spec: null, plan: null } : row;
    return {
      ...partsOf(row),
      spec: spec === null ? null : (JSON.parse(spec) as RunSpec),
      plan: plan === null ? null : (JSON.parse(plan) as Plan),
    };
  }

  /** As `get`, with null for a spec or plan that is not JSON. */
  readable(deploymentId: string): Run | undefined {
    const row = this.#row(deploymentId);
    if (row === undefined) return undefined;
    return {
      ...partsOf(row),
      spec: (readJson(row.spec ?? "null") ?? null) as RunSpec | null,
      plan: (readJson(row.plan ?? "null") ?? null) as Plan | null,
    };
  }

  save(run: Run): void {
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

  /** Whether the run is open and not canceling yet. */
  isToCancel(deploymentId: string): boolean {
    return (
      this.#rows(
        "SELECT 1 FROM runs WHERE deployment_id = ? AND phase <> 'closed' AND canceling = 0",
        deploymentId,
      ).length > 0
    );
  }

  /** Marks the run as canceling. False: it has ended, or is marked already. */
  markCanceling(deploymentId: string): boolean {
    return (
      this.#rows(
        "UPDATE runs SET canceling = 1 WHERE deployment_id = ? AND phase <> 'closed' AND canceling = 0 RETURNING 1",
        deploymentId,
      ).length > 0
    );
  }

  /**
   * Closes the run. Keeps a spec or plan that is not JSON and, with `keepsPlan`, any plan, since the effect of its
   * steps cannot be told without it. Such a run is not pruned.
   */
  closeUnreadable({ deploymentId, projected }: Run, keepsPlan: boolean): void {
    this.#sql.exec(
      `UPDATE runs SET phase = 'closed', projected = ?,
        spec = CASE WHEN json_valid(spec) THEN NULL ELSE spec END,
        plan = CASE WHEN json_valid(plan) AND NOT ? THEN NULL ELSE plan END
        WHERE deployment_id = ?`,
      projected,
      Number(keepsPlan),
      deploymentId,
    );
  }

  remove(deploymentId: string): void {
    this.#sql.exec("DELETE FROM runs WHERE deployment_id = ?", deploymentId);
  }

  /** The run's phase, without loading its spec and plan. */
  phaseOf(deploymentId: string): RunPhase | undefined {
    const [row] = this.#rows<{ phase: RunPhase }>(
      "SELECT phase FROM runs WHERE deployment_id = ?",
      deploymentId,
    );
    return row?.phase;
  }

  anyOpen(): boolean {
    return this.#rows("SELECT 1 FROM runs WHERE phase <> 'closed' LIMIT 1").length > 0;
  }

  /**
   * The id of the run in progress, or else of the oldest open run. A parked run is not in this queue unless it is
   * canceling, or unreadable so that it cannot be applied.
   */
  nextId(): string | undefined {
    const [row] = this.#rows<{ id: string }>(
      `SELECT deployment_id AS id FROM runs WHERE phase NOT IN ('closed', 'parked')
        OR (phase = 'parked' AND (canceling = 1 OR NOT json_valid(spec) OR NOT json_valid(plan)))
        ORDER BY CASE phase WHEN 'applying' THEN 0 WHEN 'planning' THEN 1 WHEN 'parked' THEN 2 WHEN 'gate' THEN 3 ELSE 4 END,
          deployment_id LIMIT 1`,
    );
    return row?.id;
  }

  /** Whether another run is waiting to be next. */
  othersWait(deploymentId: string): boolean {
    const [row] = this.#rows(
      "SELECT 1 FROM runs WHERE phase IN ('waiting', 'gate') AND deployment_id <> ? LIMIT 1",
      deploymentId,
    );
    return row !== undefined;
  }

  /** Whether a run is planning or applying. */
  isBusy(): boolean {
    const [row] = this.#rows("SELECT 1 FROM runs WHERE phase IN ('planning', 'applying') LIMIT 1");
    return row !== undefined;
  }

  /** The runs whose plans wait for approval, except canceled and unreadable ones. */
  parked(): ParkedRun[] {
    return this.#rows<ParkedRun>(
      `SELECT deployment_id AS deploymentId, tenant_id AS tenantId, instance_id AS instanceId,
        json_extract(spec, '$.operation') AS operation,
        json_extract(spec, '$.approveUntilMs') AS untilMs,
        json_extract(plan, '$.stateSerial') AS stateSerial
        FROM runs WHERE phase = 'parked' AND canceling = 0 AND json_valid(spec) AND json_valid(plan)
        ORDER BY deployment_id`,
    );
  }

  /** The time at which the first parked run expires; undefined: there is none. */
  parkedUntilMs(): number | undefined {
    const times = this.parked().map(({ untilMs }) => untilMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The instance and its tenant, taken from any stored run. */
  owner(): { tenantId: string; instanceId: string } | undefined {
    const [row] = this.#rows<{ tenantId: string; instanceId: string }>(
      "SELECT tenant_id AS tenantId, instance_id AS instanceId FROM runs LIMIT 1",
    );
    return row;
  }

  /** The n-th newest run, counted from 1. */
  nthNewestId(n: number): string | undefined {
    const [row] = this.#rows<{ id: string }>(
      "SELECT deployment_id AS id FROM runs ORDER BY deployment_id DESC LIMIT 1 OFFSET ?",
      n - 1,
    );
    return row?.id;
  }

  /** The oldest closed runs before this one that hold nothing unreadable. */
  closedBefore(deploymentId: string, limit: number): string[] {
    return this.#rows<{ id: string }>(
      `SELECT deployment_id AS id FROM runs WHERE deployment_id < ? AND phase = 'closed'
        AND spec IS NULL AND plan IS NULL ORDER BY deployment_id LIMIT ?`,
      deploymentId,
      limit,
    ).map(({ id }) => id);
  }

  /** The oldest closed run; undefined: there is none. */
  firstClosedId(): string | undefined {
    const [row] = this.#rows<{ id: string }>(
      "SELECT deployment_id AS id FROM runs WHERE phase = 'closed' ORDER BY deployment_id LIMIT 1",
    );
    return row?.id;
  }

  #row(deploymentId: string): RunRow | undefined {
    return this.#rows<RunRow>("SELECT * FROM runs WHERE deployment_id = ?", deploymentId)[0];
  }

  #rows<T = unknown>(query: string, ...values: (string | number)[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }
}

function partsOf(row: RunRow): Omit<Run, "spec" | "plan"> {
  return {
    deploymentId: row.deployment_id,
    tenantId: row.tenant_id,
    instanceId: row.instance_id,
    phase: row.phase,
    canceling: row.canceling === 1,
    approved: row.approved === 1,
    ticket: row.ticket,
    projected: row.projected,
  };
}
