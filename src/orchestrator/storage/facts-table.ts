/**
 * `drift`: a digest of the drift last written to D1; empty: none. `faults` and `abandoned`: what stops runs
 * (`RunStops`). `outputsStaleSince`: in epoch milliseconds; empty: the outputs are those of the resources.
 */
type Fact =
  | "serial"
  | "position"
  | "outputs"
  | "outputKey"
  | "outputsStaleSince"
  | "drift"
  | "faults"
  | "abandoned";

/** Named values of the instance as a whole. */
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

  /** The state serial: the number of changes of the resources so far. */
  serial(): number {
    return Number(this.get("serial") ?? "0");
  }
}
