/** The tables with tenants' rows, read from the database schema. */
import { env } from "cloudflare:workers";

export const tenantTables: readonly string[] = (
  await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`tenant_id`%' ORDER BY name",
  ).all<{ name: string }>()
).results.map(({ name }) => name);

/** All rows of the tenant, by table, without the keys' last use, which reads change. */
export async function rowsOf(tenantId: string): Promise<Record<string, unknown[]>> {
  const selects = [
    env.DB.prepare("SELECT * FROM tenants WHERE id = ?").bind(tenantId),
    ...tenantTables.map((table) =>
      env.DB.prepare(`SELECT * FROM ${table} WHERE tenant_id = ? ORDER BY 1, 2`).bind(tenantId),
    ),
  ];
  const results = await env.DB.batch<Record<string, unknown>>(selects);
  return Object.fromEntries(
    ["tenants", ...tenantTables].map((table, at) => [
      table,
      (results[at]?.results ?? []).map((row) => ({ ...row, last_used_at_ms: null })),
    ]),
  );
}
