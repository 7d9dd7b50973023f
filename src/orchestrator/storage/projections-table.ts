import type { Projection } from "#orchestrator/projection/projection.ts";

/** The projections that D1 does not have yet, in order. */
export class ProjectionsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS projections (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      body TEXT NOT NULL
    )`);
  }

  add(projection: Projection): void {
    this.#sql.exec("INSERT INTO projections (body) VALUES (?)", JSON.stringify(projection));
  }

  first(): { seq: number; projection: Projection } | undefined {
    const [row] = this.#sql
      .exec("SELECT seq, body FROM projections ORDER BY seq LIMIT 1")
      .toArray() as unknown as { seq: number; body: string }[];
    return row && { seq: row.seq, projection: JSON.parse(row.body) as Projection };
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM projections LIMIT 1").toArray().length === 0;
  }

  hasOf(deploymentId: string): boolean {
    return (
      this.#sql
        .exec(
          "SELECT 1 FROM projections WHERE json_extract(body, '$.deploymentId') = ? LIMIT 1",
          deploymentId,
        )
        .toArray().length > 0
    );
  }

  remove(seq: number): void {
    this.#sql.exec("DELETE FROM projections WHERE seq = ?", seq);
  }
}
