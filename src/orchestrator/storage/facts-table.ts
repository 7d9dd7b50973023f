/** `drift`: what of it D1 was told, as one text to compare; empty: nothing is drifted. */
type Fact = "serial" | "position" | "outputs" | "outputKey" | "drift";

/** What is to be known of the instance as a whole. */
export class FactsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  get(name: Fact): string | undefined {
    const [row] = this.#sql
      .exec("SELECT value FROM facts WHERE name = ?", name)
      .toArray() as unknown as { value: string }[];
    return row?.value;
  }

  set(name: Fact, value: string): void {
    this.#sql.exec(
      "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }

  /** Counts the changes of the resources. */
  serial(): number {
    return Number(this.get("serial") ?? "0");
  }
}
