/** Fills the tables of a tenant with copies of its rows, in SQL: hundreds of thousands in seconds. */
import { env } from "cloudflare:workers";

/** The tables that grow with use, and the ones that a plan limits. Rows that every event or object reads are
 * limited (webhooks, triggers, updates of an incident). */
const growing = [
  "api_keys",
  "audit_events",
  "audit_seals",
  "cloud_targets",
  "component_uses",
  "deployment_plans",
  "deployments",
  "events",
  "imports",
  "incidents",
  "instances",
  "invitations",
  "members",
  "profiles",
  "template_versions",
  "templates",
  "webhook_attempts",
  "webhook_deliveries",
] as const;

/** The tables without a limit in any plan. */
export const unlimited: readonly string[] = [
  "audit_events",
  "audit_seals",
  "deployment_plans",
  "deployments",
  "events",
  "instances",
  "webhook_attempts",
  "webhook_deliveries",
];

const OWN = "old.tenant_id";
const foreign = new Set(["instance_id", "template_id", "target_id", "webhook_id", "delivery_id"]);
interface Column {
  name: string;
  type: string;
  isKey: number;
}

/** Copies rows until each of the tables has `rows` of the tenant. The copies are older than the originals. */
export async function growTenant(
  tenantId: string,
  rows: number,
  tables: readonly string[] = growing,
): Promise<void> {
  for (const table of tables) {
    const has = await countOf(table, tenantId);
    if (has > 0 && has < rows) await copyRows(table, tenantId, OWN, Math.ceil((rows - has) / has));
  }
  // A member is shown with its user.
  await env.DB.prepare(
    `INSERT INTO users (id, email, email_trusted, issuer, subject, version, created_at_ms, updated_at_ms)
      SELECT user_id, user_id || '@grown.test', 0, 'https://grown.test', user_id, 1, 0, 0 FROM members
      WHERE tenant_id = ? ON CONFLICT DO NOTHING`,
  )
    .bind(tenantId)
    .run();
}

/** Makes so many other tenants, each with copies of all the tenant's rows. */
export async function growTenants(tenantId: string, tenants: number): Promise<void> {
  await copyRows("tenants", tenantId, "'other-' || made.n", tenants);
  for (const table of unlimited)
    if ((await countOf(table, tenantId)) > 0)
      await copyRows(table, tenantId, "'other-' || made.n", tenants);
}

async function countOf(table: string, tenantId: string): Promise<number> {
  const statement = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`);
  return Number(await statement.bind(tenantId).first("n"));
}

async function copyRows(
  table: string,
  tenantId: string,
  whose: string,
  copies: number,
): Promise<void> {
  const { results: columns } = await env.DB.prepare(
    `SELECT c.name, c.type, c.name IN (SELECT i.name FROM pragma_index_list('${table}') l JOIN pragma_index_info(l.name) i
        WHERE l."unique" = 1) AS isKey FROM pragma_table_info('${table}') c`,
  ).all<Column>();
  const owner = table === "tenants" ? "id" : "tenant_id";
  const values = columns.map(({ name, type, isKey }) => {
    if (name === owner) return whose;
    // Another tenant's rows belong to its own instances, templates and webhooks.
    if (whose !== OWN && foreign.has(name)) return `old."${name}" || '~' || made.n`;
    if (name === "id") return "made.id";
    if (name === "created_at_ms") return "made.at_ms";
    // Each delivery has its own attempts.
    if (name === "delivery_id") return `old."${name}" || '~' || made.n`;
    if (name === "user_id") return uuid;
    if (isKey === 0 || name === "template_id") return `old."${name}"`;
    return /int/i.test(type)
      ? "abs(random()) % 9000000000000"
      : `old."${name}" || '~' || hex(randomblob(6))`;
  });
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  await env.DB.prepare(
    `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?1),
      made AS MATERIALIZED (SELECT n, ?2 - n * 100 AS at_ms, printf('%012x', ?2 - n * 100) AS hex FROM many)
    INSERT INTO ${table} (${names})
      SELECT ${values.map((value) => (value === "made.id" ? uuid : value)).join(", ")}
      FROM ${table} old CROSS JOIN made WHERE old.${owner} = ?3`,
  )
    .bind(copies, Date.now() - 60_000, tenantId)
    .run();
}

/** A UUIDv7 of the time. */
const uuid = `substr(made.hex, 1, 8) || '-' || substr(made.hex, 9, 4) || '-7' || substr(printf('%04x', abs(random()) % 65536), 2)
  || '-8' || substr(printf('%04x', abs(random()) % 65536), 2) || '-' || lower(hex(randomblob(6)))`;
