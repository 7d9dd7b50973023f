/** The resources, in the order of creation. The caller encodes them: sealing is asynchronous, a transaction is not. */
export class ResourcesTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS resources (
      key TEXT PRIMARY KEY,
      condemned INTEGER NOT NULL,
      position INTEGER NOT NULL,
      body TEXT NOT NULL
    ) WITHOUT ROWID`);
  }

  all(): { pendingDelete: boolean; body: string }[] {
    const rows = this.#sql
      .exec("SELECT condemned AS pendingDelete, body FROM resources ORDER BY position")
      .toArray() as unknown as { pendingDelete: number; body: string }[];
    return rows.map(({ pendingDelete, body }) => ({ pendingDelete: pendingDelete === 1, body }));
  }

  /** An existing key keeps its position, as in a `Map`. */
  put(key: string, pendingDelete: boolean, position: number, body: string): void {
    this.#sql.exec(
      `INSERT INTO resources VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET condemned = excluded.condemned, body = excluded.body`,
      key,
      Number(pendingDelete),
      position,
      body,
    );
  }

  clear(): void {
    this.#sql.exec("DELETE FROM resources");
  }

  remove(key: string): void {
    this.#sql.exec("DELETE FROM resources WHERE key = ?", key);
  }
}
