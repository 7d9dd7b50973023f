import { sql } from "drizzle-orm";
import { IDLE_MS } from "#kernel/authn/session-life.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { sessions, signIns } from "#schema/users.ts";

/** Anybody may begin sign-ins: as many as are begun in a minute, from many places at once, have to go in one. */
const ROWS_A_SWEEP = 5_000;

/**
 * Removes sessions and sign-ins that are over, so many a minute: they count for nothing, and only take room. A
 * session that ended after seven days is not used any more, and so goes like any other.
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
