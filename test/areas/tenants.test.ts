import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { purgeTenants } from "#areas/tenants/purge-tenants.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { faultsOf, problemOf, roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";
import { overtaken, together } from "#test/support/together.ts";

const MISSING = "01890000-0000-7000-8000-000000000000";
const slugOf = () => `s-${crypto.randomUUID().slice(0, 13)}`;

async function eventTypesOf(tenantId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT type FROM events WHERE tenant_id = ? AND resource_type = 'tenant' ORDER BY id",
  )
    .bind(tenantId)
    .all<{ type: string }>();
  return results.map(({ type }) => type);
}

describe("creating a tenant", () => {
  it("fills in the defaults and stores unknown limits", async () => {
    const slug = slugOf();
    const made = await operator.post("/tenants", {
      name: "Ac",
      slug,
      limits: { instances: 3, members: null, floors: "nine" },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: "Ac",
      slug,
      limits: { instances: 3, members: null, floors: "nine" },
      allowedEmailDomains: [],
      publicStatus: false,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    });
    expect(made.headers.get("location")).toBe(`/api/v1/tenants/${made.body.id}`);
    expect(made.headers.get("etag")).toBe('"1"');
    expect(roundTripsOf(made)).toBeLessThanOrEqual(2);
    const again = await operator.post("/tenants", { name: "Other", slug });
    expect([again.status, again.body.code]).toEqual([409, "slug_taken"]);
  });

  it.each([
    ["/name", { name: "a" }],
    ["/name", { name: "a".repeat(81) }],
    ["/slug", { slug: "a" }],
    ["/slug", { slug: "1a" }],
    ["/slug", { slug: "a".repeat(42) }],
    ["/slug", { slug: "Ab" }],
    ["/limits", { limits: [] }],
    ["/limits/instances", { limits: { instances: "3" } }],
    ["/limits/instances", { limits: { instances: -1 } }],
    ["/limits/apiKeys", { limits: { apiKeys: 1.5 } }],
    ["/allowedEmailDomains", { allowedEmailDomains: "a.com" }],
  ])("rejects %s in %j", async (pointer, more) => {
    const refused = await operator.post("/tenants", { name: "Acme", slug: slugOf(), ...more });
    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("accepts the longest and shortest slugs, and no reserved one", async () => {
    const long = await operator.post("/tenants", {
      name: "a".repeat(80),
      slug: `${slugOf()}${"a".repeat(41)}`.slice(0, 41),
    });
    expect(long.status, long.text).toBe(201);
    const short = await operator.post("/tenants", { name: "a" });
    expect(short.body.errors).toMatchObject([
      { pointer: "/name", detail: "It must have at least 2 characters." },
      { pointer: "/slug", detail: "It is missing." },
    ]);
    const reserved = await operator.post("/tenants", { name: "Acme", slug: "api" });
    expect(reserved.body.code).toBe("slug_taken");
  });

  it("is for operators only", async () => {
    const mine = await makeTenant();
    const body = { name: "Acme", slug: slugOf() };
    expect((await mine.post("/tenants", body)).status).toBe(403);
    expect((await stranger.post("/tenants", body)).status).toBe(401);
  });
});

describe("a user who creates tenants", () => {
  it("owns at most twenty, also with simultaneous requests, and gets an error beyond", async () => {
    const person = await signedIn();
    const fill = env.DB.prepare(
      `INSERT INTO members (id, tenant_id, user_id, role, version, created_at_ms, updated_at_ms)
        SELECT value || ?1, value || ?1, ?1, 'CustomerOwner', 1, 0, 0 FROM json_each(?2)`,
    );
    await fill.bind(person.userId, JSON.stringify(Array.from({ length: 19 }, (_, n) => n))).run();
    const ask = appWith({ SELF_SERVICE_TENANTS: "on" });
    const make = () =>
      ask("POST", "/tenants", {
        headers: { ...headersOf(person), "content-type": "application/json" },
        body: JSON.stringify({ name: "Mine", slug: slugOf() }),
      });
    const [refused, granted] = await overtaken(await digestHex(person.token), make, make);
    expect([granted?.status, refused?.status, refused?.body.code]).toEqual([
      201,
      403,
      "quota_exceeded",
    ]);
    expect(refused?.body.detail).toMatch(/^You own 20 tenants/);
    await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(person.userId).run();
  });
});

describe("listing tenants", () => {
  it("shows a tenant its own and operators all, page by page, in one round trip", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const own = await one.get("/tenants");
    expect(own.body.data.map((t: { id: string }) => t.id)).toEqual([one.tenantId]);
    expect(roundTripsOf(own)).toBe(1);
    expect((await one.get(`/tenants?slug=${two.slug}`)).body.data).toEqual([]);
    const first = await operator.get("/tenants?limit=1");
    expect(first.body.data[0].id).toBe(two.tenantId);
    const next = await operator.get(`/tenants?limit=1&cursor=${first.body.nextCursor}`);
    expect(next.body.data[0].id).toBe(one.tenantId);
    const found = await operator.get(`/tenants?slug=${one.slug}`);
    expect(found.body.data).toHaveLength(1);
    const named = await operator.get(`/tenants?q=${two.slug.toUpperCase()}`);
    expect(named.body.data.map((t: { id: string }) => t.id)).toEqual([two.tenantId]);
    const reused = await operator.get(`/tenants?limit=1&q=a&cursor=${first.body.nextCursor}`);
    expect(reused.body.code).toBe("invalid_cursor");
    expect((await operator.get("/tenants?title=a")).body.code).toBe("unknown_parameter");
    expect((await stranger.get("/tenants")).status).toBe(401);
  });
});

describe("updating a tenant", () => {
  it("replaces the fields in the body, sends an event, and costs two round trips", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}`;
    const body = {
      name: "New name",
      allowedEmailDomains: ["a.com"],
      publicStatus: true,
    };
    const updated = await mine.patch(path, body, { "if-match": '"1"' });
    expect(updated.status, updated.text).toBe(200);
    expect(updated.body).toMatchObject({ ...body, slug: mine.slug });
    expect(updated.headers.get("etag")).toBe('"2"');
    expect(roundTripsOf(updated)).toBe(2);
    expect((await mine.get(path)).body).toEqual(updated.body);
    expect(await eventTypesOf(mine.tenantId)).toEqual(["tenant.created", "tenant.updated"]);
    const stale = await mine.patch(path, { name: "Late" }, { "if-match": '"1"' });
    expect([stale.status, stale.body.code]).toEqual([412, "precondition_failed"]);
    const empty = await mine.patch(path, {});
    expect(empty.headers.get("etag")).toBe('"2"');
  });

  it("allows only operators to set limits", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}`;
    const refused = await mine.patch(path, { name: "More", limits: { instances: 1000 } });
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect((await mine.get(path)).body.name).not.toBe("More");
    const allowed = await operator.patch(path, { limits: { instances: 7 } });
    expect(allowed.body.limits).toEqual({ instances: 7 });
    const wrong = await operator.patch(path, { limits: { instances: "7" } });
    expect(faultsOf(wrong)).toEqual(["/limits/instances"]);
  });

  it("loses none of two simultaneous changes", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}`;
    const answers = await together(
      mine.tenantId,
      () => mine.patch(path, { name: "New name" }),
      () => mine.patch(path, { publicStatus: true }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const read = await mine.get(path);
    expect(read.body).toMatchObject({ name: "New name", publicStatus: true });
    expect(read.headers.get("etag")).toBe('"3"');
  });

  it("requires an owner, the scope and JSON, and answers 404 for other tenants", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const path = `/tenants/${mine.tenantId}`;
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    expect((await admin.patch(path, { name: "Admin's" })).body.detail).toContain("CustomerOwner");
    const reader = await makeMember(mine.tenantId, "CustomerOwner", ["tenants:read"]);
    expect((await reader.patch(path, { name: "Read" })).body.detail).toContain("tenants:write");
    expect((await stranger.patch(path, { name: "Who" })).status).toBe(401);
    const text = await send("PATCH", path, {
      headers: { authorization: `Bearer ${mine.key}`, "content-type": "text/plain" },
      body: '{"name":"Text"}',
    });
    expect(text.status).toBe(415);
    const foreign = await other.patch(path, { name: "Theirs" });
    const missing = await other.patch(`/tenants/${MISSING}`, { name: "Theirs" });
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(missing));
  });
});

const invited = { email: "late@example.com", role: "CustomerViewer" };
const lateTarget = {
  provider: "mock",
  name: "late",
  config: {},
  allowedRegions: ["local-1"],
  defaultRegion: "local-1",
};

describe("deleting a tenant", () => {
  it("ends its keys at once and removes everything but the audit log", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}`;
    const member = await makeMember(mine.tenantId, "CustomerViewer");
    const invitation = { email: "i@example.com", role: "CustomerViewer" };
    await mine.post(`${path}/invitations`, invitation);
    const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, SOURCE)];
    await makeInstance(mine, templateId, targetId, { variables: { password: "correct horse" } });
    await mine.post("/webhooks", { url: "https://hooks.example.com/in", events: ["license.*"] });
    const deleted = await mine.delete(path, { "if-match": '"1"' });
    expect([deleted.status, roundTripsOf(deleted)], deleted.text).toEqual([204, 2]);
    expect((await mine.patch(path, { name: "Late" })).status).toBe(401);
    expect((await member.post("/instances", {})).status).toBe(401);
    expect((await operator.get(path)).status).toBe(404);
    const late = await operator.post("/templates", { name: "late", tenantId: mine.tenantId });
    expect(late.status).toBe(404);
    expect(await eventTypesOf(mine.tenantId)).toEqual(["tenant.created", "tenant.deleted"]);

    const now = Date.now();
    const left = async () =>
      (await rowCounts(mine.tenantId)).filter(([name]) => !/^(audit_|events$)/.test(name));
    await purgeTenants(env, now + 1000);
    expect(await left()).toEqual([["webhooks", 1]]);
    await purgeTenants(env, now + 6 * 24 * 3_600_000);
    expect(await left()).toEqual([["webhooks", 1]]);
    await purgeTenants(env, now + 8 * 24 * 3_600_000);
    expect(await left()).toEqual([]);
    const [purges, audited] = await env.DB.batch([
      env.DB.prepare("SELECT id FROM tenant_purges WHERE id = ?").bind(mine.tenantId),
      env.DB.prepare(
        "SELECT id FROM audit_events WHERE tenant_id = ? AND action = 'tenant.delete'",
      ).bind(mine.tenantId),
    ]);
    expect(purges?.results).toEqual([]);
    expect(audited?.results).toHaveLength(1);
  });

  it("removes more rows than one step handles, and no other tenant's", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await makeTemplate(other, SOURCE);
    const before = await rowCounts(other.tenantId);
    await env.DB.prepare(
      `INSERT INTO templates (id, tenant_id, name, search_text, description, latest_version, version, created_at_ms, updated_at_ms)
        SELECT ?1 || value, ?1, 't', 'T', '', 0, 1, 0, 0 FROM json_each(?2)`,
    )
      .bind(mine.tenantId, JSON.stringify(Array.from({ length: 1200 }, (_, at) => at)))
      .run();
    expect((await mine.delete(`/tenants/${mine.tenantId}`)).status).toBe(204);
    await purgeTenants(env, Date.now() + 1000);
    const left = await rowCounts(mine.tenantId);
    expect(left.map(([name]) => name)).not.toContain("templates");
    expect(await rowCounts(other.tenantId)).toEqual(before);
  });

  it("is refused while an instance may have cloud objects or a run is open", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}`;
    const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, SOURCE)];
    const instanceId = await makeInstance(mine, templateId, targetId, {
      variables: { password: "correct horse" },
    });
    const setState = (state: string) =>
      env.DB.prepare("UPDATE instances SET state = ? WHERE id = ?").bind(state, instanceId).run();
    for (const state of [
      "PROVISIONING",
      "ACTIVE",
      "UPDATING",
      "FAILED",
      "DEGRADED",
      "DESTROYING",
      "DESTROY_FAILED",
    ]) {
      await setState(state);
      const refused = await mine.delete(path);
      expect([state, refused.status, refused.body.code]).toEqual([state, 409, "in_use"]);
      expect(refused.body.detail).toMatch(/^The tenant is used by instance ".+"\. Destroy/);
    }
    await setState("DESTROYED");
    const started = await mine.post(`/instances/${instanceId}/plan`);
    await env.DB.prepare("UPDATE deployments SET state = 'QUEUED' WHERE id = ?")
      .bind(started.body.id)
      .run();
    const open = await mine.delete(path);
    expect(open.body.code).toBe("in_use");
    await env.DB.prepare("UPDATE deployments SET state = 'NO_CHANGES' WHERE id = ?")
      .bind(started.body.id)
      .run();
    await setState("DESTROYED");
    expect((await mine.delete(path)).status).toBe(204);
    for (const operation of ["deploy", "plan", "destroy"]) {
      const late = await operator.post(`/instances/${instanceId}/${operation}`);
      expect([operation, late.status, late.body.code]).toEqual([operation, 404, "not_found"]);
    }
  });

  it.each([
    ["a template", "/templates", { name: "late" }],
    ["a target", "/cloud/targets", lateTarget],
    ["a key", "/api-keys", { name: "late", scopes: ["*"] }],
    ["a webhook", "/webhooks", { url: "https://hooks.example.com/in", events: ["*"] }],
    ["a member", "/tenants/{tenantId}/members", invited],
    ["an invitation", "/tenants/{tenantId}/invitations", invited],
  ])("leaves no %s that was created at the same time", async (_, path, body) => {
    const { tenantId } = await makeTenant();
    const answers = await overtaken(
      tenantId,
      () =>
        path.startsWith("/tenants/")
          ? operator.post(path.replace("{tenantId}", tenantId), body)
          : operator.post(path, { ...body, tenantId }),
      () => operator.delete(`/tenants/${tenantId}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 204]);
    const left = (await rowCounts(tenantId)).map(([name]) => name);
    expect(left.filter((name) => !/^(audit_|events$)/.test(name))).toEqual([]);
  });

  it("requires an owner and the current version, and answers 404 for other tenants", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const path = `/tenants/${mine.tenantId}`;
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    expect((await admin.delete(path)).status).toBe(403);
    expect((await stranger.delete(path)).status).toBe(401);
    expect((await mine.delete(path, { "if-match": '"2"' })).status).toBe(412);
    const [foreign, missing] = [
      await other.delete(path),
      await other.delete(`/tenants/${MISSING}`),
    ];
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(missing));
    expect((await operator.delete("/tenants/platform")).status).toBe(404);
    const owner = await makeMember(mine.tenantId, "CustomerOwner");
    expect((await owner.delete(path)).status).toBe(204);
    expect((await clientOf(owner.key).delete(path)).status).toBe(401);
  });
});

async function rowCounts(tenantId: string): Promise<[string, number][]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`tenant_id`%' ORDER BY name",
  ).all<{ name: string }>();
  const counts = await env.DB.batch<{ rows: number }>(
    tables.map(({ name }) =>
      env.DB.prepare(`SELECT count(*) AS rows FROM \`${name}\` WHERE tenant_id = ?`).bind(tenantId),
    ),
  );
  return tables
    .map(({ name }, at): [string, number] => [name, counts[at]?.results[0]?.rows ?? 0])
    .filter(([, rows]) => rows > 0);
}
