/**
 * Plans, variables and the rest of the frozen inputs are kept as long as logs: for the newest fifty deployments of an
 * instance, for thirty days. The last two successful deployments keep theirs at any age, because a rollback returns to
 * them: from the last to the one before, or from a failure to the last (decision 0014). A deployment's identifying
 * columns stay for ever.
 *
 * Each new deployment prunes those that it pushes out, in its own commit. A sweep walks once through the deployments of
 * thirty days ago, and stores its position in the batch that prunes: a sweep that dies continues there.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch, type Statement } from "#platform/db/client.ts";
import { firstIdAt } from "#platform/ids.ts";
import { deploymentPlans, deployments, isGoodSql, openStatesSql } from "#schema/deployments.ts";
import { sweepWatch } from "#schema/sweeps.ts";

const KEPT_DEPLOYMENTS = 50;
const KEPT_GOOD = 2;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Several deployments may have ended since the one before, so more than one may be pushed out. */
const PRUNED_BY_ONE = 20;
const WALKED_A_STEP = 500;
const STEPS_A_SWEEP = 10;

const lastGood = sql`SELECT g.id FROM deployments g WHERE +g.tenant_id = deployments.tenant_id
  AND g.instance_id = deployments.instance_id AND ${isGoodSql}
  ORDER BY g.id DESC LIMIT ${sql.raw(String(KEPT_GOOD))}`;

/** The statements that prune the deployments that a new one of the instance, inserted before them, pushes out. */
export function pruneOlder(
  db: Db,
  { id, tenantId }: { id: string; tenantId: string },
  nowMs: number,
): Statement[] {
  const own = sql`tenant_id = ${tenantId} AND instance_id = ${id}`;
  const newest = sql`SELECT id FROM deployments WHERE +${own} ORDER BY id DESC`;
  const last = sql`coalesce((${newest} LIMIT 1 OFFSET ${KEPT_DEPLOYMENTS - 1}), '')`;
  const chosen = sql`id IN (
      SELECT id FROM (${newest} LIMIT ${PRUNED_BY_ONE} OFFSET ${KEPT_DEPLOYMENTS})
      UNION SELECT id FROM (SELECT id FROM deployments WHERE +${own} AND ${isGoodSql}
        ORDER BY id DESC LIMIT ${PRUNED_BY_ONE} OFFSET ${KEPT_GOOD})
      WHERE id < max(${last}, ${firstIdAt(nowMs - KEPT_MS)}))
    AND ${own}`;
  return pruneStatements(db, chosen);
}

/** Prunes deployments older than thirty days, in bounded steps. */
export async function sweepKeptDeployments(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const until = firstIdAt(nowMs - KEPT_MS);
  const [[watch]] = await runBatch(db, [
    db.select({ prunedTo: sweepWatch.prunedTo }).from(sweepWatch),
  ]);
  let after = watch?.prunedTo ?? "";
  for (let steps = 0; steps < STEPS_A_SWEEP; steps += 1) {
    const [[last]] = await runBatch(db, [
      db.all<{ id: string | null }>(
        sql`SELECT max(id) AS id FROM (SELECT id FROM deployments
          WHERE id > ${after} AND id < ${until} AND tenant_id IS NOT NULL ORDER BY id LIMIT ${WALKED_A_STEP})`,
      ),
    ]);
    const to = last?.id ?? null;
    if (to === null) return;
    await runBatch(db, [
      ...pruneStatements(db, sql`id > ${after} AND id <= ${to} AND tenant_id IS NOT NULL`),
      db.update(sweepWatch).set({ prunedTo: to }),
    ]);
    after = to;
  }
}

/** The plans are first, because a pruned deployment is not chosen again. */
function pruneStatements(db: Db, chosen: SQL): Statement[] {
  const these = sql`${chosen} AND pruned = 0 AND state NOT IN ${openStatesSql}
    AND id NOT IN (${lastGood})`;
  return [
    db.run(sql`DELETE FROM ${deploymentPlans} WHERE (tenant_id, deployment_id) IN (
      SELECT tenant_id, id FROM ${deployments} WHERE ${these})`),
    db.run(sql`UPDATE ${deployments} SET pruned = 1,
        inputs = json_set(json_remove(inputs, '$.given'), '$.variables', json('{}'), '$.target.config', json('{}'))
      WHERE ${these}`),
  ];
}
