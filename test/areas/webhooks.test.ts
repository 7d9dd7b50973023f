import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { findAttempts, findDeliveries, findWebhooks } from "#areas/webhooks/store.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb } from "#platform/db/client.ts";
import { eventTypes } from "#schema/lists/event-kinds.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import {
  type Answer,
  makeTenant,
  operator,
  send,
  stranger,
  type TestTenant,
} from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";

const url = "https://hooks.example.com/in";
const MISSING = "01890000-0000-7000-8000-000000000000";

/** The queue is real here and runs the consumer; this answers its requests. */
beforeAll(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
});

async function makeWebhook(
  tenant: Pick<TestTenant, "post">,
  more: Record<string, unknown> = {},
): Promise<Answer["body"]> {
  const made = await tenant.post("/webhooks", { url, events: ["instance.created"], ...more });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

function d1(answer: Answer): string | undefined {
  return /d1;desc="\d+\/(\d+)"/.exec(answer.headers.get("server-timing") ?? "")?.[1];
}

/** The parts of two answers that must be equal. */
function without(answer: Answer): unknown {
  const { requestId: _, instance: __, ...rest } = answer.body;
  return { status: answer.status, ...rest };
}

describe("creating a webhook", () => {
  it("shows the secret once, fills in the defaults and sends a Location", async () => {
    const mine = await makeTenant();
    const made = await mine.post("/webhooks", {
      url,
      events: ["deployment.started"],
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      tenantId: mine.tenantId,
      url,
      description: "",
      labels: {},
      events: ["deployment.started"],
      format: "standard",
      signature: "v1",
      publicKey: null,
      state: "ENABLED",
      disabledReason: null,
      circuit: "closed",
      circuitOpenSince: null,
      nextProbeAt: null,
      previousSecretExpiresAt: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    });
    expect(made.headers.get("location")).toBe(`/api/v1/webhooks/${made.body.id}`);
    expect(made.headers.get("etag")).toBe('"1"');
    expect(d1(made)).toBe("2");
    const got = await mine.get(`/webhooks/${made.body.id}`);
    expect(got.text).not.toContain("whsec_");
    expect(got.body).not.toHaveProperty("secret");
    expect(d1(got)).toBe("1");
  });

  it("answers a repeated request with the same secret, and creates one webhook", async () => {
    const mine = await makeTenant();
    const headers = { "idempotency-key": "one" };
    const body = { url, events: ["*"] };
    const first = await mine.post("/webhooks", body, headers);
    const again = await mine.post("/webhooks", body, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(first.text);
    expect((await mine.get("/webhooks")).body.data).toHaveLength(1);
  });

  it("accepts the longest value and rejects one character more", async () => {
    const mine = await makeTenant();
    const longUrl = `${url}?${"a".repeat(2000 - url.length - 1)}`;
    await makeWebhook(mine, { url: longUrl, description: "d".repeat(200) });
    for (const [field, value] of [
      ["url", `${longUrl}a`],
      ["description", "d".repeat(201)],
      ["events", []],
    ] as const) {
      const refused = await mine.post("/webhooks", { url, events: ["*"], [field]: value });
      expect(refused.body.code).toBe("validation_failed");
      expect(refused.body.errors[0].pointer).toBe(`/${field}`);
    }
  });

  it.each([
    [{ events: ["*"] }, "/url"],
    [{ url: "not a url", events: ["*"] }, "/url"],
    [{ url: 5, events: ["*"] }, "/url"],
    [{ url }, "/events"],
    [{ url, events: "*" }, "/events"],
    [{ url, events: [5] }, "/events/0"],
    [{ url, events: ["*", "deployment.startd"] }, "/events/1"],
    [{ url, events: ["constructor"] }, "/events/0"],
    [{ url, events: ["*"], description: null }, "/description"],
    [{ url, events: ["*"], tenantId: "nobody" }, "/tenantId"],
  ])("rejects %j at %s", async (body, pointer) => {
    const mine = await makeTenant();
    const refused = await mine.post("/webhooks", body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].pointer).toBe(pointer);
  });

  it("suggests the kind that was meant", async () => {
    const mine = await makeTenant();
    const refused = await mine.post("/webhooks", { url, events: ["deployment.startd"] });
    expect(refused.body.errors[0].detail).toContain('Did you mean "deployment.started"?');
  });

  it("stores each kind once and refuses control characters in the description", async () => {
    const mine = await makeTenant();
    const made = await makeWebhook(mine, { events: ["*", "deployment.*", "*"] });
    expect(made.events).toEqual(["*", "deployment.*"]);
    const description = "one\r\nX-Evil: two\u0000\u2028";
    const refused = await mine.post("/webhooks", { url, events: ["*"], description });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "/description"]);
  });

  it("rejects a URL without a public host, on create and on update", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    for (const bad of ["http://example.com/", "https://0xa000001/", "https://a.internal/"]) {
      const refused = await mine.post("/webhooks", { url: bad, events: ["*"] });
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe("url_not_allowed");
      expect(refused.body.errors[0].pointer).toBe("/url");
      expect((await mine.patch(`/webhooks/${id}`, { url: bad })).body.code).toBe("url_not_allowed");
    }
    expect((await mine.get(`/webhooks/${id}`)).body.url).toBe(url);
  });

  it("allows a tenant twenty and not one more, even with simultaneous requests", async () => {
    const mine = await makeTenant();
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => mine.post("/webhooks", { url, events: ["*"] })),
    );
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(refused.map((answer) => answer.body.code)).toEqual(Array(4).fill("quota_exceeded"));
    expect((await mine.get("/webhooks?limit=100")).body.data).toHaveLength(20);
    const [newest] = (await mine.get("/webhooks?limit=1")).body.data;
    expect((await mine.delete(`/webhooks/${newest.id}`)).status).toBe(204);
    await makeWebhook(mine);
  });

  it("belongs to the caller's tenant, the named tenant or the platform", async () => {
    const mine = await makeTenant();
    expect((await makeWebhook(mine, { tenantId: mine.tenantId.toUpperCase() })).tenantId).toBe(
      mine.tenantId,
    );
    const given = await makeWebhook(operator, { tenantId: mine.tenantId });
    expect(given.tenantId).toBe(mine.tenantId);
    const global = await makeWebhook(operator);
    expect(global.tenantId).toBeNull();
    expect((await mine.get(`/webhooks/${global.id}`)).status).toBe(404);
    const other = await makeTenant();
    for (const [who, tenantId] of [
      [mine, other.tenantId],
      [mine, "00000000-0000-0000-0000-000000000000"],
      [operator, MISSING],
    ] as const) {
      const refused = await who.post("/webhooks", { url, events: ["*"], tenantId });
      expect(refused.status, refused.text).toBe(404);
    }
  });

  it("refuses another content type, no key, and a key without the scope", async () => {
    const mine = await makeTenant(["webhooks:read"]);
    const body = JSON.stringify({ url, events: ["*"] });
    const text = await send("POST", "/webhooks", {
      headers: { authorization: `Bearer ${mine.key}`, "content-type": "text/plain" },
      body,
    });
    expect([text.status, text.body.code]).toEqual([403, "forbidden"]);
    const full = await makeTenant();
    const typed = await send("POST", "/webhooks", {
      headers: { authorization: `Bearer ${full.key}`, "content-type": "text/plain" },
      body,
    });
    expect(typed.status).toBe(415);
    expect((await stranger.post("/webhooks", { url, events: ["*"] })).status).toBe(401);
    const unscoped = await mine.post("/webhooks", { url, events: ["*"] });
    expect(unscoped.status).toBe(403);
    expect(unscoped.body.detail).toContain("webhooks:write");
    expect((await mine.get("/webhooks")).status).toBe(200);
  });
});

