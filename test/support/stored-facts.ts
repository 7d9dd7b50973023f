/** The facts that a runner has stored about its whole instance. `rows`: a query on the runner's storage. */
type Rows = (query: string) => readonly unknown[];

export function storedSerial(rows: Rows): number {
  const [stored] = rows(
    `SELECT max(coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'serial'), 0),
      coalesce((SELECT max(serial) FROM resources), 0)) AS serial`,
  ) as { serial: number }[];
  return stored?.serial ?? 0;
}

/** Empty: the instance has none. */
export function storedDrift(rows: Rows): string {
  const [stored] = rows("SELECT value ->> '$.drift' AS drift FROM facts WHERE name = 'run'") as {
    drift: string | null;
  }[];
  return stored?.drift ?? "";
}
