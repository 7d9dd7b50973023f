/**
 * Removes the rows of deleted tenants in bounded steps: a backlog is spread over several minutes, and the
 * next sweep continues after a crash. The list of tables is read from the database, so that none is
 * forgotten.
 *
 * The tenant's webhooks stay for a week, to receive the last events. Events and deliveries are pruned by age
 * as usual, and the audit log is kept forever.
 */
import type { Bindings } from "#kernel/bindings.ts";

const TENANTS_A_SWEEP = 10;
const ROWS_A_STEP = 500;
const STEPS_A_SWEEP = 100;
const WEBHOOKS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

interface Table {
  name: string;
  /** The columns of its primary key, separated by commas. */
  key: string;
}

export async function purgeTenants(env: Bindings, nowMs: number): Promise<void> {
  const { results: purges } = await env.DB.prepare(
    "SELECT id, deleted_at_ms AS deletedAtMs FROM tenant_purges WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?",
  )
    .bind(nowMs, TENANTS_A_SWEEP)
    .all<{ id: string; deletedAtMs: number }>();
  if (purges.length === 0) return;
  const tables = await tablesOfTenants(env.DB);
  let stepsLeft = STEPS_A_SWEEP;
  for (const { id, deletedAtMs } of purges) {
    const toldAtMs = deletedAtMs + WEBHOOKS_KEPT_MS;
    const told = toldAtMs <= nowMs;
    for (const table of tables) {
      if (table.name === "webhooks" && !told) continue;
      let removed = ROWS_A_STEP;
      while (removed >= ROWS_A_STEP) {
        if (stepsLeft === 0) return;
        removed = await removeStep(env.DB, table, id);
        if (removed > 0) stepsLeft -= 1;
      }
    }
    const finished = told
      ? env.DB.prepare("DELETE FROM tenant_purges WHERE id = ?").bind(id)
      : env.DB.prepare("UPDATE tenant_purges SET due_at_ms = ?2 WHERE id = ?1").bind(id, toldAtMs);
    await finished.run();
  }
}

async function tablesOfTenants(db: D1Database): Promise<Table[]> {
  const { results } = await db
    .prepare(
      `SELECT name, (SELECT group_concat(c.name) FROM pragma_table_info(t.name) c WHERE c.pk > 0) AS key
        FROM sqlite_master t WHERE type = 'table' AND sql LIKE '%\`tenant_id\`%' ORDER BY name`,
    )
    .all<Table>();
  return results.filter(({ name }) => !/^(audit_|events$|webhook_)/.test(name));
}

/** Returns the number of deleted rows. */
async function removeStep(db: D1Database, { name, key }: Table, tenantId: string): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM \`${name}\` WHERE tenant_id = ?1
        AND (${key}) IN (SELECT ${key} FROM \`${name}\` WHERE tenant_id = ?1 LIMIT ${ROWS_A_STEP})`,
    )
    .bind(tenantId)
    .run();
  return meta.changes;
}
