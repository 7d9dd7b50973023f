/** The tables that hold tenants' rows, as the database itself has them. */
import { env } from "cloudflare:workers";

export const tenantTables: readonly string[] = (
  await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`tenant_id`%' ORDER BY name",
  ).all<{ name: string }>()
).results.map(({ name }) => name);

/** Every row the tenant has, by table. When a key was last used is left out: reading is use. */
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
