import { sql } from "drizzle-orm";
import { IDLE_MS } from "#kernel/authn/session-life.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { sessions, signIns } from "#schema/users.ts";

/** Anybody can start sign-ins: a sweep must remove as many as can start in a minute. */
const ROWS_A_SWEEP = 5_000;

/**
 * Removes ended sessions and sign-ins, a bounded number per minute. After its maximum of seven days a session is no
 * longer used, so the idle time removes it too.
 */
export async function sweepSessions(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  await runBatch(db, [
    db.run(sql`DELETE FROM ${sessions} WHERE id IN (SELECT id FROM ${sessions}
      WHERE last_seen_at_ms <= ${nowMs - IDLE_MS} LIMIT ${ROWS_A_SWEEP})`),
    db.run(sql`DELETE FROM ${signIns} WHERE state_digest IN (SELECT state_digest FROM ${signIns}
      WHERE expires_at_ms <= ${nowMs} LIMIT ${ROWS_A_SWEEP})`),
  ]);
}
