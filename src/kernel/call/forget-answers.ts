import { type SQL, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { idempotencyKeys } from "#schema/idempotency-keys.ts";
import { type AnswerKey, sweepWatch } from "#schema/sweeps.ts";

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const READ_A_STEP = 2_000;
const STEPS_A_SWEEP = 10;

/**
 * Deletes expired answers. A walk through all answers begins in the first minute of each hour, and continues in the
 * next sweeps if one is not enough. There is no index by time: to read a day's answers 24 times costs less than one
 * more written row for each. The position is stored in the batch that removes, so a walk that dies continues there.
 */
export async function forgetAnswers(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const [[watch]] = await runBatch(db, [
    db.select({ after: sweepWatch.answersAfter }).from(sweepWatch),
  ]);
  const begins = nowMs % HOUR_MS < MINUTE_MS;
  let after: AnswerKey | null = watch?.after ?? (begins ? ["", "", ""] : null);
  for (let steps = 0; steps < STEPS_A_SWEEP && after !== null; steps += 1)
    after = await forgetAfter(db, after, nowMs);
}

/** Returns the last key of the step; null: the walk is over. */
async function forgetAfter(db: Db, after: AnswerKey, nowMs: number): Promise<AnswerKey | null> {
  const k = idempotencyKeys;
  const comesAfter = sql`(${k.principal}, ${k.operation}, ${k.key}) > ${row(after)}`;
  const [[last]] = await runBatch(db, [
    db
      .select({ principal: k.principal, operation: k.operation, key: k.key })
      .from(k)
      .where(comesAfter)
      .orderBy(k.principal, k.operation, k.key)
      .limit(1)
      .offset(READ_A_STEP - 1),
  ]);
  const next: AnswerKey | null = last ? [last.principal, last.operation, last.key] : null;
  const until =
    next === null ? sql`` : sql`AND (${k.principal}, ${k.operation}, ${k.key}) <= ${row(next)}`;
  await runBatch(db, [
    db.run(sql`DELETE FROM ${k} WHERE ${comesAfter} ${until} AND ${k.expiresAtMs} <= ${nowMs}`),
    db.update(sweepWatch).set({ answersAfter: next }),
  ]);
  return next;
}

function row([principal, operation, key]: AnswerKey): SQL {
  return sql`(${principal}, ${operation}, ${key})`;
}
