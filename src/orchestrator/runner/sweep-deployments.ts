/**
 * Runs each minute. Notifies the runners of open deployments without progress, and of deployments that a request or the
 * clock ended, until their runners have closed the runs. So it makes up for lost messages, alarms, cancels, approvals
 * and abandonments, and for plans that did not expire in time. A notification has no effect on a healthy runner, so the
 * sweep may run twice or die halfway: the next one starts over.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { activeStatesSql, deployments } from "#schema/deployments.ts";
import { APPROVAL_MS } from "#schema/lists/approval-time.ts";

const MAX_ROWS = 500;

export async function sweepDeployments(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const stalledBeforeMs = nowMs - Number(env.STALL_SECONDS) * 1000;
  const found = await runBatch(db, [
    // Exactly the conditions of the partial indexes: SQLite does not match bound parameters to an index's condition.
    unchanged(db, sql`state IN ${activeStatesSql}`, stalledBeforeMs),
    unchanged(db, sql`state IN ('AWAITING_APPROVAL')`, stalledBeforeMs - APPROVAL_MS),
    unchanged(db, sql`awaits_runner = 1`, stalledBeforeMs),
  ]);
  const rows = found.flat();
  const results = await Promise.allSettled(rows.map((row) => notify(env, row)));
  const closed: string[] = [];
  for (const [at, result] of results.entries()) {
    const row = rows[at];
    if (result.status === "rejected")
      log("warn", "A stalled runner could not be notified", {
        deploymentId: row?.deploymentId,
        error: describeError(result.reason),
      });
    else if (row?.awaitsRunner === true && result.value) closed.push(row.deploymentId);
  }
  if (closed.length > 0) await runBatch(db, [awaitNoMore(db, closed)]);
}

type Found = Awaited<ReturnType<typeof unchanged>>[number];

/** True: the run is closed, and D1 has all of it. */
async function notify(env: Bindings, row: Found): Promise<boolean> {
  const { deploymentId, tenantId, instanceId, state, error, projected } = row;
  const ref = { deploymentId, tenantId, instanceId };
  const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId));
  if (state === "FAILED") return runner.abandon({ ...ref, message: error?.message ?? "" });
  if (state !== "CANCELING") return runner.notify(ref, { projected });
  await runner.cancel(ref);
  return false;
}

function unchanged(db: Db, states: SQL, sinceMs: number) {
  return (
    db
      .select({
        deploymentId: deployments.id,
        tenantId: deployments.tenantId,
        instanceId: deployments.instanceId,
        state: deployments.state,
        awaitsRunner: deployments.awaitsRunner,
        error: deployments.error,
        projected: deployments.projected,
      })
      .from(deployments)
      .where(sql`${states} AND ${deployments.updatedAtMs} < ${sinceMs}`)
      // Random order, so that with more rows than the limit each row is selected sooner or later.
      .orderBy(sql`random()`)
      .limit(MAX_ROWS)
  );
}

/** Marks deployments whose runs are closed. Readers see no change of the rows. */
function awaitNoMore(db: Db, ids: readonly string[]) {
  return db
    .update(deployments)
    .set({ awaitsRunner: false })
    .where(
      sql`${deployments.tenantId} IS NOT NULL AND ${deployments.awaitsRunner} = 1
        AND ${deployments.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    );
}
