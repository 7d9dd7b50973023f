/** The largest row of every table, times what bounds its rows, is within what a tenant may store. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { byteBudgets } from "#schema/lists/byte-budgets.ts";
import { type LimitName, planLimits } from "#schema/lists/plans.ts";
import { tableBudgets } from "#schema/lists/table-budgets.ts";
import { makeUnlimitedTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";

const MIB = 1_024 * 1_024;
/** Of the database that all tenants share, as docs/limits.md and docs/operations.md say. */
const TABLE_BYTES = 200 * MIB;
const TENANT_BYTES = 1_400 * MIB;
/** D1's own limit of a row. */
const ROW_BYTES = 2_000_000;

const bounded = Object.entries(tableBudgets);
const { community } = planLimits;

async function tablesOfTenants(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND (sql LIKE '%`tenant_id`%' OR name = 'idempotency_keys') ORDER BY name",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

it("every table with tenants' rows has an entry, and no other", async () => {
  expect(Object.keys(tableBudgets).toSorted()).toEqual(await tablesOfTenants());
});

it("the tables that count against a budget say so, and no other", () => {
  const said = bounded.flatMap(([table, one]) =>
    one.by === "bytes" ? [`${one.budget} ${table}`] : [],
  );
  const counted = Object.entries(byteBudgets).flatMap(([budget, tables]) =>
    Object.keys(tables)
      .filter((table) => table !== "instances")
      .map((table) => `${budget} ${table}`),
  );
  expect(said.toSorted()).toEqual(counted.toSorted());
});

describe("the bytes of a tenant of the community plan", () => {
  const ofRows = bounded.flatMap(([table, one]): [string, number][] =>
    one.by === "rows"
      ? [[table, (community[one.limit] ?? Number.NaN) * (one.each ?? 1) * one.rowBytes]]
      : [],
  );

  it.each(ofRows)("%s are within the share of a table", (_, bytes) => {
    expect(bytes).toBeLessThanOrEqual(TABLE_BYTES);
  });

  it("are within what a tenant may store, with its budgets", () => {
    const budgets = [...Object.keys(byteBudgets), "webhookAnswerBytesPerMonth"].map(
      (name) => community[name as LimitName] ?? Number.NaN,
    );
    const sum = [...ofRows.map(([, bytes]) => bytes), ...budgets].reduce((a, b) => a + b, 0);
    expect(sum).toBeLessThanOrEqual(TENANT_BYTES);
  });
});

it("no row can be larger than D1 takes", () => {
  for (const [table, { rowBytes }] of bounded) expect(rowBytes, table).toBeLessThan(ROW_BYTES);
});

/** The largest row of the tenant in each table, in bytes of its columns; `except`: columns that do not count. */
async function largestRows(
  tenantId: string,
  except: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    "SELECT t.name AS name, c.name AS field FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*'",
  ).all<{ name: string; field: string }>();
  const found: Record<string, number> = {};
  for (const table of Object.keys(tableBudgets)) {
    if (table === "idempotency_keys") continue;
    const columns = results
      .filter(({ name, field }) => name === table && except[table]?.includes(field) !== true)
      .map(({ field }) => field);
    const sum = columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ");
    const row = await env.DB.prepare(`SELECT max(${sum}) AS n FROM ${table} WHERE tenant_id = ?`)
      .bind(tenantId)
      .first<{ n: number | null }>();
    if (row?.n != null) found[table] = row.n;
  }
  return found;
}

it("the largest rows that the API writes are as large as their entries say, and no larger", async () => {
  const tenant = await makeUnlimitedTenant();
  const wide = (length: number) => "界".repeat(length);
  const labels = Object.fromEntries(
    Array.from({ length: 55 }, (_, at) => [`k${at}`, "v".repeat(63)]),
  );
  const made = async (path: string, body: object) => {
    const answer = await tenant.post(path, body);
    expect(answer.status, answer.text.slice(0, 300)).toBe(201);
    return answer.body;
  };
  const names = Array.from({ length: 400 }, (_, at) => `note${String(at).padStart(3, "0")}`);
  const source = `name: notes\nruntime: yaml\nconfig:\n${names
    .map((name) => `  ${name}: { type: string, default: "", description: ${"d".repeat(300)} }\n`)
    .join("")}`;
  const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, source)];
  const note = (count: number) =>
    Object.fromEntries(names.slice(0, count).map((name) => [name, "n".repeat(5_900)]));
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables: note(10) });
  for (let at = 20; at <= 50; at += 10) {
    const variables = Object.fromEntries(Object.entries(note(at)).slice(at - 10));
    const patched = await tenant.patch(`/instances/${instanceId}`, { variables });
    expect(patched.status, patched.text.slice(0, 300)).toBe(200);
  }
  const begun = await tenant.post(`/instances/${instanceId}/deploy`, {
    message: wide(1_000),
    labels,
  });
  await untilOver(tenant, begun.body.id);
  await made("/cloud/targets", {
    provider: "mock",
    name: wide(40),
    labels,
    config: { note: "n".repeat(16_000) },
    allowedRegions: ["*", "r".repeat(8_000)],
    defaultRegion: "local-1",
  });
  await made("/templates", { name: wide(40), description: wide(2_000), labels });
  await made("/marketplace/listings", {
    templateId,
    slug: "largest",
    title: wide(80),
    summary: wide(240),
    description: wide(8_000),
    categories: ["c".repeat(4_000)],
    tags: ["t".repeat(4_000)],
  });
  await made("/webhooks", {
    url: `https://hooks.example.com/${"p".repeat(1_900)}`,
    events: ["license.expired"],
    labels,
  });
  const incident = await made("/incidents", {
    title: wide(200),
    message: wide(5_000),
    status: "INVESTIGATING",
    components: Array.from({ length: 50 }, () => wide(100)),
  });
  await made(`/incidents/${incident.id}/updates`, { status: "MONITORING", message: wide(5_000) });
  await made("/imports", {
    files: Array.from({ length: 900 }, (_, at) => ({
      path: `${crypto.randomUUID()}/${crypto.randomUUID().repeat(10)}/${at}.txt`,
      content: "x",
    })),
  });
  const largest = await largestRows(tenant.tenantId);
  for (const [table, bytes] of Object.entries(largest))
    expect(bytes, table).toBeLessThanOrEqual(tableBudgets[table]?.rowBytes ?? 0);
  // No limit counts the rows of these, so little of a row may be left out of what the budget counts.
  const counted = Object.assign({}, ...Object.values(byteBudgets)) as Record<string, string[]>;
  const uncounted = await largestRows(tenant.tenantId, counted);
  for (const table of ["deployments", "deployment_plans", "import_parts", "incident_updates"])
    expect(uncounted[table], table).toBeLessThan(1_000);
  for (const [table, least] of Object.entries({
    instances: 290_000,
    deployments: 290_000,
    cloud_targets: 25_000,
    templates: 8_000,
    listings: 38_000,
    events: 900,
    audit_events: 340,
    webhooks: 6_000,
    incidents: 20_000,
    incident_updates: 10_000,
    template_versions: 250_000,
  }))
    expect(largest[table], table).toBeGreaterThanOrEqual(least);
});
