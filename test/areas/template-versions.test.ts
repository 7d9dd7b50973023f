import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { faultsOf, problemOf } from "#test/support/answers.ts";
import { makeTenant, operator, stranger } from "#test/support/api.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import {
  BROKEN,
  SOURCE,
  codesOf,
  eventsOf,
  makeTemplate,
  sourceOf,
} from "#test/support/templates.ts";

await emptyDatabase();

const PATH = "/templates";
const tenant = await makeTenant();

describe("adding a version", () => {
  it("numbers versions from 1, stores what the source declares, and does not change older versions", async () => {
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    const first = await tenant.post(path, { source: SOURCE });
    expect(first.status, first.text).toBe(201);
    expect(first.headers.get("location")).toBe(`/api/v1${path}/1`);
    expect(first.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      templateId: template.id,
      version: 1,
      deprecatedAt: null,
      release: null,
      createdAt: expect.any(String),
      config: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          cidr: { type: "string", default: "10.0.0.0/16" },
          password: { type: "string", minLength: 12, writeOnly: true },
        },
        required: ["password"],
      },
      secretNames: ["password"],
      resources: [
        {
          name: "net",
          type: "mock:Network",
          component: null,
          range: null,
          conditional: false,
          repeats: false,
          dependsOn: [],
        },
        {
          name: "db",
          type: "mock:Database",
          component: null,
          range: null,
          conditional: false,
          repeats: false,
          dependsOn: ["net"],
        },
      ],
      outputs: ["network", "database"],
      components: [],
      usedBy: [],
      diagnostics: [],
    });
    const { diagnostics: _, ...stored } = first.body;
    const read = await tenant.get(`${path}/1`);
    expect(read.body).toEqual({ ...stored, source: SOURCE });
    expect(read.headers.get("etag")).toBe(first.headers.get("etag"));
    const second = await tenant.post(path, { source: "{}" });
    expect(second.body).toMatchObject({ version: 2, secretNames: [], resources: [], outputs: [] });
    expect((await tenant.get(`${path}/1`)).text).toBe(read.text);
    const { diagnostics: __, ...latest } = second.body;
    expect((await tenant.get(`${path}/latest`)).body).toEqual({ ...latest, source: "{}" });
    const after = await tenant.get(`${PATH}/${template.id}`);
    expect(after.body.latestVersion).toBe(2);
    expect(after.headers.get("etag")).toBe('"3"');
    expect(await eventsOf(template.id)).toEqual([
      ["template.created", 1],
      ["template.version_created", 2],
      ["template.version_created", 3],
    ]);
  });

  it("lists versions newest first, without their sources, and pages", async () => {
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    for (let at = 0; at < 3; at += 1) await tenant.post(path, { source: SOURCE });
    const first = await tenant.get(`${path}?limit=2`);
    expect(first.body.data.map((v: { version: number }) => v.version)).toEqual([3, 2]);
    expect(first.body.data[0]).not.toHaveProperty("source");
    const second = await tenant.get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((v: { version: number }) => v.version)).toEqual([1]);
    expect(second.body.nextCursor).toBeNull();
    const other = await makeTemplate(tenant);
    const moved = await tenant.get(
      `${PATH}/${other.body.id}/versions?cursor=${first.body.nextCursor}`,
    );
    expect(moved.body.code).toBe("invalid_cursor");
    expect((await tenant.get(`${path}?q=x`)).body.code).toBe("unknown_parameter");
  });

  it("reports all errors of an invalid source with place and hint, and stores nothing", async () => {
    const { body: template } = await makeTemplate(tenant, { source: SOURCE });
    const path = `${PATH}/${template.id}/versions`;
    const refused = await tenant.post(path, { source: BROKEN });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("template_invalid");
    expect(codesOf(refused.body.errors).sort()).toEqual(["unknown_reference", "unknown_type"]);
    for (const fault of refused.body.errors)
      expect(fault).toMatchObject({ in: "body", pointer: "/source" });
    const details = refused.body.errors.map((e: { detail: string }) => e.detail).join("\n");
    expect(details).toMatch(/^2:\d+: .*mock:Network/m);
    expect(details).toMatch(/^3:\d+: .*net/m);
    expect((await tenant.get(`${path}/2`)).status).toBe(404);
    expect((await tenant.get(`${PATH}/${template.id}`)).body.latestVersion).toBe(1);
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS n FROM template_versions WHERE template_id = ?",
    )
      .bind(template.id)
      .all();
    expect(results).toEqual([{ n: 1 }]);
  });

  it.for([
    ["is missing", {}],
    ["is empty", { source: "" }],
    ["is too long", { source: "a".repeat(200_001) }],
    ["is no text", { source: 1 }],
  ] as const)("rejects a source that %s", async ([, body]) => {
    const { body: template } = await makeTemplate(tenant);
    const refused = await tenant.post(`${PATH}/${template.id}/versions`, body);
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual(["/source"]);
  });

  it("accepts a source of one character and of 200,000, in any alphabet", async () => {
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    const long = "description: ".padEnd(200_000, "語");
    for (const source of ["~", sourceOf(200_000), long]) {
      const made = await tenant.post(path, { source });
      expect(made.status, made.text.slice(0, 500)).toBe(201);
      const read = await tenant.get(`${path}/${made.body.version}`);
      expect(read.body.source === source).toBe(true);
    }
  });

  it("gives versions added at the same time different numbers", async () => {
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map((at) => tenant.post(path, { source: `description: v${at}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.version))).toEqual(new Set([1, 2, 3, 4]));
    expect((await tenant.get(`${PATH}/${template.id}`)).body.latestVersion).toBe(4);
    const kept = (await eventsOf(template.id)).map(([, sequence]) => sequence);
    expect(kept).toEqual([1, 2, 3, 4, 5]);
  });

  it("adds one version for a repeated request", async () => {
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    const headers = { "idempotency-key": "v" };
    const first = await tenant.post(path, { source: SOURCE }, headers);
    const again = await tenant.post(path, { source: SOURCE }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await tenant.get(path)).body.data).toHaveLength(1);
  });

  it("answers only for existing versions", async () => {
    const { body: template } = await makeTemplate(tenant, { source: SOURCE });
    const path = `${PATH}/${template.id}/versions`;
    for (const version of ["0", "2", "-1", "01", "1.0", "1e0", "x", "999999999999", "__proto__"])
      expect((await tenant.get(`${path}/${version}`)).status, version).toBe(404);
  });

  it("keeps names with a special meaning in JavaScript", async () => {
    const source = `config:
  toString: { type: string, secret: true }
  constructor: { type: string, default: a }
outputs:
  a: \${toString}
  b: \${constructor}
`;
    const { body: template } = await makeTemplate(tenant);
    const path = `${PATH}/${template.id}/versions`;
    const made = await tenant.post(path, { source });
    expect(made.status, made.text).toBe(201);
    expect(made.body.secretNames).toEqual(["toString"]);
    const read = await tenant.get(`${path}/1`);
    expect(Object.keys(read.body.config.properties)).toEqual(["toString", "constructor"]);
  });

  it("costs two round trips, and reading one", async () => {
    const { body: template, headers } = await makeTemplate(tenant, { source: SOURCE });
    const path = `${PATH}/${template.id}`;
    expect(headers.get("server-timing")).toMatch(/d1;desc="\d+\/[12]"/);
    const added = await tenant.post(`${path}/versions`, { source: SOURCE });
    expect(added.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    for (const read of [PATH, path, `${path}/versions`, `${path}/versions/1`])
      expect((await tenant.get(read)).headers.get("server-timing")).toMatch(/d1;desc="\d\/1"/);
    const validated = await tenant.post(`${path}/validate`, { tenantId: tenant.tenantId });
    expect(validated.headers.get("server-timing")).toMatch(/d1;desc="\d\/1"/);
  });
});

describe("validating a template", () => {
  it("describes the latest version's source if none is sent, in whatever way", async () => {
    const { body: template } = await makeTemplate(tenant, { source: "{}" });
    const path = `${PATH}/${template.id}`;
    const added = await tenant.post(`${path}/versions`, { source: SOURCE });
    const empty = await tenant.post(`${path}/validate`, {});
    expect(empty.status, empty.text).toBe(200);
    expect(empty.body).toEqual({
      valid: true,
      components: [],
      diagnostics: [],
      config: added.body.config,
      resources: added.body.resources,
      outputs: added.body.outputs,
    });
    const absent = await tenant.post(`${path}/validate`);
    expect(absent.text).toBe(empty.text);
    const mistyped = await tenant.post(`${path}/validate`, { soruce: BROKEN });
    expect(mistyped.body.detail).toContain('Did you mean "source"?');
  });

  it("describes the source that is sent instead of the stored one, and stores nothing", async () => {
    const { body: template } = await makeTemplate(tenant, { source: SOURCE });
    const path = `${PATH}/${template.id}`;
    const answer = await tenant.post(`${path}/validate`, { source: BROKEN });
    expect(answer.status).toBe(200);
    expect(answer.body.valid).toBe(false);
    expect(codesOf(answer.body.diagnostics).sort()).toEqual(["unknown_reference", "unknown_type"]);
    for (const diagnostic of answer.body.diagnostics)
      expect(diagnostic).toMatchObject({ severity: "error", line: expect.any(Number) });
    expect((await tenant.get(`${path}/versions`)).body.data).toHaveLength(1);
    const unparsable = await tenant.post(`${path}/validate`, { source: "a: [" });
    expect(unparsable.status).toBe(200);
    expect(unparsable.body.valid).toBe(false);
  });

  it("reports a template without a version", async () => {
    const { body: template } = await makeTemplate(tenant);
    const answer = await tenant.post(`${PATH}/${template.id}/validate`, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ valid: false, resources: [], outputs: [] });
    expect(codesOf(answer.body.diagnostics)).toEqual(["no_source"]);
  });

  it("warns about providers at which the named tenant has no target", async () => {
    const mine = await makeTenant();
    const { body: template } = await makeTemplate(mine, { source: SOURCE });
    const path = `${PATH}/${template.id}/validate`;
    expect((await mine.post(path, {})).body.diagnostics).toEqual([]);
    const without = await mine.post(path, { tenantId: mine.tenantId });
    expect(without.body.valid).toBe(true);
    expect(without.body.diagnostics).toMatchObject([
      { severity: "warning", code: "no_target", path: "/resources/net/type" },
    ]);
    const target = { name: "sandbox", config: {}, allowedRegions: ["ab"], defaultRegion: "ab" };
    await tenant.post("/cloud/targets", { ...target, provider: "mock" });
    await mine.post("/cloud/targets", { ...target, provider: "vultr" });
    const still = await mine.post(path, { tenantId: mine.tenantId });
    expect(codesOf(still.body.diagnostics)).toEqual(["no_target"]);
    const seen = await operator.post(path, { tenantId: mine.tenantId });
    expect(seen.body.diagnostics).toEqual(still.body.diagnostics);
    await mine.post("/cloud/targets", { ...target, provider: "mock" });
    expect((await mine.post(path, { tenantId: mine.tenantId })).body.diagnostics).toEqual([]);
    expect((await operator.post(path, { tenantId: mine.tenantId })).body.diagnostics).toEqual([]);
  });

  it("warns about regions that no target of the named tenant allows, and about reached limits", async () => {
    const mine = await makeTenant();
    const source =
      'resources: { net: { type: "mock:Network", properties: { name: n, region: cd } } }';
    const { body: template } = await makeTemplate(mine, { source });
    const path = `${PATH}/${template.id}/validate`;
    const codes = async () =>
      codesOf((await mine.post(path, { tenantId: mine.tenantId })).body.diagnostics);
    const target = { provider: "mock", name: "sandbox", config: {}, defaultRegion: "ab" };
    await mine.post("/cloud/targets", { ...target, allowedRegions: ["ab"] });
    expect(await codes()).toEqual(["region_not_allowed"]);
    await mine.post("/cloud/targets", { ...target, allowedRegions: ["ab", "cd"] });
    expect(await codes()).toEqual([]);
    const limited = await operator.patch(`/tenants/${mine.tenantId}`, { limits: { instances: 0 } });
    expect(limited.status, limited.text).toBe(200);
    expect(await codes()).toEqual(["limit_reached"]);
  });

  it("accepts no tenant but the caller's", async () => {
    const other = await makeTenant();
    const { body: template } = await makeTemplate(tenant, { source: SOURCE });
    const path = `${PATH}/${template.id}/validate`;
    const foreign = await tenant.post(path, { tenantId: other.tenantId });
    const zero = await tenant.post(path, { tenantId: "00000000-0000-0000-0000-000000000000" });
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(zero));
    expect((await tenant.post(path, { tenantId: "x" })).body.code).toBe("validation_failed");
    expect((await operator.post(path, { tenantId: crypto.randomUUID() })).status).toBe(404);
  });

  it.for([{ source: "" }, { source: "a".repeat(200_001) }, { source: null }])(
    "rejects a source beyond the limits, case %#",
    async (body) => {
      const { body: template } = await makeTemplate(tenant);
      const refused = await tenant.post(`${PATH}/${template.id}/validate`, body);
      expect(refused.status).toBe(400);
      expect(faultsOf(refused)).toEqual(["/source"]);
    },
  );

  it("requires a key that can read templates", async () => {
    const { body: template } = await makeTemplate(operator, { source: SOURCE });
    const path = `${PATH}/${template.id}/validate`;
    expect((await stranger.post(path, {})).status).toBe(401);
    expect((await (await makeTenant(["targets:write"])).post(path, {})).status).toBe(403);
    expect((await (await makeTenant(["templates:read"])).post(path, {})).status).toBe(200);
  });
});
