import type { InstanceFields } from "#orchestrator/projection/snapshot.ts";

/**
 * `drift`: a digest of the drift last written to D1; empty: none. `faults` and `abandoned`: what stops runs
 * (`RunStops`). `outputsStaleSince`: in epoch milliseconds; empty: the outputs are those of the resources.
 * `instance`: the columns of the instance's row that runs have set. `account`: the one that the objects are in; empty:
 * it is not known. `accountFailures`: a run's tries to ask for it; `accountProofs`: how many objects were read for it.
 */
type Fact =
  | "serial"
  | "position"
  | "outputs"
  | "outputKey"
  | "outputsStaleSince"
  | "drift"
  | "faults"
  | "abandoned"
  | "instance"
  | "account"
  | "accountFailures"
  | "accountProofs";

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

  /** What D1 is to show of the instance. A column is absent until a run has set it. */
  instance(): InstanceFields {
    return JSON.parse(this.get("instance") ?? "{}") as InstanceFields;
  }

  /** Takes back that the deployment was the instance's last one. `previous`: the one before; absent: not known. */
  takeBackDeployment(deploymentId: string, previous: string | null | undefined): void {
    const { lastDeploymentId, ...rest } = this.instance();
    if (lastDeploymentId !== deploymentId) return;
    const before = previous === undefined ? {} : { lastDeploymentId: previous };
    this.set("instance", JSON.stringify({ ...rest, ...before }));
  }

  setInstance(changed: InstanceFields): void {
    if (Object.keys(changed).length > 0)
      this.set("instance", JSON.stringify({ ...this.instance(), ...changed }));
  }
}
