import type { JsonMap } from "#platform/json.ts";

export type MockOperations = {
  takesMs: number;
  forgottenAfterMs?: number | undefined;
  failed: "named" | "unnamed";
};

/** What a mock cloud works on when its config has `operations`. Synchronous, like the rest of its storage. */
export class OperationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS operations (
        id TEXT PRIMARY KEY, target TEXT, error TEXT, begun_ms INTEGER NOT NULL
      ) WITHOUT ROWID;
    `);
  }

  /** The answer to a change. `target`: the object's id, which the operation shows at its end. */
  begin(nowMs: number, target: string | null, error: string | null = null): JsonMap {
    const id = `op-${crypto.randomUUID()}`;
    this.#sql.exec(
      "INSERT INTO operations (id, target, error, begun_ms) VALUES (?, ?, ?, ?)",
      id,
      target,
      error,
      nowMs,
    );
    return { operation: { id, status: "running" } };
  }

  /** The state of an operation; undefined: there is none, or it is forgotten. */
  show(
    id: string,
    nowMs: number,
    { takesMs, forgottenAfterMs }: MockOperations,
  ): JsonMap | undefined {
    const row = this.#sql
      .exec<{ target: string | null; error: string | null; begun_ms: number }>(
        "SELECT target, error, begun_ms FROM operations WHERE id = ?",
        id,
      )
      .toArray()[0];
    const ageMs = nowMs - (row?.begun_ms ?? 0);
    if (row === undefined || ageMs >= (forgottenAfterMs ?? Infinity)) return undefined;
    if (ageMs < takesMs) return { id, status: "running" };
    return {
      id,
      status: row.error === null ? "done" : "failed",
      ...(row.target === null ? {} : { target: row.target }),
      ...(row.error === null ? {} : { error: { code: row.error, message: "The create failed." } }),
    };
  }
}
