/**
 * Every minute, sends a message for each due trigger; the queue's consumer processes them. Nothing is claimed
 * here: a trigger with two messages, from two sweeps or a repeated one, fires once, since the commit that
 * starts its deployment guards it (process-trigger.ts). A trigger whose message was lost is still due in the
 * next minute.
 */
import { asc, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { notifyTriggers } from "#kernel/outbox/notify-triggers.ts";
import { openDb } from "#platform/db/client.ts";
import { triggers } from "#schema/triggers.ts";

/** At a hundred messages a subrequest, a hundredth of the subrequests that a sweep can make. */
const MAX_TRIGGERS = 10_000;

export async function sweepTriggers(
  env: Pick<Bindings, "DB" | "TRIGGERS_QUEUE">,
  nowMs: number,
): Promise<void> {
  const { id, tenantId, instanceId, nextFireAtMs } = triggers;
  const due = await openDb(env.DB)
    .select({ id, tenantId, instanceId })
    .from(triggers)
    // The first half must equal the condition of the partial index.
    .where(sql`next_fire_at_ms IS NOT NULL AND ${nextFireAtMs} <= ${nowMs}`)
    .orderBy(asc(nextFireAtMs))
    .limit(MAX_TRIGGERS);
  await notifyTriggers(env, due);
}
