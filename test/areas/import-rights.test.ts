/** Who may import and make templates of imports, how often, and what a repeated or refused request leaves behind. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sweepImports } from "#areas/imports/sweep-imports.ts";
import { firstIdAt } from "#platform/ids.ts";
import { type Answer, clientOf, makeTenant, operator, type TestTenant } from "#test/support/api.ts";

const queue = {
  files: [{ path: "main.tf", content: 'resource "digitalocean_vpc" "a" {\n  name = "a"\n}\n' }],
};

async function rowsOf({ tenantId }: TestTenant): Promise<Record<string, number>> {
  const tables = ["imports", "import_parts", "import_drafts", "templates", "template_versions"];
  const counts = await env.DB.batch<{ n: number }>(
    tables.map((table) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
    ),
  );
  return Object.fromEntries(tables.map((table, at) => [table, counts[at]?.results[0]?.n ?? -1]));
}

async function limit({ tenantId }: TestTenant, limits: object): Promise<void> {
  const set = await operator.patch(`/tenants/${tenantId}`, { limits });
  expect(set.status, set.text).toBe(200);
}

async function keyOf({ tenantId }: TestTenant, scopes: readonly string[]) {
  const key = await operator.post("/api-keys", { name: "key", scopes, tenantId });
  expect(key.status, key.text).toBe(201);
  return clientOf(key.body.key);
}

const outcome = ({ status, body }: Answer) => [status, body.code ?? null];

it("a key that only reads can neither import, dry or not, nor make a template, and leaves nothing", async () => {
  const mine = await makeTenant();
  const { body } = await mine.post("/imports", queue);
  const before = await rowsOf(mine);
  const reader = await keyOf(mine, ["imports:read", "templates:read"]);
  expect((await reader.get(`/imports/${body.id}`)).status).toBe(200);
  for (const path of ["/imports", "/imports?dryRun=true", `/imports/${body.id}/template`])
    expect(
      outcome(await reader.post(path, path.endsWith("template") ? { name: "Mine" } : queue)),
    ).toEqual([403, "forbidden"]);
  expect(await rowsOf(mine)).toEqual(before);
});

it("another tenant finds neither the import, nor a part, a module or a template of it", async () => {
  const [mine, other] = [await makeTenant(), await makeTenant()];
  const { body } = await mine.post("/imports", queue);
  const before = await rowsOf(other);
  for (const query of ["", "?part=resources", "?module=.", "?part=warnings&limit=1"])
    expect(outcome(await other.get(`/imports/${body.id}${query}`))).toEqual([404, "not_found"]);
  expect(outcome(await other.post(`/imports/${body.id}/template`, { name: "Mine" }))).toEqual([
    404,
    "not_found",
  ]);
  for (const query of ["", "?dryRun=true"])
    expect(
      outcome(await other.post(`/imports${query}`, { ...queue, tenantId: mine.tenantId })),
    ).toEqual([404, "not_found"]);
  expect(await rowsOf(other)).toEqual(before);
});

it("a dry run needs no room, and takes none", async () => {
  const mine = await makeTenant();
  await limit(mine, { imports: 1 });
  const usage = async () => (await mine.get(`/tenants/${mine.tenantId}/usage`)).body.imports?.used;
  const before = await rowsOf(mine);
  for (let runs = 0; runs < 3; runs += 1)
    expect((await mine.post("/imports?dryRun=true", queue)).status).toBe(200);
  expect([await rowsOf(mine), await usage()]).toEqual([before, 0]);
  expect((await mine.post("/imports", queue)).status).toBe(201);
  const full = await rowsOf(mine);
  expect(outcome(await mine.post("/imports", queue))).toEqual([403, "quota_exceeded"]);
  expect((await mine.post("/imports?dryRun=true", queue)).status).toBe(200);
  expect([await rowsOf(mine), await usage()]).toEqual([full, 1]);
});

it("a key of idempotency is of one body and of one query: of an import, not of a dry run", async () => {
  const mine = await makeTenant();
  const headers = { "idempotency-key": "once" };
  const made = await mine.post("/imports", queue, headers);
  expect((await mine.post("/imports", queue, headers)).text).toBe(made.text);
  for (const [path, body] of [
    ["/imports", { files: [{ path: "main.tf", content: "" }] }],
    ["/imports", {}],
    ["/imports?adopt=true", queue],
    ["/imports?dryRun=true", queue],
  ] as const)
    expect(outcome(await mine.post(path, body, headers)), path).toEqual([
      409,
      "idempotency_key_reused",
    ]);
  expect((await rowsOf(mine))["imports"]).toBe(1);
  const named = { "idempotency-key": "template" };
  const path = `/imports/${made.body.id}/template`;
  const [one, two] = await Promise.all([1, 2].map(() => mine.post(path, { name: "Mine" }, named)));
  expect([one?.status, two?.text]).toEqual([201, one?.text]);
  expect((await rowsOf(mine))["templates"]).toBe(1);
});

it("an import that retention has swept is gone with its parts, and no template is made of it", async () => {
  const mine = await makeTenant();
  const { body } = await mine.post("/imports", queue);
  const headers = { "idempotency-key": "before" };
  const path = `/imports/${body.id}/template`;
  const made = await mine.post(path, { name: "Before" }, headers);
  expect(made.status, made.text).toBe(201);
  // As if it had been made long ago, when no other suite made one.
  const old = `${firstIdAt(Date.parse("2001-01-01"))}-7000-8000-000000000001`;
  const moved = ["imports", "import_parts", "import_drafts"].map((table) =>
    env.DB.prepare(
      `UPDATE ${table} SET ${table === "imports" ? "id = ?1, created_at_ms = 978307200000" : "import_id = ?1"} WHERE ${table === "imports" ? "id" : "import_id"} = ?2 AND tenant_id = ?3`,
    ).bind(old, body.id, mine.tenantId),
  );
  await env.DB.batch(moved);
  expect((await mine.get(`/imports/${old}`)).status).toBe(200);
  await sweepImports(env, Date.parse("2001-03-01"));
  for (const id of [old, body.id]) {
    expect(outcome(await mine.get(`/imports/${id}?part=resources`))).toEqual([404, "not_found"]);
    expect(outcome(await mine.post(`/imports/${id}/template`, { name: "After" }))).toEqual([
      404,
      "not_found",
    ]);
  }
  expect(await rowsOf(mine)).toEqual({
    imports: 0,
    import_parts: 0,
    import_drafts: 0,
    templates: 1,
    template_versions: 1,
  });
  expect((await mine.post(path, { name: "Before" }, headers)).text).toBe(made.text);
  expect((await mine.get(`/templates/${made.body.id}`)).status).toBe(200);
});

it("a template is made while there is room for it and its version, and its name is checked", async () => {
  const mine = await makeTenant();
  const { body } = await mine.post("/imports", queue);
  const make = (name: string, more: object = {}) =>
    mine.post(`/imports/${body.id}/template`, { name, ...more });
  for (const [name, more] of [
    ["a", {}],
    ["x".repeat(81), {}],
    ["Shop", { description: "x".repeat(2001) }],
    ["Shop", { source: "name: mine" }],
    ["Shop", { module: 1 }],
  ] as const)
    expect((await make(name, more)).status).toBe(400);
  expect(outcome(await make("Shop", { module: "none" }))).toEqual([404, "not_found"]);
  await limit(mine, { templates: 0 });
  expect(outcome(await make("Shop"))).toEqual([403, "quota_exceeded"]);
  await limit(mine, { templates: 5, templateVersions: 0 });
  expect(outcome(await make("Shop"))).toEqual([403, "quota_exceeded"]);
  expect(await rowsOf(mine)).toMatchObject({ templates: 0, template_versions: 0 });
  await limit(mine, { templates: 2, templateVersions: 2 });
  const answers = await Promise.all([1, 2, 3, 4].map((at) => make(`Shop ${at}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(answers.filter(({ body: { code } }) => code === "quota_exceeded")).toHaveLength(2);
  expect(await rowsOf(mine)).toMatchObject({ templates: 2, template_versions: 2 });
});

it("a name that is in use is treated as that of any other template", async () => {
  const mine = await makeTenant();
  const { body } = await mine.post("/imports", queue);
  expect((await mine.post("/templates", { name: "Shop" })).status).toBe(201);
  const again = await mine.post("/templates", { name: "Shop" });
  const made = await mine.post(`/imports/${body.id}/template`, { name: "Shop" });
  expect(outcome(made)).toEqual(outcome(again));
});
