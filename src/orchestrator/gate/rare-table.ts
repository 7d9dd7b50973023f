/** A table that few objects need: it is made when something is written into it. Nobody else makes or drops it. */
export class RareTable {
  readonly #sql: SqlStorage;
  readonly #name: string;
  readonly #make: readonly string[];
  /** Undefined: not looked up yet. */
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

  /** Repeated, it does nothing. */
  make(): void {
    if (this.exists) return;
    for (const statement of this.#make) this.#sql.exec(statement);
    this.#exists = true;
  }

  /** A transaction was rolled back, perhaps with the table. */
  forget(): void {
    this.#exists = undefined;
  }
}

export function hasTable(sql: SqlStorage, name: string): boolean {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return sql.exec(query, name).toArray().length > 0;
}
