import {
  emptySnapshot,
  endedInD1,
  type Ending,
  type Origin,
  type Snapshot,
} from "#orchestrator/projection/snapshot.ts";
import type { PlanDecision } from "#schema/deployments.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import type { Run } from "./run.ts";

/** The columns beside a snapshot, which are large and written once. */
export interface SnapshotParts {
  /** The changes of the plan, as D1 shows them. */
  plan?: unknown[];
  origin?: Origin;
}

/** A row of the runner's storage holds 2 MB. A larger plan is not kept, so it cannot be restored. */
const MAX_PLAN_CHARS = 1_000_000;
const MAX_ORIGIN_CHARS = 800_000;

/** A snapshot of each deployment. It stays after D1 has it, because D1 can be restored to an earlier time. */
export class SnapshotsTable {
  readonly #sql: SqlStorage;
  /** The ids of all snapshots that D1 may lack, and perhaps of others; undefined: not read yet. */
  #pending: Set<string> | undefined;
  /** D1's answers for the snapshots of runs that plan or apply. They are written with the next change. */
  readonly #acknowledged = new Map<string, Snapshot>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS snapshots (
      deployment_id TEXT PRIMARY KEY,
      number INTEGER NOT NULL,
      acked INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      body TEXT NOT NULL,
      plan TEXT,
      origin TEXT
    ) WITHOUT ROWID`);
  }

  get(deploymentId: string): Snapshot | undefined {
    const acknowledged = this.#acknowledged.get(deploymentId);
    if (acknowledged !== undefined) return acknowledged;
    const [row] = this.#rows<{ body: string }>(
      "SELECT body FROM snapshots WHERE deployment_id = ?",
      deploymentId,
    );
    return row && (JSON.parse(row.body) as Snapshot);
  }

  has(deploymentId: string): boolean {
    return this.get(deploymentId) !== undefined;
  }

  /**
   * Keeps D1's answer for a snapshot. While the run plans or applies, it is not written yet. If it is lost with the
   * object, the snapshot is compared with D1 once more.
   */
  acknowledge(snapshot: Snapshot): void {
    const { deploymentId, number, acked, state } = snapshot;
    const isUnderWay = state === "PLANNING" || state === "APPLYING";
    if (!isUnderWay || number > acked) {
      this.put(snapshot);
      return;
    }
    this.#acknowledged.set(deploymentId, snapshot);
    this.#loadPending().delete(deploymentId);
  }

  /** Absent parts stay unchanged. */
  put(snapshot: Snapshot, { plan, origin }: SnapshotParts = {}): void {
    const { deploymentId, number, acked, atMs } = snapshot;
    this.#acknowledged.delete(deploymentId);
    this.#sql.exec(
      `INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (deployment_id) DO UPDATE SET number = ?2, acked = ?3, at_ms = ?4, body = ?5,
          plan = coalesce(?6, plan), origin = coalesce(?7, origin)`,
      deploymentId,
      number,
      acked,
      atMs,
      JSON.stringify(snapshot),
      textWithin(MAX_PLAN_CHARS, plan),
      textWithin(MAX_ORIGIN_CHARS, origin),
    );
    if (number > acked) this.#loadPending().add(deploymentId);
    else this.#loadPending().delete(deploymentId);
  }

  /** Follows D1, in which the deployment has ended. */
  end(
    run: Pick<Run, "deploymentId" | "tenantId" | "instanceId" | "projected">,
    ending: Ending,
  ): void {
    const before = this.get(run.deploymentId) ?? emptySnapshot(run, run.projected);
    this.put(endedInD1(before, ending));
  }

  /** Keeps what people decided on the plan, which a request wrote to D1. */
  keepDecisions(deploymentId: string, decisions: readonly PlanDecision[]): void {
    const before = this.get(deploymentId);
    if (before === undefined || decisions.length === 0) return;
    this.put({ ...before, fields: { ...before.fields, decisions: [...decisions] } });
  }

  partsOf(deploymentId: string): SnapshotParts {
    const [row] = this.#rows<{ plan: string | null; origin: string | null }>(
      "SELECT plan, origin FROM snapshots WHERE deployment_id = ?",
      deploymentId,
    );
    return {
      ...(row?.plan == null ? {} : { plan: JSON.parse(row.plan) as unknown[] }),
      ...(row?.origin == null ? {} : { origin: JSON.parse(row.origin) as Origin }),
    };
  }

  /** The deployment's operation and provider; undefined: the run has shown nothing to D1. */
  aboutOf(deploymentId: string): { operation: string; provider: string } | undefined {
    const [row] = this.#rows<{ operation: string; provider: string }>(
      `SELECT origin ->> '$.operation' AS operation, origin ->> '$.inputs.target.provider' AS provider
        FROM snapshots WHERE deployment_id = ? AND origin IS NOT NULL`,
      deploymentId,
    );
    return row;
  }

  /** Whether D1 may lack the newest projection of the deployment. */
  isPending(deploymentId: string): boolean {
    if (!this.#loadPending().has(deploymentId)) return false;
    const [row] = this.#rows(
      "SELECT 1 FROM snapshots WHERE deployment_id = ? AND number > acked",
      deploymentId,
    );
    // A failed commit left the id behind.
    if (row === undefined) this.#loadPending().delete(deploymentId);
    return row !== undefined;
  }

  firstPending(): string | undefined {
    for (const id of this.#loadPending()) if (this.isPending(id)) return id;
    return undefined;
  }

  /** Whether the deployment has ended by its snapshot, so that its run may be pruned. */
  hasEnded(deploymentId: string): boolean {
    const { state } = this.get(deploymentId) ?? {};
    return state !== undefined && isFinal(state);
  }

  /** The ids after this one, in order. */
  idsAfter(deploymentId: string, limit: number): string[] {
    return this.#rows<{ id: string }>(
      "SELECT deployment_id AS id FROM snapshots WHERE deployment_id > ? ORDER BY deployment_id LIMIT ?",
      deploymentId,
      limit,
    ).map(({ id }) => id);
  }

  /** The time of the oldest snapshot's last change; undefined: there is none. */
  oldestAtMs(): number | undefined {
    const [row] = this.#rows<{ atMs: number }>(
      "SELECT at_ms AS atMs FROM snapshots ORDER BY deployment_id LIMIT 1",
    );
    return row?.atMs;
  }

  /**
   * Removes up to `limit` of the oldest snapshots: those last changed before the time and those beyond `kept`, unless
   * D1 lacks them or their run is open. Returns their number.
   */
  prune(beforeMs: number, kept: number, limit: number): number {
    return this.#rows(
      `DELETE FROM snapshots WHERE deployment_id IN (
          SELECT deployment_id FROM snapshots ORDER BY deployment_id LIMIT ?3)
        AND number = acked
        AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.deployment_id = snapshots.deployment_id AND r.phase <> 'closed')
        AND (at_ms < ?1 OR deployment_id <= coalesce(
          (SELECT deployment_id FROM snapshots ORDER BY deployment_id DESC LIMIT 1 OFFSET ?2), ''))
        RETURNING 1`,
      beforeMs,
      kept,
      limit,
    ).length;
  }

  #loadPending(): Set<string> {
    this.#pending ??= new Set(
      this.#rows<{ id: string }>(
        "SELECT deployment_id AS id FROM snapshots WHERE number > acked ORDER BY deployment_id",
      ).map(({ id }) => id),
    );
    return this.#pending;
  }

  #rows<T = unknown>(query: string, ...values: (string | number)[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }
}

function textWithin(maxChars: number, part: unknown): string | null {
  const text = part === undefined ? null : JSON.stringify(part);
  return text === null || text.length > maxChars ? null : text;
}
