/**
 * One object per tenant: counts what the tenant may do only so often a minute (deploys, imports).
 *
 * Guarantee: of any number of requests at the same time exactly as many are granted as the limit says, in any 60
 * seconds and not by the calendar's minute. Every grant is a row that is on disk before the answer leaves, so an
 * object that dies and comes back counts on. Asking twice for the same use counts once. Who asks has been
 * authenticated and has been found to mean this tenant: the object itself decides nothing of that.
 *
 * If it cannot be reached, whoever asked goes on uncounted (`takeQuota`): the limits that cost money, those of the
 * plan, are guards of D1's commits and hold without it.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { QUOTA_WINDOW_SECONDS, type QuotaName } from "#schema/plans.ts";

const WINDOW_MS = QUOTA_WINDOW_SECONDS * 1000;

export interface QuotaUse {
  quota: QuotaName;
  /** So many within any 60 seconds. */
  limit: number;
  /** What is counted: the same text again is the same use. */
  use: string;
}

export interface QuotaTaken {
  granted: boolean;
  /** So many more may be used within the next `resetSeconds`. */
  remaining: number;
  /** Granted: until all of the quota is there again. Refused: until one more can be granted. */
  resetSeconds: number;
}

export class QuotaCounter extends DurableObject<Bindings> {
  readonly #sql: SqlStorage;
  /** Epoch milliseconds. A field, so that a test can move the time. */
  now: () => number = Date.now;

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS uses (
        quota TEXT NOT NULL,
        use TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (quota, use)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS uses_by_time ON uses (quota, at_ms);
    `);
  }

  /** Counts one use, if there is room for it. */
  take({ quota, limit, use }: QuotaUse): QuotaTaken {
    const now = this.now();
    this.#sql.exec("DELETE FROM uses WHERE quota = ? AND at_ms <= ?", quota, now - WINDOW_MS);
    const { used, known } = this.#sql
      .exec(
        `SELECT (SELECT count(*) FROM uses WHERE quota = ?1) AS used,
          EXISTS (SELECT 1 FROM uses WHERE quota = ?1 AND use = ?2) AS known`,
        quota,
        use,
      )
      .one() as unknown as { used: number; known: number };
    if (known === 1)
      return {
        granted: true,
        remaining: Math.max(0, limit - used),
        resetSeconds: QUOTA_WINDOW_SECONDS,
      };
    if (used >= limit)
      return {
        granted: false,
        remaining: 0,
        resetSeconds: this.#untilRoom(quota, used - limit, now),
      };
    this.#sql.exec("INSERT INTO uses VALUES (?, ?, ?)", quota, use, now);
    return { granted: true, remaining: limit - used - 1, resetSeconds: QUOTA_WINDOW_SECONDS };
  }

  /** Until the oldest uses have lapsed and there is room for one. Where nothing is allowed there never is. */
  #untilRoom(quota: QuotaName, beyond: number, now: number): number {
    const [row] = this.#sql
      .exec(
        "SELECT at_ms AS atMs FROM uses WHERE quota = ? ORDER BY at_ms LIMIT 1 OFFSET ?",
        quota,
        beyond,
      )
      .toArray() as unknown as { atMs: number }[];
    if (row === undefined) return QUOTA_WINDOW_SECONDS;
    return Math.max(1, Math.ceil((row.atMs + WINDOW_MS - now) / 1000));
  }
}
