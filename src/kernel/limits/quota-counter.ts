/**
 * Counts a tenant's uses of its per-minute quotas (deploys, imports). One object per tenant.
 *
 * Guarantee: within any 60 seconds (a sliding window, not the calendar minute) it grants exactly as many uses as the
 * quota allows, however many requests are concurrent. Each grant is on disk before the response is sent, so a restarted
 * object continues the count. Repeating a use counts it once. Callers are authenticated and authorized before, not by
 * this object.
 *
 * If it cannot be reached, the request proceeds uncounted (`takeQuota`). The plan's limits do not depend on it: they
 * are guards in D1 commits.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { QUOTA_WINDOW_SECONDS, type QuotaName } from "#schema/lists/plans.ts";

const WINDOW_MS = QUOTA_WINDOW_SECONDS * 1000;

export interface QuotaUse {
  quota: QuotaName;
  /** Maximum uses within any 60 seconds. */
  limit: number;
  /** Identifies the use: the same text counts once. */
  use: string;
  /** The number of times that the use counts, at most the quota; default: one. */
  times?: number;
}

export interface QuotaTaken {
  granted: boolean;
  /** Uses left within the next `resetSeconds`. */
  remaining: number;
  /** Granted: until the whole quota is available again. Refused: until the next use can be granted. */
  resetSeconds: number;
}

export class QuotaCounter extends DurableObject<Bindings> {
  readonly #sql: SqlStorage;
  /** Epoch milliseconds. A field, so that tests can change the time. */
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

  /** Counts one use, unless the quota is used up. */
  take({ quota, limit, use, times = 1 }: QuotaUse): QuotaTaken {
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
    const counted = Math.max(1, Math.min(times, limit));
    if (used + counted > limit)
      return {
        granted: false,
        remaining: 0,
        resetSeconds: this.#secondsUntilFree(quota, used + counted - limit - 1, now),
      };
    for (let nth = 1; nth <= counted; nth += 1)
      this.#sql.exec(
        "INSERT INTO uses VALUES (?, ?, ?)",
        quota,
        nth === 1 ? use : `${use} ${nth}`,
        now,
      );
    return { granted: true, remaining: limit - used - counted, resetSeconds: QUOTA_WINDOW_SECONDS };
  }

  /** Seconds until enough old uses have left the window for one more; the whole window if the limit is 0. */
  #secondsUntilFree(quota: QuotaName, beyond: number, now: number): number {
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
