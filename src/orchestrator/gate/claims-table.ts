import { withoutVersion } from "#providers/type-name.ts";
import { RareTable } from "./rare-table.ts";

/** One object at a target's cloud. */
export interface CloudObject {
  /** The type with or without its API version: both name the same object. */
  type: string;
  /** The provider's id. */
  id: string;
}

/** The instance that claims an object. */
export interface Claimant {
  instanceId: string;
  tenantId: string;
}

/** An object that another instance has claimed. */
export interface RefusedClaim extends CloudObject {
  holder: Claimant;
  /** The claim is for a create that may not have happened: an object with this id may be anybody's. */
  unmade: boolean;
}

interface ClaimRow {
  instanceId: string;
  tenantId: string;
  unmade: number;
}

/**
 * The instance that manages each cloud object of the target: at most one per type and id, regardless of API version.
 * Also the tenants that gave up an object that still exists (decision 0050).
 */
export class ClaimsTable {
  readonly #sql: SqlStorage;
  readonly #unmade: RareTable;
  readonly #letGo: RareTable;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS claims (
      type TEXT NOT NULL,
      object_id TEXT NOT NULL,
      instance_id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      PRIMARY KEY (type, object_id)
    ) WITHOUT ROWID`);
    sql.exec("CREATE INDEX IF NOT EXISTS claims_by_instance ON claims (instance_id)");
    this.#unmade = new RareTable(
      sql,
      "unmade_claims",
      `CREATE TABLE unmade_claims (
        type TEXT NOT NULL,
        object_id TEXT NOT NULL,
        instance_id TEXT NOT NULL,
        PRIMARY KEY (type, object_id)
      ) WITHOUT ROWID`,
    );
    this.#letGo = new RareTable(
      sql,
      "let_go",
      `CREATE TABLE let_go (
        type TEXT NOT NULL,
        object_id TEXT NOT NULL,
        tenant_id TEXT NOT NULL,
        PRIMARY KEY (type, object_id)
      ) WITHOUT ROWID`,
    );
  }

  /** A transaction was rolled back. */
  forget(): void {
    this.#unmade.forget();
    this.#letGo.forget();
  }

  /**
   * Claims the objects that no other instance has, and returns the others. Repeated, it changes nothing. `unmade`: the
   * claims are for creates that have not happened.
   */
  add(
    { instanceId, tenantId }: Claimant,
    objects: readonly CloudObject[],
    unmade = false,
  ): RefusedClaim[] {
    for (const { type, id } of objects) {
      const added = this.#sql.exec(
        "INSERT INTO claims VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1",
        withoutVersion(type),
        id,
        instanceId,
        tenantId,
      );
      if (added.toArray().length === 0 || !unmade) continue;
      this.#unmade.make();
      this.#sql.exec(
        "INSERT OR REPLACE INTO unmade_claims VALUES (?, ?, ?)",
        withoutVersion(type),
        id,
        instanceId,
      );
    }
    return this.ofOthers(instanceId, objects);
  }

  /** The objects of the list that another instance has claimed. */
  ofOthers(instanceId: string, objects: readonly CloudObject[]): RefusedClaim[] {
    const isUnmade = this.#unmade.exists
      ? "EXISTS (SELECT 1 FROM unmade_claims AS u WHERE u.type = c.type AND u.object_id = c.object_id)"
      : "0";
    return objects.flatMap(({ type, id }) => {
      const [holder] = this.#sql
        .exec(
          `SELECT instance_id AS instanceId, tenant_id AS tenantId, ${isUnmade} AS unmade FROM claims AS c WHERE type = ? AND object_id = ?`,
          withoutVersion(type),
          id,
        )
        .toArray() as unknown as ClaimRow[];
      if (holder === undefined || holder.instanceId === instanceId) return [];
      const { unmade, ...claimant } = holder;
      return [{ type, id, holder: claimant, unmade: unmade === 1 }];
    });
  }

  /** The domains of the list that contain a domain of another tenant. */
  around(tenantId: string, domains: readonly CloudObject[]): CloudObject[] {
    return domains.filter(({ type, id }) => {
      const inside = this.#sql.exec(
        "SELECT 1 FROM claims WHERE type = ? AND tenant_id <> ? AND substr(object_id, -length(?3)) = ?3 LIMIT 1",
        withoutVersion(type),
        tenantId,
        `.${id}`,
      );
      return inside.toArray().length > 0;
    });
  }

  /**
   * Ends the instance's claim of the object, if it has one. `lives`: the object still exists and belongs to its tenant.
   */
  remove(instanceId: string, { type, id }: CloudObject, { lives }: { lives: boolean }): void {
    const ended = this.#sql
      .exec(
        "DELETE FROM claims WHERE type = ? AND object_id = ? AND instance_id = ? RETURNING tenant_id AS tenantId",
        withoutVersion(type),
        id,
        instanceId,
      )
      .toArray() as unknown as Pick<ClaimRow, "tenantId">[];
    for (const { tenantId } of ended) {
      if (this.#unmade.exists)
        this.#sql.exec(
          "DELETE FROM unmade_claims WHERE type = ? AND object_id = ?",
          withoutVersion(type),
          id,
        );
      this.forgetLetGo([{ type, id }]);
      if (!lives) continue;
      this.#letGo.make();
      this.#sql.exec("INSERT INTO let_go VALUES (?, ?, ?)", withoutVersion(type), id, tenantId);
    }
  }

  /** Whether the tenant was the last to manage the object, and gave it up without a delete. */
  wasLetGo(tenantId: string, { type, id }: CloudObject): boolean {
    if (!this.#letGo.exists) return false;
    const of = [withoutVersion(type), id, tenantId];
    const found = this.#sql.exec(
      "SELECT 1 FROM let_go WHERE type = ? AND object_id = ? AND tenant_id = ?",
      ...of,
    );
    return found.toArray().length > 0;
  }

  /** Forgets that these objects were given up: they are managed again, or no longer exist. */
  forgetLetGo(objects: readonly CloudObject[]): void {
    if (!this.#letGo.exists) return;
    for (const { type, id } of objects)
      this.#sql.exec(
        "DELETE FROM let_go WHERE type = ? AND object_id = ?",
        withoutVersion(type),
        id,
      );
  }

  /**
   * Ends the claims of the instance except those of these objects, which exist. Unchanged claims are not written.
   */
  keepOnly(instanceId: string, objects: readonly CloudObject[]): void {
    const kept = new Set(objects.map(({ type, id }) => `${withoutVersion(type)}\n${id}`));
    const claimed = this.#sql
      .exec("SELECT type, object_id AS id FROM claims WHERE instance_id = ?", instanceId)
      .toArray() as unknown as CloudObject[];
    for (const { type, id } of claimed)
      if (!kept.has(`${type}\n${id}`))
        this.#sql.exec("DELETE FROM claims WHERE type = ? AND object_id = ?", type, id);
    this.#forgetUnmade(instanceId);
  }

  /** Ends all claims of the instance. */
  removeAll(instanceId: string): void {
    this.#sql.exec("DELETE FROM claims WHERE instance_id = ?", instanceId);
    this.#forgetUnmade(instanceId);
  }

  #forgetUnmade(instanceId: string): void {
    if (this.#unmade.exists)
      this.#sql.exec("DELETE FROM unmade_claims WHERE instance_id = ?", instanceId);
  }
}
