/**
 * Each minute: whatever trigger is due is rung for, and taken up by the queue's consumer. Nothing is claimed here:
 * a trigger that is rung for twice, by two sweeps or by a sweep that died and is repeated, fires once, as the
 * commit that starts its deployment says so (take-up-trigger.ts). One whose bell was lost is due the next minute.
 */
import { asc, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { notifyTriggers } from "#kernel/outbox/notify-triggers.ts";
import { openDb } from "#platform/db/client.ts";
import { triggers } from "#schema/triggers.ts";

/** A sweep has a thousand subrequests, and a queue takes a hundred messages by one. */
const MAX_TRIGGERS = 10_000;

export async function sweepTriggers(
  env: Pick<Bindings, "DB" | "TRIGGERS_QUEUE">,
  nowMs: number,
): Promise<void> {
  const { id, tenantId, instanceId, nextFireAtMs } = triggers;
  const due = await openDb(env.DB)
    .select({ id, tenantId, instanceId })
    .from(triggers)
    // The first half is, word for word, the condition of the partial index.
    .where(sql`next_fire_at_ms IS NOT NULL AND ${nextFireAtMs} <= ${nowMs}`)
    .orderBy(asc(nextFireAtMs))
    .limit(MAX_TRIGGERS);
  await notifyTriggers(env, due);
}
