/**
 * Each minute: whatever is open and has shown no progress is rung again. It repairs a lost message, a lost
 * alarm, a lost cancel; ringing a runner that is well does nothing.
 */
import { sql } from "drizzle-orm";
import { deployments } from "#areas/deployments/tables.ts";
import type { Bindings } from "#platform/bindings.ts";
import { openDb } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";

const MAX_ROWS = 500;

export async function sweepDeployments(env: Bindings, nowMs: number): Promise<void> {
  const stalledBeforeMs = nowMs - Number(env.STALL_SECONDS) * 1000;
  const rows = await openDb(env.DB)
    .select({
      deploymentId: deployments.id,
      tenantId: deployments.tenantId,
      instanceId: deployments.instanceId,
      state: deployments.state,
    })
    .from(deployments)
    .where(
      // Word for word the condition of the partial index: SQLite does not see through parameters.
      sql`state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING')
        AND ${deployments.updatedAtMs} < ${stalledBeforeMs}`,
    )
    // At random: were there more than one sweep can ring, each would still get its turn.
    .orderBy(sql`random()`)
    .limit(MAX_ROWS);
  const rung = await Promise.allSettled(
    rows.map(async ({ state, ...message }) => {
      const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId));
      if (state === "CANCELING") await runner.cancel(message);
      // Perhaps it waits for a verdict that was given, and the bell was lost.
      else if (state === "APPLYING") await runner.decide(message, "approve");
      else await runner.ring(message);
    }),
  );
  for (const [at, result] of rung.entries())
    if (result.status === "rejected")
      log("warn", "A stalled runner could not be rung", {
        deploymentId: rows[at]?.deploymentId,
        error: describeError(result.reason),
      });
}
