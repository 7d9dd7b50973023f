/**
 * The resources, in the order of creation. The caller encodes them, because sealing is asynchronous and a transaction
 * is not. Each row has the state serial of its last write, so a change of a resource is one row.
 */
export class ResourcesTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS resources (
      key TEXT PRIMARY KEY,
      pending_delete INTEGER NOT NULL,
      position INTEGER NOT NULL,
      body TEXT NOT NULL,
      serial INTEGER NOT NULL
    ) WITHOUT ROWID`);
  }

  /** The highest state serial and the last position of the resources; 0: there are none. */
  last(): { serial: number; position: number } {
    return this.#sql
      .exec(
        `SELECT coalesce(max(serial), 0) AS serial, coalesce(max(position), 0) AS position FROM resources`,
      )
      .one() as { serial: number; position: number };
  }

  all(): { key: string; pendingDelete: boolean; body: string }[] {
    const rows = this.#sql
      .exec("SELECT key, pending_delete AS pendingDelete, body FROM resources ORDER BY position")
      .toArray() as unknown as { key: string; pendingDelete: number; body: string }[];
    return rows.map((row) => ({ ...row, pendingDelete: row.pendingDelete === 1 }));
  }

  /** Makes the object under `key` a pending delete with its stored text, since its body may be unreadable. */
  setAside(key: string, pendingKey: string, position: number): void {
    this.#sql.exec(
      "UPDATE resources SET key = ?, pending_delete = 1, position = ? WHERE key = ?",
      pendingKey,
      position,
      key,
    );
  }

  /** Marks an object whose change may have taken effect, in its stored text, since its values may be unreadable. */
  mark(key: string, as: "unsure" | "deleting"): void {
    this.#sql.exec(
      `UPDATE resources SET body = json_set(body, '$.state', ?)
        WHERE key = ? AND json_valid(body) AND body ->> '$.state' NOT IN ('lost', 'tainted')`,
      as,
      key,
    );
  }

  /** An existing key keeps its position, as in a `Map`. */
  put(
    key: string,
    {
      pendingDelete,
      position,
      serial,
    }: { pendingDelete: boolean; position: number; serial: number },
    body: string,
  ): void {
    this.#sql.exec(
      `INSERT INTO resources (key, pending_delete, position, body, serial) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET pending_delete = excluded.pending_delete, body = excluded.body, serial = excluded.serial`,
      key,
      Number(pendingDelete),
      position,
      body,
      serial,
    );
  }

  clear(): void {
    this.#sql.exec("DELETE FROM resources");
  }

  remove(key: string): void {
    this.#sql.exec("DELETE FROM resources WHERE key = ?", key);
  }
}
