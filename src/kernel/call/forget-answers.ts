import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { idempotencyKeys } from "#schema/idempotency-keys.ts";

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/**
 * Deletes expired answers in the first minute of each hour. There is no index by time: reading a day's answers 24
 * times costs less than writing one more row for each of them.
 */
export async function forgetAnswers(env: Bindings, nowMs: number): Promise<void> {
  if (nowMs % HOUR_MS >= MINUTE_MS) return;
  const db = openDb(env.DB);
  await runBatch(db, [db.run(sql`DELETE FROM ${idempotencyKeys} WHERE expires_at_ms <= ${nowMs}`)]);
}
