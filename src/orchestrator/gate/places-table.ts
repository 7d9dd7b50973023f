/**
 * The runs that hold a slot of the target, and the runs that wait for one. Most runs find a free slot at once: such a
 * run is one row, written and removed once.
 *
 * At a target that tenants share, the next free slot goes to the waiting tenant with the fewest slots. Among equal
 * tenants it goes to the one whose turn is longest ago, and within a tenant to the run that waits longest. If the
 * target has several slots, a tenant that holds all but one does not get the last (decision 0058). At a tenant's own
 * target all runs have the same tenant, so they are served first come, first served.
 *
 * A request reads at most as many rows as the target has slots, however many wait.
 */
import { PLACE_LEASE_MS } from "./place-lease.ts";
import { RareTable } from "./rare-table.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

export interface Placed {
  deploymentId: string;
  /** The instance whose runner is notified when a slot is free. */
  instanceId: string;
  /** The run's tenant, at a target that tenants share; "" at a tenant's own target. */
  tenantId: string;
}

/** `isNew`: the run had no slot before. `ticket`: the place in the queue; a tenant's lowest is served first. */
export type Place = { granted: true; isNew: boolean } | { granted: false; ticket: number };

export class PlacesTable {
  readonly #sql: SqlStorage;
  /** A ticket is never given twice. `turns`: the waiting tenants, in the order of their turns. */
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
        tenant_id TEXT NOT NULL,
        lease_until_ms INTEGER NOT NULL
      )`,
      "CREATE INDEX queue_by_lease ON queue (lease_until_ms)",
      "CREATE INDEX queue_by_tenant ON queue (tenant_id, ticket)",
      "CREATE TABLE turns (turn INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL UNIQUE)",
    );
    sql.exec(`CREATE TABLE IF NOT EXISTS slots (
      deployment_id TEXT PRIMARY KEY,
      instance_id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      lease_until_ms INTEGER NOT NULL
    ) WITHOUT ROWID`);
    sql.exec(`CREATE TABLE IF NOT EXISTS target (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      capacity INTEGER NOT NULL
    )`);
  }

  /** A transaction was rolled back. */
  forget(): void {
    this.#queue.forget();
  }

  /** The newest version of the target wins. Of calls with one version, the last wins. */
  setCapacity(capacity: number, version: number): void {
    this.#sql.exec(
      `INSERT INTO target VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, capacity = excluded.capacity
        WHERE excluded.version > version OR (excluded.version = version AND excluded.capacity <> capacity)`,
      version,
      capacity,
    );
  }

  /**
   * Gives the run a free slot, or renews its slot or place. Otherwise the run waits behind the other runs of its
   * tenant.
   */
  take(placed: Placed, nowMs: number): Place {
    const { deploymentId, instanceId, tenantId } = placed;
    const untilMs = nowMs + SLOT_LEASE_MS;
    const renewed = this.#rows(
      "UPDATE slots SET lease_until_ms = ? WHERE deployment_id = ? RETURNING 1",
      untilMs,
      deploymentId,
    );
    if (renewed.length > 0) return { granted: true, isNew: false };
    const isFree = this.#hasFreeSlot(tenantId);
    if (!isFree || this.#first() !== undefined) {
      const ticket = this.#wait(placed, nowMs);
      if (!isFree || this.#first()?.deploymentId !== deploymentId)
        return { granted: false, ticket };
      this.#leaveQueue("deployment_id = ?", deploymentId);
      // If its tenant still waits, the tenant goes behind the other waiting tenants.
      this.#sql.exec(
        "UPDATE turns SET turn = (SELECT max(turn) FROM turns) + 1 WHERE tenant_id = ?",
        tenantId,
      );
    }
    this.#sql.exec(
      "INSERT INTO slots VALUES (?, ?, ?, ?)",
      deploymentId,
      instanceId,
      tenantId,
      untilMs,
    );
    return { granted: true, isNew: true };
  }

  #wait({ deploymentId, instanceId, tenantId }: Placed, nowMs: number): number {
    this.#queue.make();
    const untilMs = nowMs + PLACE_LEASE_MS;
    const [renewed] = this.#rows<{ ticket: number }>(
      "UPDATE queue SET lease_until_ms = ? WHERE deployment_id = ? RETURNING ticket",
      untilMs,
      deploymentId,
    );
    if (renewed !== undefined) return renewed.ticket;
    // A tenant that already waits keeps its turn.
    this.#sql.exec("INSERT INTO turns (tenant_id) VALUES (?) ON CONFLICT DO NOTHING", tenantId);
    const { ticket } = this.#sql
      .exec(
        `INSERT INTO queue (deployment_id, instance_id, tenant_id, lease_until_ms) VALUES (?, ?, ?, ?)
          RETURNING ticket`,
        deploymentId,
        instanceId,
        tenantId,
        untilMs,
      )
      .one();
    return Number(ticket);
  }

  /** Gives up the run's slot, or its place in the queue. */
  leave(deploymentId: string): void {
    this.#sql.exec("DELETE FROM slots WHERE deployment_id = ?", deploymentId);
    this.#leaveQueue("deployment_id = ?", deploymentId);
  }

  dropLapsed(nowMs: number, exceptId = ""): void {
    const lapsed = "lease_until_ms < ? AND deployment_id <> ?";
    this.#sql.exec(`DELETE FROM slots WHERE ${lapsed}`, nowMs, exceptId);
    this.#leaveQueue(lapsed, nowMs, exceptId);
  }

  /** The run that may take a free slot now; undefined: no slot is free for a waiting run. */
  next(): Placed | undefined {
    const first = this.#first();
    return first !== undefined && this.#hasFreeSlot(first.tenantId) ? first : undefined;
  }

  /** Whether the tenant may take one more slot: one is free, and it is not the last if the tenant holds all others. */
  #hasFreeSlot(tenantId: string): boolean {
    const [target] = this.#rows<{ free: number }>(
      `SELECT held < capacity AND (tenant = '' OR capacity = 1 OR own < held OR held < capacity - 1) AS free
        FROM target, (SELECT ?1 AS tenant, count(*) AS held, count(*) FILTER (WHERE tenant_id = ?1) AS own FROM slots)`,
      tenantId,
    );
    return target?.free === 1;
  }

  #first(): Placed | undefined {
    if (!this.#queue.exists) return undefined;
    // The first tenant in turn without a slot or, if each has one, the tenant with the fewest. Both reads take at most
    // one row per slot.
    const [first] = this.#rows<Placed>(
      `WITH next (tenant_id) AS (SELECT coalesce(
          (SELECT tenant_id FROM turns WHERE tenant_id NOT IN (SELECT tenant_id FROM slots) ORDER BY turn LIMIT 1),
          (SELECT t.tenant_id FROM (SELECT tenant_id, count(*) AS held FROM slots GROUP BY tenant_id) s
            CROSS JOIN turns t ON t.tenant_id = s.tenant_id ORDER BY s.held, t.turn LIMIT 1)))
        SELECT deployment_id AS deploymentId, instance_id AS instanceId, queue.tenant_id AS tenantId
          FROM next CROSS JOIN queue ON queue.tenant_id = next.tenant_id ORDER BY ticket LIMIT 1`,
    );
    return first;
  }

  #leaveQueue(which: string, ...values: (string | number)[]): void {
    if (!this.#queue.exists) return;
    const left = this.#rows<{ tenantId: string }>(
      `DELETE FROM queue WHERE ${which} RETURNING tenant_id AS tenantId`,
      ...values,
    );
    for (const tenantId of new Set(left.map((one) => one.tenantId)))
      this.#sql.exec(
        `DELETE FROM turns WHERE tenant_id = ?1 AND NOT EXISTS (SELECT 1 FROM queue WHERE tenant_id = ?1)`,
        tenantId,
      );
  }

  #rows<T = unknown>(query: string, ...values: (string | number)[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }
}