describe("reading webhooks", () => {
  it("pages newest first, by tenant for an operator", async () => {
    const mine = await makeTenant();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await makeWebhook(mine)).id);
    const first = await mine.get("/webhooks?limit=2");
    expect(first.body.data.map((w: { id: string }) => w.id)).toEqual(ids.slice(0, 2));
    const second = await mine.get(`/webhooks?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((w: { id: string }) => w.id)).toEqual(ids.slice(2));
    expect(second.body.nextCursor).toBeNull();
    expect(d1(second)).toBe("1");
    const seen = await operator.get(`/webhooks?tenantId=${mine.tenantId}`);
    expect(seen.body.data).toHaveLength(3);
  });

  it("answers for another tenant's webhook exactly as for an unknown one, on every path", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const { id } = await makeWebhook(other);
    const test = await other.post(`/webhooks/${id}/test`);
    const paths = (webhook: string): readonly (readonly [string, string, unknown?])[] => [
      ["get", `/webhooks/${webhook}`],
      ["patch", `/webhooks/${webhook}`, { enabled: false }],
      ["delete", `/webhooks/${webhook}`],
      ["post", `/webhooks/${webhook}/rotate-secret`],
      ["post", `/webhooks/${webhook}/test`],
      ["get", `/webhooks/${webhook}/deliveries`],
      ["get", `/webhooks/${webhook}/deliveries/${test.body.id}`],
      ["post", `/webhooks/${webhook}/deliveries/${test.body.id}/redeliver`],
    ];
    const missing = paths(MISSING);
    for (const [at, [method, path, body]] of paths(id).entries()) {
      const call = (to: string) => mine[method as "post"](to, body);
      const foreign = await call(path);
      expect(foreign.status, `${method} ${path}`).toBe(404);
      expect(without(foreign)).toEqual(without(await call(missing[at]?.[1] ?? "")));
    }
    const own = await makeWebhook(mine);
    const crossed = await mine.get(`/webhooks/${own.id}/deliveries/${test.body.id}`);
    expect(crossed.status).toBe(404);
    expect((await other.get(`/webhooks/${id}`)).headers.get("etag")).toBe('"1"');
    expect((await other.get(`/webhooks/${id}`)).body.state).toBe("ENABLED");
  });

  it("lists every kind of event", async () => {
    const mine = await makeTenant(["webhooks:read"]);
    const kinds = await mine.get("/webhooks/event-kinds");
    expect(kinds.status, kinds.text).toBe(200);
    expect(kinds.body.data.map((k: { kind: string }) => k.kind)).toEqual(eventTypes);
    expect(kinds.body.data[1]).toEqual({ kind: "deployment.started", resource: "deployment" });
    expect((await stranger.get("/webhooks/event-kinds")).status).toBe(401);
  });
});

describe("updating and deleting", () => {
  it("replaces the fields in the body and keeps the rest", async () => {
    const mine = await makeTenant();
    const { id, secret: _, ...made } = await makeWebhook(mine, { description: "kept" });
    const patched = await mine.patch(`/webhooks/${id}`, { events: ["import.*"] });
    expect(patched.status, patched.text).toBe(200);
    expect(patched.body).toEqual({
      ...made,
      id,
      events: ["import.*"],
      updatedAt: expect.any(String),
    });
    expect(patched.headers.get("etag")).toBe('"2"');
    expect(d1(patched)).toBe("2");
    const emptied = await mine.patch(`/webhooks/${id}`, { description: "" });
    expect(emptied.body.description).toBe("");
    const unchanged = await mine.patch(`/webhooks/${id}`, {});
    expect(unchanged.headers.get("etag")).toBe('"3"');
    expect((await mine.patch(`/webhooks/${id}`)).status).toBe(400);
  });

  it("disables and enables, sends events to the others, and refuses tests meanwhile", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine, { events: ["*"] });
    const listener = await makeWebhook(mine, { events: ["webhook.disabled"] });
    const off = await mine.patch(`/webhooks/${id}`, { enabled: false });
    expect(off.body).toMatchObject({ state: "DISABLED", disabledReason: "user" });
    const test = await mine.post(`/webhooks/${id}/test`);
    expect([test.status, test.body.code]).toEqual([409, "webhook_disabled"]);
    expect((await mine.get(`/webhooks/${id}/deliveries`)).body.data).toEqual([]);
    const heard = await mine.get(`/webhooks/${listener.id}/deliveries`);
    expect(heard.body.data).toMatchObject([{ eventType: "webhook.disabled" }]);
    const on = await mine.patch(`/webhooks/${id}`, { enabled: true });
    expect(on.body).toMatchObject({ state: "ENABLED", disabledReason: null });
  });

  it("changes nothing for a caller with an outdated version", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const stale = { "if-match": '"7"' };
    expect((await mine.patch(`/webhooks/${id}`, { enabled: false }, stale)).status).toBe(412);
    expect((await mine.delete(`/webhooks/${id}`, stale)).status).toBe(412);
    expect((await mine.get(`/webhooks/${id}`)).body.state).toBe("ENABLED");
    expect((await mine.delete(`/webhooks/${id}`, { "if-match": '"1"' })).status).toBe(204);
    expect((await mine.get(`/webhooks/${id}`)).status).toBe(404);
    expect((await mine.delete(`/webhooks/${id}`)).status).toBe(404);
  });
});

describe("simultaneous changes", () => {
  const versionOf = ({ headers }: Answer) => /\d+/.exec(headers.get("etag") ?? "")?.[0];

  it("to one webhook are all applied, one after the other", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const answers = await Promise.all([
      mine.patch(`/webhooks/${id}`, { description: "new" }),
      mine.patch(`/webhooks/${id}`, { events: ["*"] }),
      mine.post(`/webhooks/${id}/rotate-secret`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(versionOf))).toEqual(new Set(["2", "3", "4"]));
    const after = await mine.get(`/webhooks/${id}`);
    expect(after.body).toMatchObject({ description: "new", events: ["*"] });
  });

  it("that rotate its secret each replace the previous one", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => mine.post(`/webhooks/${id}/rotate-secret`)),
    );
    expect(new Set(answers.map(versionOf))).toEqual(new Set(["2", "3", "4", "5"]));
    const row = await env.DB.prepare("SELECT old_secrets FROM webhooks WHERE id = ?")
      .bind(id)
      .first<{ old_secrets: string }>();
    expect(JSON.parse(row?.old_secrets ?? "")).toHaveLength(2);
  });
});

describe("rotating the secret", () => {
  it("shows the new secret once, and until when the old one is used", async () => {
    const mine = await makeTenant();
    const made = await makeWebhook(mine);
    const rotated = await mine.post(`/webhooks/${made.id}/rotate-secret`);
    expect(rotated.status, rotated.text).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(made.secret);
    const overlapMs =
      Date.parse(rotated.body.previousSecretExpiresAt) - Date.parse(rotated.body.updatedAt);
    expect(overlapMs).toBe(86_400_000);
    expect(rotated.headers.get("etag")).toBe('"2.overlap"');
    expect(d1(rotated)).toBe("2");
    const got = await mine.get(`/webhooks/${made.id}`);
    expect(got.text).not.toContain("whsec_");
    expect(got.body.previousSecretExpiresAt).toBe(rotated.body.previousSecretExpiresAt);
  });

  it("says which old secrets it ends: the oldest of three, or all without an overlap", async () => {
    const mine = await makeTenant();
    const { id, createdAt } = await makeWebhook(mine);
    const rotate = async (query = "") => {
      const answer = await mine.post(`/webhooks/${id}/rotate-secret${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const [second, third, fourth] = [await rotate(), await rotate(), await rotate()];
    expect([second.endedSecrets, third.endedSecrets, fourth.endedSecrets]).toEqual([
      [],
      [],
      [createdAt],
    ]);
    const last = await rotate("?overlapSeconds=0");
    const ended = [fourth.updatedAt, third.updatedAt, second.updatedAt];
    expect([last.endedSecrets, last.previousSecretExpiresAt]).toEqual([ended, null]);
    const { results } = await env.DB.prepare(
      "SELECT json_extract(payload, '$.data.endedSecrets') AS ended FROM events WHERE tenant_id = ? AND type = 'webhook.secret_rotated' ORDER BY json_extract(payload, '$.sequence')",
    )
      .bind(mine.tenantId)
      .all<{ ended: string }>();
    expect(results.map((row) => JSON.parse(row.ended) as unknown)).toEqual([
      [],
      [],
      [createdAt],
      ended,
    ]);
    const { body } = await mine.get("/audit-events?action=webhook.end_secret&limit=100");
    expect((body.data as { resourceId: string }[]).map(({ resourceId }) => resourceId)).toEqual(
      expect.arrayContaining([createdAt, ...ended].map((madeAt) => `${id}/${madeAt}`)),
    );
    expect(body.data).toHaveLength(4);
  });

  it.each([
    ["0", null],
    ["604800", 604_800_000],
  ])("accepts an overlap of %s s", async (overlapSeconds, ms) => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const { body } = await mine.post(
      `/webhooks/${id}/rotate-secret?overlapSeconds=${overlapSeconds}`,
    );
    const until = body.previousSecretExpiresAt;
    expect(until === null ? null : Date.parse(until) - Date.parse(body.updatedAt)).toBe(ms);
  });

  it.each(["604801", "-1", "", "1.5", "1e3", "x", "9999999"])(
    "rejects an overlap of %j and rotates nothing",
    async (overlapSeconds) => {
      const mine = await makeTenant();
      const { id } = await makeWebhook(mine);
      const path = `/webhooks/${id}/rotate-secret?overlapSeconds=${overlapSeconds}`;
      const refused = await mine.post(path);
      expect(refused.body.code).toBe("validation_failed");
      expect((await mine.get(`/webhooks/${id}`)).headers.get("etag")).toBe('"1"');
    },
  );
});

