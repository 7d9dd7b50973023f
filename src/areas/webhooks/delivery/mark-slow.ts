import { sql } from "drizzle-orm";
import { openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { webhooks } from "#schema/webhooks.ts";
import type { Claimed } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import { admitStatement } from "./lane-limit.ts";
import { notifyConsumers } from "./notify-consumers.ts";

/**
 * Marks the receivers that have not answered yet as slow, while their attempts go on: their next deliveries use the
 * slow queue, and the present ones no longer count in the fast one. Never throws: the record of each attempt also marks
 * its receiver.
 */
export async function markSlow(hanging: readonly Claimed[], parts: DeliverParts): Promise<void> {
  const db = openDb(parts.env.DB);
  const nowMs = parts.now();
  const ids = JSON.stringify(hanging.map(({ delivery }) => delivery.webhookId));
  const tenantIds = [...new Set(hanging.map(({ delivery }) => delivery.tenantId))];
  try {
    const [, ...admitted] = await runBatch(db, [
      db
        .update(webhooks)
        .set({ slow: true })
        .where(
          sql`${webhooks.id} IN (SELECT value FROM json_each(${ids})) AND ${webhooks.slow} = 0
            AND ${webhooks.tenantId} IN (SELECT value FROM json_each(${JSON.stringify(tenantIds)}))`,
        ),
      ...tenantIds.map((tenantId) => admitStatement(db, tenantId, nowMs)),
    ]);
    await notifyConsumers(
      parts,
      admitted.flat().map(({ dueAtMs, ...to }) => ({ to, slow: false, dueAtMs })),
    );
  } catch (error) {
    log("warn", "Slow receivers could not be marked; the record of their attempts will", {
      error: describeError(error),
    });
  }
}
