/**
 * Releases held deliveries that nothing else would release: the circuit is open and its probe was lost in a crash or
 * ended otherwise; or it is closed and no success continues the draining; or the webhook is disabled or deleted and the
 * consumer must cancel them. Webhooks are found by their held deliveries, so none is forgotten.
 */
import { sql } from "drizzle-orm";
import { type Db, runBatch, type Statement } from "#platform/db/client.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";
import {
  BURST,
  chooseProbeStatement,
  designateStatement,
  hasProbe,
  releaseStatement,
} from "./circuit.ts";

const WEBHOOKS_A_SWEEP = 100;
/** For disabled and deleted webhooks, whose deliveries are only canceled. */
const CANCELED_A_STEP = 500;
/** The limit for all of them: half of a sweep's messages, so that other due deliveries do not wait for them. */
const CANCELED_A_SWEEP = 2_500;

/** Makes them due; the sweep then sends messages for all due deliveries. */
export async function sweepCircuits(
  db: Db,
  nowMs: number,
  webhooksASweep = WEBHOOKS_A_SWEEP,
): Promise<void> {
  const d = sql`${webhookDeliveries}`;
  const [stuck] = await runBatch(db, [
    db.all<{ tenantId: string; id: string; isOpen: number; isEnabled: number }>(
      // Skips from webhook to webhook in the index of held deliveries, without reading every row. Random order: webhooks
      // with a backlog must not hide the others.
      sql`WITH RECURSIVE held(id) AS (
          SELECT min(webhook_id) FROM ${d} WHERE tenant_id IS NOT NULL AND held_at_ms IS NOT NULL
          UNION ALL
          SELECT (SELECT min(webhook_id) FROM ${d}
              WHERE tenant_id IS NOT NULL AND held_at_ms IS NOT NULL AND webhook_id > held.id)
            FROM held WHERE held.id IS NOT NULL
        )
        SELECT (SELECT tenant_id FROM ${d} WHERE tenant_id IS NOT NULL AND held_at_ms IS NOT NULL
            AND webhook_id = held.id LIMIT 1) AS tenantId,
          held.id AS id, w.circuit_open_since_ms IS NOT NULL AS isOpen, coalesce(w.state, '') = 'ENABLED' AS isEnabled
        FROM held LEFT JOIN ${webhooks} w ON w.id = held.id AND w.tenant_id IS NOT NULL
        WHERE held.id IS NOT NULL AND NOT (coalesce(w.state, '') = 'ENABLED'
          AND w.circuit_open_since_ms IS NOT NULL AND ${hasProbe(sql`w`)})
        ORDER BY random() LIMIT ${webhooksASweep}`,
    ),
  ]);
  if (stuck.length === 0) return;
  const statements: Statement[] = [];
  const canceled = Math.min(CANCELED_A_STEP, Math.ceil(CANCELED_A_SWEEP / stuck.length));
  for (const webhook of stuck) {
    const isOpen = webhook.isEnabled === 1 && webhook.isOpen === 1;
    const count = webhook.isEnabled === 1 ? BURST : canceled;
    if (isOpen) statements.push(chooseProbeStatement(db, webhook));
    statements.push(
      isOpen
        ? designateStatement(db, webhook)
        : releaseStatement(db, webhook, count, nowMs, sql`1`),
    );
  }
  await runBatch(db, statements);
}
