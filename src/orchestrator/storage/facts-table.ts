import type { InstanceFields } from "#orchestrator/projection/snapshot.ts";

/**
 * `serial`: the last state serial, if no resource has it. `drift`: a digest of the drift last written to D1; empty:
 * none. `faults` and `abandoned`: the reasons to stop runs (`RunStops`). `outputsStaleSince`: epoch milliseconds;
 * empty: the outputs match the resources. `instance`: the columns of the instance's row that runs have set. `account`:
 * the account that contains the objects; empty: unknown. `accountAlias`: its alias. `accountFailures`: a run's failed requests for the account.
 * `accountProofs`: the number of objects read to find it.
 */
type Fact =
  | "serial"
  | "outputs"
  | "outputKey"
  | "outputsStaleSince"
  | "drift"
  | "faults"
  | "abandoned"
  | "instance"
  | "account"
  | "accountAlias"
  | "accountFailures"
  | "accountProofs";

/** Facts that change together at the end of a run. They share one row, so that they are billed as one. */
const together: ReadonlySet<Fact> = new Set([
  "outputs",
  "outputKey",
  "outputsStaleSince",
  "drift",
  "instance",
]);
const TOGETHER = "run";

type Facts = Partial<Record<Fact, string>>;

/** Named values of the instance as a whole. */
export class FactsTable {
  readonly #sql: SqlStorage;
  /** The shared facts that a transaction has set; undefined: no transaction is under way. */
  #set: Facts | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  get(name: Fact): string | undefined {
    if (!together.has(name)) return this.#read(name);
    return this.#set?.[name] ?? this.#shared()[name];
  }

  /** Writes nothing if the fact has the value. */
  set(name: Fact, value: string): void {
    if ((this.get(name) ?? "") === value) return;
    if (!together.has(name)) this.#write(name, value);
    else if (this.#set === undefined) this.#write(TOGETHER, this.#sharedWith({ [name]: value }));
    else this.#set = { ...this.#set, [name]: value };
  }

  /** Does the work, then writes its shared facts in one row. Inside a transaction. */
  during<T>(work: () => T): T {
    // Nested: the outer call writes.
    if (this.#set !== undefined) return work();
    this.#set = {};
    try {
      const result = work();
      if (Object.keys(this.#set).length > 0) this.#write(TOGETHER, this.#sharedWith(this.#set));
      return result;
    } finally {
      this.#set = undefined;
    }
  }

  /** The instance's columns for D1. A column is absent until a run has set it. */
  instance(): InstanceFields {
    return JSON.parse(this.get("instance") ?? "{}") as InstanceFields;
  }

  /** Reverts the instance's last deployment if it is this one. `previous`: the deployment before; absent: unknown. */
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

  #shared(): Facts {
    return JSON.parse(this.#read(TOGETHER) ?? "{}") as Facts;
  }

  #sharedWith(changed: Facts): string {
    return JSON.stringify({ ...this.#shared(), ...changed });
  }

  #read(name: Fact | typeof TOGETHER): string | undefined {
    const [row] = this.#sql
      .exec("SELECT value FROM facts WHERE name = ?", name)
      .toArray() as unknown as { value: string }[];
    return row?.value;
  }

  #write(name: Fact | typeof TOGETHER, value: string): void {
    this.#sql.exec(
      "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }
}
