/** A table that few objects need. The first write creates it. Only this class creates or drops it. */
export class RareTable {
  readonly #sql: SqlStorage;
  readonly #name: string;
  readonly #make: readonly string[];
  /** Whether the table exists; undefined: not looked up yet. */
  #exists: boolean | undefined;

  constructor(sql: SqlStorage, name: string, ...make: readonly string[]) {
    this.#sql = sql;
    this.#name = name;
    this.#make = make;
  }

  get exists(): boolean {
    this.#exists ??= hasTable(this.#sql, this.#name);
    return this.#exists;
  }

  /** Creates the table. Repeated, it does nothing. */
  make(): void {
    if (this.exists) return;
    for (const statement of this.#make) this.#sql.exec(statement);
    this.#exists = true;
  }

  /** A transaction was rolled back, perhaps together with the table. */
  forget(): void {
    this.#exists = undefined;
  }
}

export function hasTable(sql: SqlStorage, name: string): boolean {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return sql.exec(query, name).toArray().length > 0;
}
