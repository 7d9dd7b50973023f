import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findTargets } from "#areas/cloud-targets/store.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { folded } from "#platform/text/folded.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { faultsOf, idOf, problemOf } from "#test/support/answers.ts";
import {
  type Answer,
  clientOf,
  makeTenant,
  operator,
  send,
  stranger,
  type TestTenant,
} from "#test/support/api.ts";
import { makeTemplate } from "#test/support/cloud.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

const PATH = "/cloud/targets";
const minimal = {
  provider: "mock",
  name: "sandbox one",
  config: {},
  allowedRegions: ["local"],
  defaultRegion: "local",
};
const tenant = await makeTenant();
const prefix = (id: string) => `env://TARGET_${id.replaceAll("-", "").toUpperCase()}_`;

async function makeTarget(
  client: { post: TestTenant["post"] },
  more: object = {},
): Promise<Answer> {
  const made = await client.post(PATH, { ...minimal, ...more });
  if (made.status !== 201) throw new Error(`No target: ${made.text}`);
  return made;
}

describe("registering a cloud target", () => {
  it("answers the target with the defaults, and reads it back", async () => {
    const made = await makeTarget(tenant);
    expect(made.body).toEqual({
      ...minimal,
      id: expect.any(String),
      tenantId: tenant.tenantId,
      labels: {},
      environment: "any",
      credentialRef: null,
      identity: null,
      credentialProblem: null,
      maxConcurrentDeployments: 3,
      verification: "UNVERIFIED",
      verifiedAt: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    });
    expect(made.headers.get("location")).toBe(`/api/v1${PATH}/${made.body.id}`);
    expect(made.headers.get("etag")).toBe('"1"');
    const read = await tenant.get(`${PATH}/${made.body.id}`);
    expect(read.text).toBe(made.text);
    const headers = { "if-none-match": read.headers.get("etag") ?? "" };
    expect((await tenant.get(`${PATH}/${made.body.id}`, headers)).status).toBe(304);
  });

  it("stores everything that was sent", async () => {
    const given = {
      provider: "aws",
      name: "Production — Ämter 🚀",
      environment: "production",
      config: { accountId: "123", nested: { list: [1, null, { constructor: true }] } },
      credentialRef: `${prefix(tenant.tenantId)}AWS`,
      allowedRegions: ["eu-central-1", "us-east-1", "us-east-1"],
      defaultRegion: "us-east-1",
      tenantId: tenant.tenantId,
      maxConcurrentDeployments: 20,
    };
    const made = await tenant.post(PATH, given);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject(given);
    expect((await tenant.get(`${PATH}/${made.body.id}`)).body).toMatchObject(given);
  });

  it.for([
    ...[
      "aws",
      "azure",
      "gcp",
      "oci",
      "digitalocean",
      "vultr",
      "coreweave",
      "magalu",
      "vercel",
      "render",
      "supabase",
      "mock",
    ].map((provider) => ({ provider })),
    ...["production", "staging", "development", "sandbox", "any"].map((environment) => ({
      environment,
    })),
    { name: "ab" },
    { name: "a".repeat(80) },
    { allowedRegions: ["ab"], defaultRegion: "ab" },
    { allowedRegions: ["", "local"] },
    { allowedRegions: ["*"] },
    { allowedRegions: Array.from({ length: 300 }, (_, at) => `r${at}`), defaultRegion: "r299" },
    { allowedRegions: ["r".repeat(500)], defaultRegion: "r".repeat(500) },
    { maxConcurrentDeployments: 1 },
    { maxConcurrentDeployments: 20 },
    { credentialRef: `${prefix(tenant.tenantId)}A` },
    { credentialRef: prefix(tenant.tenantId).padEnd(300, "A") },
    { credentialRef: `aws-sm://control/${tenant.tenantId}/prod/key` },
    { tenantId: tenant.tenantId.toUpperCase() },
  ])("accepts %j", async (more) => {
    const made = await tenant.post(PATH, { ...minimal, ...more });
    expect(made.status, made.text).toBe(201);
  });

  it.for([
    ["/provider", { provider: "heroku" }],
    ["/provider", { provider: "AWS" }],
    ["/provider", { provider: "constructor" }],
    ["/provider", { provider: undefined }],
    ["/name", { name: "a" }],
    ["/name", { name: "a".repeat(81) }],
    ["/name", { name: 12 }],
    ["/name", { name: undefined }],
    ["/environment", { environment: "prod" }],
    ["/environment", { environment: null }],
    ["/config", { config: undefined }],
    ["/config", { config: [] }],
    ["/config", { config: "a=b" }],
    ["/config", { config: null }],
    ["/allowedRegions", { allowedRegions: undefined }],
    ["/allowedRegions", { allowedRegions: [] }],
    ["/allowedRegions", { allowedRegions: "local" }],
    ["/allowedRegions/1", { allowedRegions: ["local", 1] }],
    ["/defaultRegion", { defaultRegion: undefined }],
    ["/defaultRegion", { allowedRegions: ["a"], defaultRegion: "a" }],
    ["/defaultRegion", { defaultRegion: "elsewhere" }],
    ["/defaultRegion", { defaultRegion: "LOCAL" }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: 0 }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: 21 }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: 1.5 }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: "3" }],
    ["/credentialRef", { credentialRef: "" }],
    ["/credentialRef", { credentialRef: "vault://a" }],
    ["/credentialRef", { credentialRef: "env://" }],
    ["/credentialRef", { credentialRef: "env://a b" }],
    ["/credentialRef", { credentialRef: `${prefix(tenant.tenantId)}A\n` }],
    ["/credentialRef", { credentialRef: prefix(tenant.tenantId).padEnd(301, "A") }],
    ["/tenantId", { tenantId: "acme" }],
    ["/tenantId", { tenantId: "0190a5c6-1111-0abc-8def-0123456789ab" }],
  ] as const)("rejects %s in %j", async ([pointer, more]) => {
    const refused = await tenant.post(PATH, { ...minimal, ...more });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("reports all missing fields at once", async () => {
    const refused = await tenant.post(PATH, {});
    expect(faultsOf(refused).sort()).toEqual([
      "/allowedRegions",
      "/config",
      "/defaultRegion",
      "/name",
      "/provider",
    ]);
    expect((await tenant.post(PATH)).body.code).toBe("validation_failed");
    expect((await tenant.post(PATH, [minimal])).status).toBe(400);
  });

  it("lets a tenant refer only to its own credentials", async () => {
    const other = await makeTenant();
    for (const credentialRef of [
      `${prefix(other.tenantId)}AWS`,
      "env://TARGET_PLATFORM_AWS",
      "env://BOOTSTRAP_API_KEY",
      "env://SEALING_KEYS",
      `aws-sm://control/${other.tenantId}/a`,
      `aws-sm://control/${tenant.tenantId}/../${other.tenantId}/a`,
      "aws-sm://control/platform/a",
    ]) {
      const refused = await tenant.post(PATH, { ...minimal, credentialRef });
      expect(refused.status, refused.text).toBe(400);
      expect(refused.body.code).toBe("credential_unavailable");
      expect(faultsOf(refused)).toEqual(["/credentialRef"]);
      expect(refused.body.detail).toContain(prefix(tenant.tenantId));
    }
    const crossed = { ...minimal, credentialRef: `${prefix(tenant.tenantId)}AWS` };
    expect((await operator.post(PATH, crossed)).body.code).toBe("credential_unavailable");
    const platform = { ...minimal, credentialRef: "env://TARGET_PLATFORM_AWS" };
    expect((await operator.post(PATH, platform)).status).toBe(201);
  });

  it("accepts only JSON, and only from a caller with the right to write", async () => {
    expect((await stranger.post(PATH, minimal)).status).toBe(401);
    expect((await clientOf("cpk_nonsense").post(PATH, minimal)).status).toBe(401);
    const reader = await makeTenant(["targets:read"]);
    const refused = await reader.post(PATH, minimal);
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("targets:write");
    expect((await reader.get(PATH)).body.data.map(idOf)).toEqual(
      (await publicIds()).sort().reverse(),
    );
    const plain = await send("POST", PATH, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
      body: JSON.stringify(minimal),
    });
    expect(plain.status).toBe(415);
    const huge = { ...minimal, config: { text: "a".repeat(64 * 1024) } };
    expect((await tenant.post(PATH, huge)).status).toBe(413);
  });

  it("answers a repeated request with the stored answer and creates one target", async () => {
    const mine = await makeTenant();
    const headers = { "idempotency-key": "one" };
    const answers = await Promise.all([1, 2, 3].map(() => mine.post(PATH, minimal, headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const own = await mine.get(`${PATH}?tenantId=${mine.tenantId}`);
    expect(own.body.data).toHaveLength(1);
    const reused = await mine.post(PATH, { ...minimal, name: "other" }, headers);
    expect(reused.body.code).toBe("idempotency_key_reused");
  });

  it("writes one event and one audit entry, without the content of the config", async () => {
    const made = await makeTarget(tenant, {
      environment: "staging",
      config: { project: "private-thing" },
      credentialRef: `${prefix(tenant.tenantId)}A`,
    });
    const events = await env.DB.prepare("SELECT * FROM events WHERE resource_id = ?")
      .bind(made.body.id)
      .all<{ type: string; tenant_id: string; payload: string }>();
    expect(events.results).toHaveLength(1);
    const [event] = events.results;
    expect(event?.type).toBe("target.created");
    expect(event?.tenant_id).toBe(tenant.tenantId);
    expect(event?.payload).not.toMatch(/private-thing|TARGET_/);
    expect(JSON.parse(event?.payload ?? "").data).toEqual({
      provider: "mock",
      environment: "staging",
      resource: { type: "target", id: made.body.id },
    });
    const audits = await env.DB.prepare(
      "SELECT action, resource_type, before_digest FROM audit_events WHERE resource_id = ?",
    )
      .bind(made.body.id)
      .all();
    expect(audits.results).toEqual([
      { action: "cloud_target.create", resource_type: "cloud_target", before_digest: null },
    ]);
  });

  it("costs two round trips, and reading and listing cost one", async () => {
    const mine = await makeTenant();
    const made = await makeTarget(mine);
    expect(made.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    const read = await mine.get(`${PATH}/${made.body.id}`);
    expect(read.headers.get("server-timing")).toMatch(/d1;desc="\d\/1"/);
    const cold = await makeTenant();
    expect((await cold.get(PATH)).headers.get("server-timing")).toMatch(/d1;desc="2\/1"/);
  });
});

describe("the owner of a cloud target", () => {
  it("is decided by the caller, and by an operator's tenantId", async () => {
    const other = await makeTenant();
    const made = await makeTarget(operator, { tenantId: other.tenantId });
    expect(made.body.tenantId).toBe(other.tenantId);
    expect((await other.get(`${PATH}/${made.body.id}`)).text).toBe(made.text);
    for (const tenantId of [
      other.tenantId,
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      crypto.randomUUID(),
    ])
      expect((await tenant.post(PATH, { ...minimal, tenantId })).status).toBe(404);
    const nowhere = { ...minimal, tenantId: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
    expect((await operator.post(PATH, nowhere)).status).toBe(404);
  });

  it("hides it from other tenants as if it did not exist", async () => {
    const other = await makeTenant();
    const made = await makeTarget(tenant);
    const foreign = await other.get(`${PATH}/${made.body.id}`);
    const missing = await other.get(`${PATH}/${crypto.randomUUID()}`);
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(missing));
    expect((await other.get(`${PATH}/__proto__`)).status).toBe(404);
    expect((await other.get(`${PATH}?limit=100`)).body.data.map(idOf)).not.toContain(made.body.id);
    const asked = await other.get(`${PATH}?tenantId=${tenant.tenantId}`);
    expect(asked.body).toEqual({ data: [], nextCursor: null });
  });

  it("attack: nobody makes an instance on another tenant's, not even as a member of both or an operator", async () => {
    const other = await makeTenant();
    const { id: targetId } = (await makeTarget(other)).body;
    const templateId = await makeTemplate(tenant, SOURCE);
    const asked = { name: "web", templateId, targetId, tenantId: tenant.tenantId };
    const ofBoth = await signedIn(
      [tenant.tenantId, "CustomerOwner"],
      [other.tenantId, "CustomerOwner"],
    );
    const answers = [
      await tenant.post("/instances", asked),
      await operator.post("/instances", asked),
      await stranger.post("/instances", asked, headersOf(ofBoth)),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, "not_found"]),
    );
    const own = { ...asked, targetId: (await makeTarget(tenant)).body.id };
    expect((await stranger.post("/instances", own, headersOf(ofBoth))).status).toBe(201);
  });

  it("shows a platform target to every tenant, without config and credential", async () => {
    const given = {
      name: "shared",
      config: { project: "operator-only" },
      credentialRef: "env://TARGET_PLATFORM_GCP",
    };
    const made = await makeTarget(operator, given);
    expect(made.body).toMatchObject({ ...given, tenantId: null });
    const seen = await tenant.get(`${PATH}/${made.body.id}`);
    expect(seen.status).toBe(200);
    expect(seen.body).toEqual({ ...made.body, config: null, credentialRef: null });
    const listed = await tenant.get(`${PATH}?limit=100`);
    expect(listed.body.data).toContainEqual(seen.body);
    expect(listed.text).not.toContain("operator-only");
    const own = await tenant.get(`${PATH}?limit=100&tenantId=${tenant.tenantId}`);
    expect(own.body.data.map(idOf)).not.toContain(made.body.id);
    expect((await operator.get(`${PATH}/${made.body.id}`)).body).toEqual(made.body);
  });
});

describe("listing cloud targets", () => {
  it("filters by provider and environment, and rejects unknown parameters", async () => {
    const mine = await makeTenant();
    const query = `tenantId=${mine.tenantId}`;
    const names = async (more: string) =>
      (await mine.get(`${PATH}?${query}${more}`)).body.data.map((t: { name: string }) => t.name);
    await makeTarget(mine, { name: "one", provider: "aws", environment: "production" });
    await makeTarget(mine, { name: "two", provider: "aws" });
    await makeTarget(mine, { name: "three", environment: "production" });
    expect(await names("")).toEqual(["three", "two", "one"]);
    expect(await names("&provider=aws")).toEqual(["two", "one"]);
    expect(await names("&environment=production")).toEqual(["three", "one"]);
    expect(await names("&environment=production&provider=aws")).toEqual(["one"]);
    expect(await names("&provider=gcp")).toEqual([]);
    for (const bad of ["provider=nosuch", "environment=prod", "tenantId=x", "limit=0", "limit=101"])
      expect((await mine.get(`${PATH}?${bad}`)).body.code).toBe("validation_failed");
    expect((await mine.get(`${PATH}?title=one`)).body.code).toBe("unknown_parameter");
  });

  it("pages through the tenant's own and the platform's in one order, each once", async () => {
    const mine = await makeTenant();
    const made: string[] = [];
    for (const client of [mine, operator, mine, operator, mine])
      made.unshift((await makeTarget(client)).body.id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await mine.get(`${PATH}?limit=2${cursor}`);
      expect(page.status, page.text).toBe(200);
      expect(page.body.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.data.map(idOf));
      cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
    const first = await mine.get(`${PATH}?limit=2`);
    const moved = await mine.get(`${PATH}?provider=aws&cursor=${first.body.nextCursor}`);
    expect(moved.body.code).toBe("invalid_cursor");
    const all = (await operator.get(`${PATH}?limit=100`)).body.data.map(idOf);
    expect(all.slice(0, 5)).toEqual(made);
    expect(new Set(all).size).toBe(all.length);
  });

  it("reads only a page of rows, however many there are", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await fill(mine.tenantId, 300);
    await fill(other.tenantId, 300);
    await fill(PLATFORM, 300);
    for (const actor of [
      { kind: "key", name: "k", tenantId: mine.tenantId, scopes: ["*"], role: "CustomerViewer" },
      { kind: "operator", name: "o", scopes: ["*"] },
    ] as const) {
      const call = new Call({
        env,
        db: openDb(env.DB),
        now: 0,
        newId,
        requestId: "",
        caller: actor,
        access: "public",
        after: () => undefined,
      });
      const { sql, params } = findTargets(call, { limit: 5 }, {}).toSQL();
      const { results, meta } = await env.DB.prepare(sql)
        .bind(...params)
        .all();
      expect(results).toHaveLength(6);
      expect(meta.rows_read).toBeLessThanOrEqual(11);
    }
  });
});

async function fill(tenantId: string, count: number): Promise<void> {
  const db = openDb(env.DB);
  const row = {
    ...minimal,
    searchText: folded(minimal.name),
    provider: "mock" as const,
    tenantId,
    environment: "any" as const,
    maxConcurrentDeployments: 3,
    version: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  const rows = Array.from({ length: count }, () => ({ ...row, id: newId() }));
  await runBatch(
    db,
    rows.map((values) => db.insert(cloudTargets).values(values)),
  );
}

async function publicIds(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT id FROM cloud_targets WHERE tenant_id = 'platform'",
  ).all<{ id: string }>();
  return results.map(idOf);
}