describe("test deliveries", () => {
  it("reach a webhook that does not select them, through the real queue", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const bystander = await makeWebhook(mine, { events: ["*"] });
    const test = await mine.post(`/webhooks/${id}/test`);
    expect(test.status, test.text).toBe(202);
    expect(test.body).toMatchObject({
      webhookId: id,
      eventType: "webhook.test",
      state: "PENDING",
      attemptCount: 0,
      manual: false,
    });
    expect(d1(test)).toBe("2");
    const path = `/webhooks/${id}/deliveries/${test.body.id}`;
    expect(test.headers.get("location")).toBe(`/api/v1${path}`);
    const done = await vi.waitFor(async () => {
      const got = await mine.get(path);
      expect(got.body.state).toBe("SUCCEEDED");
      return got;
    }, 5_000);
    expect(d1(done)).toBe("1");
    expect(done.body.attempts).toMatchObject([
      { number: 1, status: 200, errorClass: null, answer: "ok", answerCut: false },
    ]);
    expect((await mine.get(`/webhooks/${bystander.id}/deliveries`)).body.data).toEqual([]);
  });

  it("are limited to exactly ten per minute and tenant", async () => {
    const mine = await makeTenant();
    const [{ id }, second] = [await makeWebhook(mine), await makeWebhook(mine)];
    const answers = await Promise.all(
      Array.from({ length: 13 }, () => mine.post(`/webhooks/${id}/test`)),
    );
    expect(answers.filter((answer) => answer.status === 202)).toHaveLength(10);
    const late = await mine.post(`/webhooks/${second.id}/test`);
    expect([late.status, late.body.code]).toEqual([429, "rate_limited"]);
    expect(late.headers.get("retry-after")).toBe("60");
    expect(late.headers.get("ratelimit-policy")).toBe('"webhook_tests";q=10;w=60');
    expect(late.headers.get("ratelimit")).toBe('"webhook_tests";r=0;t=60');
    expect((await mine.get(`/webhooks/${id}/deliveries?limit=100`)).body.data).toHaveLength(10);
    const other = await makeTenant();
    const theirs = await makeWebhook(other);
    expect((await other.post(`/webhooks/${theirs.id}/test`)).status).toBe(202);
  });
});

