/**
 * Each minute: whatever is open and has shown no progress is rung again. It repairs a lost message, a lost
 * alarm, a lost cancel or approval, and a plan that its runner forgot to let expire; ringing a runner that is
 * well does nothing.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { APPROVAL_MS } from "#orchestrator/run/approval-time.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { deployments, activeStatesSql } from "#schema/deployments.ts";

const MAX_ROWS = 500;

export async function sweepDeployments(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const stalledBeforeMs = nowMs - Number(env.STALL_SECONDS) * 1000;
  const found = await runBatch(db, [
    // Word for word the conditions of the partial indexes: SQLite does not see through parameters.
    unchanged(db, sql`state IN ${activeStatesSql}`, stalledBeforeMs),
    unchanged(db, sql`state IN ('AWAITING_APPROVAL')`, stalledBeforeMs - APPROVAL_MS),
  ]);
  const rows = found.flat();
  const results = await Promise.allSettled(
    rows.map(async ({ state, ...message }) => {
      const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId));
      if (state === "CANCELING") await runner.cancel(message);
      else await runner.notify(message);
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
      })
      .from(deployments)
      .where(sql`${states} AND ${deployments.updatedAtMs} < ${sinceMs}`)
      // At random: were there more than one sweep can ring, each would still get its turn.
      .orderBy(sql`random()`)
      .limit(MAX_ROWS)
  );
}
