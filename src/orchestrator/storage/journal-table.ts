import { readJson } from "#platform/json.ts";
import { type Entry, type JournalRow, note } from "./journal.ts";

interface JournalColumns {
  seq: number;
  at_ms: number;
  step: string | null;
  resource: string | null;
  entry: string;
}

/** The journals of the runs: append-only, numbered from 1 within a run. */
export class JournalTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS journal (
      deployment_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      step TEXT,
      resource TEXT,
      entry TEXT NOT NULL,
      PRIMARY KEY (deployment_id, seq)
    ) WITHOUT ROWID`);
  }

  append(
    deploymentId: string,
    atMs: number,
    about: { id: string; resource: string } | null,
    entry: Entry,
  ): JournalRow {
    const step = about?.id ?? null;
    const resource = about?.resource ?? null;
    const [row] = this.#sql
      .exec(
        `INSERT INTO journal (deployment_id, seq, at_ms, step, resource, entry)
          SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM journal WHERE deployment_id = ?1 RETURNING seq`,
        deploymentId,
        atMs,
        step,
        resource,
        JSON.stringify(entry),
      )
      .toArray() as unknown as { seq: number }[];
    return { seq: row?.seq ?? 0, atMs, step, resource, entry };
  }

  has(deploymentId: string): boolean {
    return (
      this.#sql
        .exec("SELECT 1 FROM journal WHERE deployment_id = ? LIMIT 1", deploymentId)
        .toArray().length > 0
    );
  }

  /** The time of the run's last entry; 0: there is none. */
  lastAtMs(deploymentId: string): number {
    const [row] = this.#sql
      .exec(
        "SELECT at_ms AS atMs FROM journal WHERE deployment_id = ? ORDER BY seq DESC LIMIT 1",
        deploymentId,
      )
      .toArray() as unknown as { atMs: number }[];
    return row?.atMs ?? 0;
  }

  /** Those of the resources that a create or update of any run has changed since, by their names. */
  changedSince(resources: readonly string[], sinceMs: number): string[] {
    const rows = this.#sql
      .exec(
        `SELECT DISTINCT resource FROM journal
          WHERE at_ms >= ? AND resource IN (SELECT value FROM json_each(?))
          AND CASE WHEN json_valid(entry) THEN json_extract(entry, '$.kind') END = 'done'
          AND json_extract(entry, '$.verb') IN ('create', 'update') ORDER BY resource`,
        sinceMs,
        JSON.stringify(resources),
      )
      .toArray() as unknown as { resource: string }[];
    return rows.map(({ resource }) => resource);
  }

  page(deploymentId: string, afterSeq: number, limit: number): JournalRow[] {
    return this.#rows(
      `SELECT seq, at_ms, step, resource, entry FROM journal WHERE deployment_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
      deploymentId,
      afterSeq,
      limit,
    );
  }

  /** The last rows, newest first. */
  lastRows(deploymentId: string, limit: number): JournalRow[] {
    return this.#rows(
      `SELECT seq, at_ms, step, resource, entry FROM journal WHERE deployment_id = ? ORDER BY seq DESC LIMIT ?`,
      deploymentId,
      limit,
    );
  }

  /** Whether a step of the run has begun. */
  hasSteps(deploymentId: string): boolean {
    return (
      this.#sql
        .exec(
          "SELECT 1 FROM journal WHERE deployment_id = ? AND step IS NOT NULL LIMIT 1",
          deploymentId,
        )
        .toArray().length > 0
    );
  }

  /** The number of ended steps or calls. It only grows, and the plan bounds it. */
  countEnded(deploymentId: string): number {
    const [row] = this.#sql
      .exec(
        `SELECT count(*) AS ended FROM journal WHERE deployment_id = ? AND step IS NOT NULL
          AND CASE WHEN json_valid(entry) THEN json_extract(entry, '$.kind') END
            IN ('done', 'failed', 'stopped', 'skipped')`,
        deploymentId,
      )
      .toArray() as unknown as { ended: number }[];
    return row?.ended ?? 0;
  }

  /** The whole journal of a run, row by row, since it may be long. Throws for an entry that is not JSON. */
  *whole(deploymentId: string): Generator<JournalRow> {
    for (const { text, ...row } of this.#whole(deploymentId))
      yield { ...row, entry: JSON.parse(text) as Entry };
  }

  /** As `whole`, with `entry` undefined if it is not JSON. */
  *readable(
    deploymentId: string,
  ): Generator<Omit<JournalRow, "entry"> & { entry: Entry | undefined }> {
    for (const { text, ...row } of this.#whole(deploymentId))
      yield { ...row, entry: readJson(text) as Entry | undefined };
  }

  #whole(deploymentId: string) {
    return this.#read(
      `SELECT seq, at_ms, step, resource, entry FROM journal WHERE deployment_id = ? ORDER BY seq`,
      deploymentId,
    );
  }

  /** Removes up to `count` of the run's oldest entries. */
  removeFirst(deploymentId: string, count: number): void {
    this.#sql.exec(
      `DELETE FROM journal WHERE deployment_id = ?1 AND seq <
        (SELECT min(seq) FROM journal WHERE deployment_id = ?1) + ?2`,
      deploymentId,
      count,
    );
  }

  #rows(query: string, ...values: (string | number)[]): JournalRow[] {
    return [...this.#read(query, ...values)].map(({ text, ...row }) => ({
      ...row,
      entry: (readJson(text) ?? unreadable) as Entry,
    }));
  }

  *#read(
    query: string,
    ...values: (string | number)[]
  ): Generator<Omit<JournalRow, "entry"> & { text: string }> {
    for (const found of this.#sql.exec(query, ...values)) {
      const row = found as unknown as JournalColumns;
      yield {
        seq: row.seq,
        atMs: row.at_ms,
        step: row.step,
        resource: row.resource,
        text: row.entry,
      };
    }
  }
}

const unreadable = note("This entry cannot be read.", "error");