describe("the delivery log", () => {
  it("pages, filters by state, and rejects unknown parameters", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    for (let made = 0; made < 3; made += 1) await mine.post(`/webhooks/${id}/test`);
    await vi.waitFor(async () => {
      const done = await mine.get(`/webhooks/${id}/deliveries?status=SUCCEEDED`);
      expect(done.body.data).toHaveLength(3);
      expect(d1(done)).toBe("1");
    }, 5_000);
    expect((await mine.get(`/webhooks/${id}/deliveries?status=PENDING`)).body.data).toEqual([]);
    const first = await mine.get(`/webhooks/${id}/deliveries?limit=2`);
    expect(first.body.data).toHaveLength(2);
    const rest = `/webhooks/${id}/deliveries?limit=2&cursor=${first.body.nextCursor}`;
    expect((await mine.get(rest)).body.data).toHaveLength(1);
    expect((await mine.get(`${rest}&status=PENDING`)).body.code).toBe("invalid_cursor");
    expect((await mine.get(`/webhooks/${id}/deliveries?status=x`)).status).toBe(400);
    expect((await mine.get(`/webhooks/${id}/deliveries?state=x`)).body.code).toBe(
      "unknown_parameter",
    );
  });

  it("filters by kind and by time, together with the state", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine, { events: ["webhook.*"] });
    const other = await makeWebhook(mine);
    const test = await mine.post(`/webhooks/${id}/test`);
    await mine.patch(`/webhooks/${other.id}`, { enabled: false });
    const kinds = async (query: string): Promise<string[]> =>
      (await mine.get(`/webhooks/${id}/deliveries?${query}`)).body.data.map(
        ({ eventType }: { eventType: string }) => eventType,
      );
    expect((await kinds("")).sort()).toEqual(["webhook.disabled", "webhook.test"]);
    expect(await kinds("eventType=webhook.disabled")).toEqual(["webhook.disabled"]);
    expect(await kinds("eventType=license.expired")).toEqual([]);
    const { createdAt } = test.body;
    expect(await kinds(`since=${createdAt}&eventType=webhook.test`)).toEqual(["webhook.test"]);
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await kinds(`since=${later}&eventType=webhook.test`)).toEqual([]);
    expect(await kinds(`since=${createdAt}&eventType=webhook.test&status=CANCELED`)).toEqual([]);
    for (const bad of ["eventType=nothing.here", "eventType=webhook.*", "since=yesterday"])
      expect((await mine.get(`/webhooks/${id}/deliveries?${bad}`)).status).toBe(400);
  });

  it("redelivers an event with the same id, as a new delivery", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const test = await mine.post(`/webhooks/${id}/test`);
    const path = `/webhooks/${id}/deliveries/${test.body.id}/redeliver`;
    const again = await mine.post(path);
    expect(again.status, again.text).toBe(202);
    expect(again.body).toMatchObject({ eventId: test.body.eventId, manual: true });
    expect(again.body.id).not.toBe(test.body.id);
    expect(again.headers.get("location")).toBe(
      `/api/v1/webhooks/${id}/deliveries/${again.body.id}`,
    );
    expect(d1(again)).toBe("2");
    expect((await mine.post(`/webhooks/${id}/deliveries/${MISSING}/redeliver`)).status).toBe(404);
    const sibling = await makeWebhook(mine);
    const crossed = `/webhooks/${sibling.id}/deliveries/${test.body.id}`;
    expect((await mine.get(crossed)).status).toBe(404);
    expect((await mine.post(`${crossed}/redeliver`)).status).toBe(404);
    await mine.patch(`/webhooks/${id}`, { enabled: false });
    expect((await mine.post(path)).body.code).toBe("webhook_disabled");
  });

  it("refuses to redeliver an event that was pruned", async () => {
    const mine = await makeTenant();
    const { id } = await makeWebhook(mine);
    const test = await mine.post(`/webhooks/${id}/test`);
    await env.DB.prepare("DELETE FROM events WHERE id = ?").bind(test.body.eventId).run();
    const again = await mine.post(`/webhooks/${id}/deliveries/${test.body.id}/redeliver`);
    expect([again.status, again.body.code]).toEqual([404, "not_found"]);
    expect((await mine.get(`/webhooks/${id}/deliveries`)).body.data).toHaveLength(1);
  });

  it("is read by index, however much the tenant has", async () => {
    const db = openDb(env.DB);
    const call = new Call({
      env,
      db,
      now: 0,
      newId: () => MISSING,
      requestId: "plan",
      caller: { kind: "key", name: "k", tenantId: MISSING, scopes: ["*"], role: "CustomerOwner" },
      access: "public",
      after: () => undefined,
    });
    const planOf = async (query: { toSQL: () => { sql: string; params: unknown[] } }) => {
      const { sql, params } = query.toSQL();
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>();
      return results.map(({ detail }) => detail).join("\n");
    };
    const byWebhook = /USING INDEX webhook_deliveries_by_webhook \(webhook_id=\?/;
    const filters = { state: "PENDING", eventType: "webhook.test", sinceMs: 5 } as const;
    for (const filter of [{}, filters])
      expect(await planOf(findDeliveries(call, MISSING, { limit: 20 }, filter))).toMatch(byWebhook);
    expect(await planOf(findAttempts(call, MISSING, MISSING))).toMatch(
      /USING INDEX webhook_attempts_by_delivery \(delivery_id=\?/,
    );
    expect(await planOf(findWebhooks(call, { limit: 20 }, {}))).toMatch(
      /USING INDEX webhooks_by_tenant \(tenant_id=\?/,
    );
  });
});

describe("tokens in a receiver's address and answers", () => {
  it("are shown to admins and owners; developers and viewers see the host", async () => {
    const mine = await makeTenant();
    vi.mocked(globalThis.fetch).mockImplementation(
      async (input) =>
        new Response(new Request(input).url.includes("T0KEN") ? "token=in-the-answer" : "ok"),
    );
    const secretUrl = "https://hooks.example.com:8443/services/T0KEN?key=S3CRET";
    const { id } = await makeWebhook(mine, { url: secretUrl });
    const tested = await mine.post(`/webhooks/${id}/test`);
    const place = `/webhooks/${id}/deliveries/${tested.body.id}`;
    await vi.waitFor(async () =>
      expect((await mine.get(place)).body.attempts).toMatchObject([
        { answer: "token=in-the-answer" },
      ]),
    );
    const paths = [`/webhooks/${id}`, "/webhooks", `/webhooks/${id}/deliveries`, place];
    for (const role of tenantRoles) {
      const isWhole = role === "CustomerAdmin" || role === "CustomerOwner";
      const member = await makeMember(mine.tenantId, role);
      const session = await signedIn(
        [mine.tenantId, role],
        [(await makeTenant()).tenantId, "CustomerOwner"],
      );
      for (const read of [
        member.get,
        (path: string) => send("GET", path, { headers: headersOf(session) }),
      ]) {
        const [webhook, list, , delivery] = await Promise.all(
          paths.map(async (path) => read(path)),
        );
        const shown = isWhole ? secretUrl : "https://hooks.example.com:8443";
        expect([webhook?.body.url, list?.body.data[0].url], role).toEqual([shown, shown]);
        expect(delivery?.body.attempts[0].answer).toBe(isWhole ? "token=in-the-answer" : null);
        const etag = webhook?.headers.get("etag");
        expect(etag === (await mine.get(`/webhooks/${id}`)).headers.get("etag")).toBe(isWhole);
      }
      const texts = await Promise.all(paths.map(async (path) => (await member.get(path)).text));
      if (!isWhole) expect(texts.join()).not.toMatch(/T0KEN|S3CRET|in-the-answer/);
    }
    const { results } = await env.DB.prepare("SELECT payload FROM events WHERE tenant_id = ?")
      .bind(mine.tenantId)
      .all();
    expect(JSON.stringify(results)).not.toMatch(/T0KEN|S3CRET|in-the-answer/);
  });
});
