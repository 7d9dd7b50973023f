/**
 * Runs each minute and notifies the runners of open deployments that have made no progress, and of those that were
 * canceled lately: a request ends a queued deployment, and its runner still has to give up the run. Repairs lost
 * messages, alarms, cancels and approvals, and plans that did not expire in time. Notifying a healthy runner has no effect, so
 * the sweep may run twice or die halfway: the next one starts over.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { APPROVAL_MS } from "#orchestrator/run/approval-time.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { deployments, activeStatesSql } from "#schema/deployments.ts";

const MAX_ROWS = 500;
/** How long a canceled deployment is swept. */
const CANCELED_MS = 10 * 60_000;

export async function sweepDeployments(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const stalledBeforeMs = nowMs - Number(env.STALL_SECONDS) * 1000;
  const found = await runBatch(db, [
    // Exactly the conditions of the partial indexes: SQLite does not match bound parameters to an index's condition.
    unchanged(db, sql`state IN ${activeStatesSql}`, stalledBeforeMs),
    unchanged(db, sql`state IN ('AWAITING_APPROVAL')`, stalledBeforeMs - APPROVAL_MS),
    unchanged(
      db,
      sql`state IN ('CANCELED') AND ${deployments.updatedAtMs} > ${nowMs - CANCELED_MS}`,
      stalledBeforeMs,
    ),
  ]);
  const rows = found.flat();
  const results = await Promise.allSettled(
    rows.map(async ({ state, projected, ...message }) => {
      const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId));
      if (state === "CANCELING") await runner.cancel(message);
      else await runner.notify(message, { projected });
    }),
  );
  for (const [at, result] of results.entries())
    if (result.status === "rejected")
      log("warn", "A stalled runner could not be notified", {
        deploymentId: rows[at]?.deploymentId,
        error: describeError(result.reason),
      });
}

function unchanged(db: Db, states: SQL, sinceMs: number) {
  return (
    db
      .select({
        deploymentId: deployments.id,
        tenantId: deployments.tenantId,
        instanceId: deployments.instanceId,
        state: deployments.state,
        projected: deployments.projected,
      })
      .from(deployments)
      .where(sql`${states} AND ${deployments.updatedAtMs} < ${sinceMs}`)
      // Random order: with more rows than the limit, each is still selected sooner or later.
      .orderBy(sql`random()`)
      .limit(MAX_ROWS)
  );
}
