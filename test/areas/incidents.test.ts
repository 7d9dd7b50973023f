import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findIncidents } from "#areas/incidents/store.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { incidents } from "#schema/incidents.ts";
import { faultsOf, idOf, problemOf } from "#test/support/answers.ts";
import {
  type Answer,
  type Client,
  makeTenant,
  operator,
  send,
  stranger,
} from "#test/support/api.ts";

const PATH = "/incidents";
const tenant = await makeTenant();
const other = await makeTenant();
const impacts = [
  "OPERATIONAL",
  "DEGRADED",
  "PARTIAL_OUTAGE",
  "MAJOR_OUTAGE",
  "MAINTENANCE",
  "UNKNOWN",
];
const minimal = { title: "Slow", message: "We look into it." };

async function made(more: object = {}, client: Client = tenant): Promise<Answer> {
  const answer = await client.post(PATH, { ...minimal, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

const update = (id: string, more: object = {}, client: Client = tenant) =>
  client.post(`${PATH}/${id}/updates`, { status: "IDENTIFIED", message: "Found.", ...more });

async function updated(id: string, more: object = {}): Promise<Answer> {
  const answer = await update(id, more);
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

async function eventsOf(id: string): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ type: string; payload: string }>();
  return results.map(({ type, payload }) => [type, JSON.parse(payload).sequence]);
}

describe("opening an incident", () => {
  it("answers the incident with its first update and the defaults, and reads it back in one round trip", async () => {
    const answer = await made({});
    expect(answer.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      ...minimal,
      status: "INVESTIGATING",
      impact: "UNKNOWN",
      components: [],
      resolvedAt: null,
      createdAt: expect.any(String),
      updatedAt: answer.body.createdAt,
      updates: [
        {
          id: expect.any(String),
          tenantId: tenant.tenantId,
          incidentId: answer.body.id,
          status: "INVESTIGATING",
          impact: "UNKNOWN",
          message: minimal.message,
          createdAt: answer.body.createdAt,
        },
      ],
    });
    expect(answer.headers.get("location")).toBe(`/api/v1${PATH}/${answer.body.id}`);
    expect(answer.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    const read = await tenant.get(`${PATH}/${answer.body.id}`);
    expect(read.text).toBe(answer.text);
    expect(read.headers.get("etag")).toBe(answer.headers.get("etag"));
    expect(read.headers.get("server-timing")).toMatch(/d1;desc="\d+\/1"/);
    const headers = { "if-none-match": read.headers.get("etag") ?? "" };
    expect((await tenant.get(`${PATH}/${answer.body.id}`, headers)).status).toBe(304);
    expect(await eventsOf(answer.body.id)).toEqual([["incident.created", 1]]);
  });

  it.for([
    { title: "a" },
    { title: "a".repeat(200) },
    { message: "m" },
    { message: "m".repeat(5000) },
    { status: "INVESTIGATING" },
    { status: "IDENTIFIED" },
    { status: "MONITORING" },
    ...impacts.map((impact) => ({ impact })),
    { components: [] },
    { components: Array.from({ length: 50 }, () => "c".repeat(100)) },
    { tenantId: tenant.tenantId },
  ])("accepts case %#", async (more) => {
    expect((await made(more)).body).toMatchObject(more);
  });

  it.for([
    ["/title", { title: "" }],
    ["/title", { title: "a".repeat(201) }],
    ["/title", { title: undefined }],
    ["/message", { message: "" }],
    ["/message", { message: "m".repeat(5001) }],
    ["/message", { message: undefined }],
    ["/status", { status: "OPEN" }],
    ["/status", { status: "resolved" }],
    ["/impact", { impact: "NONE" }],
    ["/impact", { impact: null }],
    ["/components", { components: "api" }],
    ["/components/0", { components: [""] }],
    ["/components/0", { components: ["c".repeat(101)] }],
    ["/components", { components: Array.from({ length: 51 }, () => "c") }],
    ["/tenantId", { tenantId: "acme" }],
  ] as const)("rejects %s as in case %#", async ([pointer, more]) => {
    const refused = await tenant.post(PATH, { ...minimal, ...more });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("can be resolved from the start", async () => {
    const answer = await made({ status: "RESOLVED", impact: "MAJOR_OUTAGE" });
    expect(answer.body).toMatchObject({
      status: "RESOLVED",
      impact: "OPERATIONAL",
      resolvedAt: answer.body.createdAt,
    });
  });

  it("happens once for a repeated request", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => tenant.post(PATH, minimal, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const id: string = answers[0]?.body.id;
    const path = `${PATH}/${id}/updates`;
    const sent = { status: "MONITORING", message: "m" };
    const twice = await Promise.all([1, 2].map(() => tenant.post(path, sent, headers)));
    expect(new Set(twice.map(({ text }) => text)).size).toBe(1);
    expect((await tenant.get(`${PATH}/${id}`)).body.updates).toHaveLength(2);
    expect((await tenant.post(path, { ...sent, message: "n" }, headers)).body.code).toBe(
      "idempotency_key_reused",
    );
  });
});

describe("updating an incident", () => {
  it("answers the update, and changes the incident", async () => {
    const { body: incident } = await made({ impact: "DEGRADED", components: ["api"] });
    const answer = await updated(incident.id, {});
    expect(answer.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      incidentId: incident.id,
      status: "IDENTIFIED",
      message: "Found.",
      impact: "DEGRADED",
      createdAt: expect.any(String),
    });
    expect(answer.headers.get("location")).toBe(`/api/v1${PATH}/${incident.id}`);
    expect(answer.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    const { body: after, headers } = await tenant.get(`${PATH}/${incident.id}`);
    expect(after).toEqual({
      ...incident,
      status: "IDENTIFIED",
      message: "Found.",
      updatedAt: answer.body.createdAt,
      updates: [answer.body, ...incident.updates],
    });
    expect(headers.get("etag")).toBe('"2"');
  });

  it.for(impacts)("sets the impact %s and keeps it for later updates", async (impact) => {
    const { id } = (await made()).body;
    expect((await updated(id, { impact })).body.impact).toBe(impact);
    expect((await updated(id, { status: "MONITORING" })).body.impact).toBe(impact);
    expect((await tenant.get(`${PATH}/${id}`)).body.impact).toBe(impact);
  });

  it("resolves, refuses further updates, and reopens", async () => {
    const { id } = (await made({ impact: "MAJOR_OUTAGE" })).body;
    const over = await updated(id, { status: "RESOLVED", impact: "DEGRADED" });
    expect(over.body.impact).toBe("OPERATIONAL");
    expect((await tenant.get(`${PATH}/${id}`)).body.resolvedAt).toBe(over.body.createdAt);
    for (const status of ["IDENTIFIED", "MONITORING"]) {
      const refused = await update(id, { status });
      expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
    }
    await updated(id, { status: "RESOLVED", message: "What we learned." });
    expect((await tenant.get(`${PATH}/${id}`)).body.resolvedAt).toBe(over.body.createdAt);
    await updated(id, { status: "INVESTIGATING", impact: "DEGRADED" });
    expect((await tenant.get(`${PATH}/${id}`)).body).toMatchObject({
      status: "INVESTIGATING",
      impact: "DEGRADED",
      resolvedAt: null,
    });
    expect(await eventsOf(id)).toEqual([
      ["incident.created", 1],
      ["incident.resolved", 2],
      ["incident.updated", 3],
      ["incident.updated", 4],
    ]);
  });

  it.for([
    [201, { message: "m" }],
    [201, { message: "m".repeat(5000) }],
    [400, { message: "" }],
    [400, { message: "m".repeat(5001) }],
    [400, { message: undefined }],
    [400, { status: undefined }],
    [400, { status: "CLOSED" }],
    [400, { impact: "NONE" }],
    [400, { impact: null }],
  ] as const)("answers %i in case %#", async ([status, more]) => {
    const { id } = (await made()).body;
    expect((await update(id, more)).status).toBe(status);
  });

  it("loses none of many simultaneous updates, and orders them", async () => {
    const { id } = (await made()).body;
    const messages = ["1", "2", "3", "4"];
    const answers = await Promise.all(messages.map((message) => update(id, { message })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { updates } = (await tenant.get(`${PATH}/${id}`)).body;
    expect(updates.map((one: { message: string }) => one.message).toSorted()).toEqual([
      ...messages,
      minimal.message,
    ]);
    expect((await eventsOf(id)).map(([, sequence]) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const stale = await tenant.post(
      `${PATH}/${id}/updates`,
      { status: "MONITORING", message: "m" },
      { "if-match": '"1"' },
    );
    expect(stale.status).toBe(412);
  });

  it("shows the last hundred updates", async () => {
    const { id } = (await made()).body;
    const statement = env.DB.prepare(
      "INSERT INTO incident_updates (tenant_id, incident_id, id, status, impact, created_at_ms, message) VALUES (?, ?, ?, 'MONITORING', 'UNKNOWN', 0, 'm')",
    );
    await env.DB.batch(
      Array.from({ length: 105 }, () => statement.bind(tenant.tenantId, id, newId())),
    );
    expect((await tenant.get(`${PATH}/${id}`)).body.updates).toHaveLength(100);
  });
});

describe("the owner of an incident", () => {
  it("hides it from other tenants as if it did not exist", async () => {
    const { id } = (await made()).body;
    for (const ask of [
      (asked: string) => other.get(`${PATH}/${asked}`),
      (asked: string) => update(asked, {}, other),
    ]) {
      const foreign = await ask(id);
      expect(foreign.status).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(await ask(crypto.randomUUID())));
    }
    expect((await other.get(`${PATH}/__proto__`)).status).toBe(404);
    expect((await other.get(`${PATH}?tenantId=${tenant.tenantId}`)).body.data).toEqual([]);
    expect((await tenant.get(`${PATH}/${id}`)).body.updates).toHaveLength(1);
    expect((await tenant.post(PATH, { ...minimal, tenantId: other.tenantId })).status).toBe(404);
    const nowhere = { ...minimal, tenantId: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
    expect((await operator.post(PATH, nowhere)).status).toBe(404);
    const { body: theirs } = await made({ tenantId: other.tenantId }, operator);
    expect((await other.get(`${PATH}/${theirs.id}`)).status).toBe(200);
    expect((await update(theirs.id, {}, operator)).status).toBe(201);
  });

  it("shows platform incidents to every tenant, and only operators can post to them", async () => {
    const { body: incident } = await made({ impact: "DEGRADED" }, operator);
    expect(incident.tenantId).toBeNull();
    expect((await tenant.get(`${PATH}/${incident.id}`)).body).toEqual(incident);
    expect((await tenant.get(`${PATH}?limit=100`)).body.data.map(idOf)).toContain(incident.id);
    const refused = await update(incident.id);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect((await update(incident.id, {}, operator)).status).toBe(201);
  });

  it("names the missing scope, requires a key, and accepts JSON only", async () => {
    const { id } = (await made()).body;
    const reader = await makeTenant(["incidents:read"]);
    const blind = await makeTenant(["webhooks:read"]);
    for (const answer of [await reader.post(PATH, minimal), await update(id, {}, reader)]) {
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toContain("incidents:write");
    }
    for (const answer of [await blind.get(PATH), await blind.get(`${PATH}/${id}`)]) {
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toContain("incidents:read");
    }
    for (const answer of [
      await stranger.get(PATH),
      await stranger.get(`${PATH}/${id}`),
      await stranger.post(PATH, minimal),
      await update(id, {}, stranger),
    ])
      expect(answer.status).toBe(401);
    for (const path of [PATH, `${PATH}/${id}/updates`]) {
      const plain = await send("POST", path, {
        headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
        body: JSON.stringify({ ...minimal, status: "RESOLVED" }),
      });
      expect(plain.status).toBe(415);
    }
  });
});

describe("listing incidents", () => {
  it("filters, and rejects unknown parameters", async () => {
    const mine = await makeTenant();
    const query = `tenantId=${mine.tenantId}`;
    const titles = async (more: string) =>
      (await mine.get(`${PATH}?${query}${more}`)).body.data.map(
        ({ title }: { title: string }) => title,
      );
    await made({ title: "one" }, mine);
    await made({ title: "two", status: "RESOLVED" }, mine);
    await made({ title: "three" }, mine);
    expect(await titles("")).toEqual(["three", "two", "one"]);
    expect(await titles("&status=RESOLVED")).toEqual(["two"]);
    expect(await titles("&status=INVESTIGATING")).toEqual(["three", "one"]);
    expect(await titles("&status=MONITORING")).toEqual([]);
    for (const bad of ["status=open", "tenantId=x", "limit=0", "limit=101"])
      expect((await mine.get(`${PATH}?${bad}`)).body.code).toBe("validation_failed");
    expect((await mine.get(`${PATH}?title=one`)).body.code).toBe("unknown_parameter");
    expect((await mine.get(PATH)).headers.get("server-timing")).toMatch(/d1;desc="\d\/1"/);
  });

  it("pages through the tenant's own and the platform's in one order, each once", async () => {
    const mine = await makeTenant();
    const ids: string[] = [];
    for (const client of [mine, operator, mine, operator, mine])
      ids.unshift((await made({}, client)).body.id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await mine.get(`${PATH}?limit=2${cursor}`);
      expect(page.status, page.text).toBe(200);
      seen.push(...page.body.data.map(idOf));
      cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
    // The platform's are among all that an operator sees.
    const all = (await operator.get(`${PATH}?limit=100`)).body.data.map(idOf);
    expect(new Set(all).size).toBe(all.length);
    const first = await mine.get(`${PATH}?limit=2`);
    const moved = await mine.get(`${PATH}?status=RESOLVED&cursor=${first.body.nextCursor}`);
    expect(moved.body.code).toBe("invalid_cursor");
  });

  it("reads only a page of rows, however many there are", async () => {
    const mine = await makeTenant();
    const db = openDb(env.DB);
    const rows = [mine.tenantId, other.tenantId, PLATFORM].flatMap((tenantId) =>
      Array.from({ length: 200 }, () => ({
        ...minimal,
        id: newId(),
        tenantId,
        status: "RESOLVED" as const,
        impact: "OPERATIONAL" as const,
        components: [],
        resolvedAtMs: 0,
        version: 1,
        createdAtMs: 0,
        updatedAtMs: 0,
      })),
    );
    await runBatch(
      db,
      rows.map((values) => db.insert(incidents).values(values)),
    );
    for (const actor of [
      { kind: "key", name: "k", tenantId: mine.tenantId, scopes: ["*"], role: "CustomerViewer" },
      { kind: "operator", name: "o", scopes: ["*"] },
    ] as const) {
      const call = new Call({
        env,
        db,
        now: 0,
        newId,
        requestId: "",
        caller: actor,
        access: "public",
        after: () => undefined,
      });
      const { sql, params } = findIncidents(call, { limit: 5 }, {}).toSQL();
      const { results, meta } = await env.DB.prepare(sql)
        .bind(...params)
        .all();
      expect(results).toHaveLength(6);
      expect(meta.rows_read).toBeLessThanOrEqual(11);
    }
  });
});
