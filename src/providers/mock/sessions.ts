import type { JsonMap } from "#platform/json.ts";

export type MockSessions = {
  lifeMs: number;
  callsEach?: number | undefined;
  failures: number;
};

/** The sessions of a mock cloud whose config has `sessions`. Synchronous, like the rest of its storage. */
export class SessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS session_requests (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT, expires_ms INTEGER NOT NULL, calls INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS session_by_token ON session_requests (token);
    `);
  }

  /** A new session; undefined: the request fails, as the config says of the first ones. */
  open(nowMs: number, { lifeMs, failures }: MockSessions): JsonMap | undefined {
    const { asked } = this.#sql
      .exec<{ asked: number }>("SELECT COUNT(*) AS asked FROM session_requests")
      .one();
    const token = asked < failures ? null : `session-${crypto.randomUUID()}`;
    this.#sql.exec(
      "INSERT INTO session_requests (token, expires_ms, calls) VALUES (?, ?, 0)",
      token,
      nowMs + lifeMs,
    );
    return token === null ? undefined : { token, expiresInMs: lifeMs };
  }

  /** Whether the token is that of a session that still serves; counts the call. */
  accepts(token: string, nowMs: number, { callsEach }: MockSessions): boolean {
    const served = this.#sql
      .exec(
        "UPDATE session_requests SET calls = calls + 1 WHERE token = ? AND expires_ms > ? AND calls < ? RETURNING seq",
        token,
        nowMs,
        callsEach ?? Number.MAX_SAFE_INTEGER,
      )
      .toArray();
    return served.length === 1;
  }
}
