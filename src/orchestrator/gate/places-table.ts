/**
 * Who has a slot of the target and who waits for one. A run that finds a slot free at once, as most do, is one row, written
 * and removed once. Those with a slot are as few as the capacity; those that wait, however many, are found by index.
 */
import { PLACE_LEASE_MS } from "./place-lease.ts";
import { hasTable, RareTable } from "./rare-table.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

interface Placed {
  deploymentId: string;
  /** The instance whose runner is notified when a slot is free. */
  instanceId: string;
}

/** `isNew`: it had none before. `ticket`: the place in the queue; the lowest is served first. */
export type Place = { granted: true; isNew: boolean } | { granted: false; ticket: number };

export class PlacesTable {
  readonly #sql: SqlStorage;
  /** A ticket is never given twice. */
  readonly #queue: RareTable;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#queue = new RareTable(
      sql,
      "queue",
      `CREATE TABLE queue (
        ticket INTEGER PRIMARY KEY AUTOINCREMENT,
        deployment_id TEXT NOT NULL UNIQUE,
        instance_id TEXT NOT NULL,
        lease_until_ms INTEGER NOT NULL
      )`,
      "CREATE INDEX queue_by_lease ON queue (lease_until_ms)",
    );
    sql.exec(`CREATE TABLE IF NOT EXISTS slots (
      deployment_id TEXT PRIMARY KEY,
      instance_id TEXT NOT NULL,
      lease_until_ms INTEGER NOT NULL
    ) WITHOUT ROWID`);
    sql.exec(`CREATE TABLE IF NOT EXISTS target (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      capacity INTEGER NOT NULL
    )`);
    if (hasTable(sql, "places")) this.#takeOldPlaces();
  }

  /** Earlier versions kept both in one table. */
  #takeOldPlaces(): void {
    this.#queue.make();
    this.#sql.exec(
      `INSERT OR REPLACE INTO slots SELECT deployment_id, instance_id, lease_until_ms FROM places WHERE holds = 1`,
    );
    // With all tickets at first: the next one is higher than any that was given.
    this.#sql.exec(
      `INSERT OR REPLACE INTO queue SELECT ticket, deployment_id, instance_id, lease_until_ms FROM places`,
    );
    this.#sql.exec("DELETE FROM queue WHERE deployment_id IN (SELECT deployment_id FROM slots)");
    this.#sql.exec("DROP TABLE places");
  }

  /** A transaction was rolled back. */
  forget(): void {
    this.#queue.forget();
  }

  /** The newest version of the target wins; within one version, the last call. */
  setCapacity(capacity: number, version: number): void {
    this.#sql.exec(
      `INSERT INTO target VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, capacity = excluded.capacity
        WHERE excluded.version > version OR (excluded.version = version AND excluded.capacity <> capacity)`,
      version,
      capacity,
    );
  }

  /** Gives the run the slot that is free, or renews what it has; else it waits at the end of the queue. */
  take({ deploymentId, instanceId }: Placed, nowMs: number): Place {
    const untilMs = nowMs + SLOT_LEASE_MS;
    const renewed = this.#rows(
      "UPDATE slots SET lease_until_ms = ? WHERE deployment_id = ? RETURNING 1",
      untilMs,
      deploymentId,
    );
    if (renewed.length > 0) return { granted: true, isNew: false };
    const first = this.firstWaiting();
    const isFirst = first === undefined || first.deploymentId === deploymentId;
    if (isFirst && this.hasFreeSlot()) {
      if (first !== undefined) this.#leaveQueue(deploymentId);
      this.#sql.exec("INSERT INTO slots VALUES (?, ?, ?)", deploymentId, instanceId, untilMs);
      return { granted: true, isNew: true };
    }
    return { granted: false, ticket: this.#wait({ deploymentId, instanceId }, nowMs) };
  }

  #wait({ deploymentId, instanceId }: Placed, nowMs: number): number {
    this.#queue.make();
    const untilMs = nowMs + PLACE_LEASE_MS;
    const [renewed] = this.#rows<{ ticket: number }>(
      "UPDATE queue SET lease_until_ms = ? WHERE deployment_id = ? RETURNING ticket",
      untilMs,
      deploymentId,
    );
    if (renewed !== undefined) return renewed.ticket;
    const { ticket } = this.#sql
      .exec(
        "INSERT INTO queue (deployment_id, instance_id, lease_until_ms) VALUES (?, ?, ?) RETURNING ticket",
        deploymentId,
        instanceId,
        untilMs,
      )
      .one();
    return Number(ticket);
  }

  /** Gives up the run's slot, or its place in the queue. */
  leave(deploymentId: string): void {
    this.#sql.exec("DELETE FROM slots WHERE deployment_id = ?", deploymentId);
    this.#leaveQueue(deploymentId);
  }

  dropLapsed(nowMs: number, exceptId = ""): void {
    for (const table of this.#queue.exists ? ["slots", "queue"] : ["slots"])
      this.#sql.exec(
        `DELETE FROM ${table} WHERE lease_until_ms < ? AND deployment_id <> ?`,
        nowMs,
        exceptId,
      );
  }

  hasFreeSlot(): boolean {
    const [target] = this.#rows<{ free: number }>(
      "SELECT (SELECT count(*) FROM slots) < capacity AS free FROM target",
    );
    return target?.free === 1;
  }

  firstWaiting(): Placed | undefined {
    if (!this.#queue.exists) return undefined;
    const [first] = this.#rows<Placed>(
      `SELECT deployment_id AS deploymentId, instance_id AS instanceId FROM queue ORDER BY ticket LIMIT 1`,
    );
    return first;
  }

  #leaveQueue(deploymentId: string): void {
    if (this.#queue.exists)
      this.#sql.exec("DELETE FROM queue WHERE deployment_id = ?", deploymentId);
  }

  #rows<T = unknown>(query: string, ...values: (string | number)[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }
}
