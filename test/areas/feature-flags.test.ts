import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { faultsOf, problemOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { overtaken } from "#test/support/together.ts";

const PATH = "/feature-flags";
const tenant = await makeTenant();
let made = 0;
const newKey = (): string => `flag-${(made += 1)}`;
const trips = ({ headers }: { headers: Headers }): string | undefined =>
  /d1;desc="([^"]*)"/.exec(headers.get("server-timing") ?? "")?.[1];

async function makeFlag(body: object, key = newKey()): Promise<string> {
  const put = await operator.put(`${PATH}/${key}`, body);
  expect(put.status, put.text).toBe(200);
  return key;
}

async function operatorKey(scopes: string[]) {
  const key = await operator.post("/api-keys", { name: "narrow", scopes });
  expect(key.status, key.text).toBe(201);
  return clientOf(key.body.key);
}

async function eventsOf(id: string): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ type: string; payload: string }>();
  return results.map(({ type, payload }) => [type, JSON.parse(payload).sequence]);
}

describe("writing a feature flag", () => {
  it("fills in the defaults of a boolean flag, and reads it back", async () => {
    const key = newKey();
    const put = await operator.put(`${PATH}/${key}`, { type: "boolean" });
    expect(put.status, put.text).toBe(200);
    expect(put.body).toEqual({
      id: expect.any(String),
      key,
      type: "boolean",
      enabled: false,
      variants: { on: true, off: false },
      defaultVariant: "off",
      rules: [],
      createdAt: expect.any(String),
      updatedAt: put.body.createdAt,
    });
    const read = await operator.get(`${PATH}/${key}`);
    expect(read.text).toBe(put.text);
    const etag = read.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"1-\w{8}"$/);
    const known = await operator.get(`${PATH}/${key}`, { "if-none-match": etag });
    expect(known.status).toBe(304);
  });

  it("replaces the whole flag, and sends an event", async () => {
    const key = await makeFlag({ type: "boolean", enabled: true, rules: [{ percentage: 5 }] });
    const put = await operator.put(`${PATH}/${key}`, {
      type: "string",
      variants: { a: "A" },
      defaultVariant: "a",
    });
    expect(put.body).toMatchObject({ type: "string", enabled: false, rules: [] });
    expect(put.headers.get("etag")).toMatch(/^"2-/);
    expect(await eventsOf(put.body.id)).toEqual([
      ["feature_flag.updated", 1],
      ["feature_flag.updated", 2],
    ]);
  });

  it("changes nothing if the definition is the same, in whatever order", async () => {
    const key = newKey();
    const first = await operator.put(`${PATH}/${key}`, {
      type: "object",
      enabled: true,
      variants: { a: { x: 1, y: 2 } },
      defaultVariant: "a",
      rules: [{ tenantIds: [tenant.tenantId], percentage: 3, variant: "a" }],
    });
    const again = await operator.put(`${PATH}/${key}`, {
      rules: [{ variant: "a", percentage: 3, tenantIds: [tenant.tenantId.toUpperCase()] }],
      defaultVariant: "a",
      variants: { a: { y: 2, x: 1 } },
      enabled: true,
      type: "object",
    });
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(again.body).toEqual(first.body);
    expect(await eventsOf(first.body.id)).toHaveLength(1);
  });

  it.for(["a", "A_1.b~c:d-e", "_", "__proto__", "constructor", "k".repeat(128)])(
    "accepts the key %s",
    async (key) => {
      await makeFlag({ type: "boolean" }, key);
      expect((await operator.get(`${PATH}/${key}`)).body.key).toBe(key);
      expect((await operator.delete(`${PATH}/${key}`)).status).toBe(204);
    },
  );

  it.for([".a", "-a", "~a", "k".repeat(129), "a%20b", "a%2Fb", "%C3%A4", "a%00"])(
    "refuses the key %s",
    async (key) => {
      const refused = await operator.put(`${PATH}/${key}`, { type: "boolean" });
      expect(refused.status).toBe(400);
      expect(refused.body.errors).toMatchObject([{ in: "path", pointer: "key" }]);
    },
  );

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, at]));
  const number = { type: "number", variants: { a: 1 }, defaultVariant: "a" };

  it.for([
    { type: "boolean", enabled: true },
    number,
    { type: "object", variants: { a: {} }, defaultVariant: "a" },
    { ...number, variants: many(100), defaultVariant: "v99" },
    { ...number, variants: { ["n".repeat(64)]: 1 }, defaultVariant: "n".repeat(64) },
    {
      ...number,
      rules: [
        { variant: "a", percentage: 0 },
        { variant: "a", percentage: 100 },
      ],
    },
    { ...number, rules: [{ variant: "a", percentage: 12.5, tenantIds: [] }] },
    { type: "boolean", rules: Array.from({ length: 100 }, () => ({ percentage: 1 })) },
  ])("accepts %j", async (body) => {
    const put = await operator.put(`${PATH}/${newKey()}`, body);
    expect(put.status, put.text).toBe(200);
  });

  it.for<[string[], object]>([
    [["/type"], {}],
    [["/type"], { type: "integer" }],
    [["/enabled"], { type: "boolean", enabled: "yes" }],
    [["/variants"], { type: "string" }],
    [["/variants"], { ...number, variants: [] }],
    [["/variants"], { ...number, variants: many(101), defaultVariant: "v1" }],
    [["/variants"], { ...number, variants: { ["n".repeat(65)]: 1, a: 1 } }],
    [["/variants"], { ...number, variants: { "": 1, a: 1 } }],
    [["/variants/a"], { ...number, variants: { a: "1" } }],
    [["/variants", "/defaultVariant"], { type: "boolean", variants: {} }],
    [["/defaultVariant"], { ...number, defaultVariant: "b" }],
    [["/defaultVariant"], { ...number, defaultVariant: "" }],
    [["/rules"], { type: "boolean", rules: {} }],
    [["/rules"], { type: "boolean", rules: Array.from({ length: 101 }, () => ({})) }],
    [["/rules/0/percentage"], { type: "boolean", rules: [{ percentage: -0.1 }] }],
    [["/rules/0/percentage"], { type: "boolean", rules: [{ percentage: 100.1 }] }],
    [["/rules/0/percentage"], { type: "boolean", rules: [{ percentage: "10" }] }],
    [["/rules/0/tenantIds/0"], { type: "boolean", rules: [{ tenantIds: ["acme"] }] }],
    [["/rules/1/variant"], { type: "boolean", rules: [{}, { variant: "maybe" }] }],
    [["/rules/0/variant"], { ...number, rules: [{}] }],
  ])("rejects an error at %j", async ([pointers, body]) => {
    const key = newKey();
    const refused = await operator.put(`${PATH}/${key}`, body);
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual(pointers);
    expect((await operator.get(`${PATH}/${key}`)).status).toBe(404);
  });

  it("requires the version that the caller read", async () => {
    const key = await makeFlag({ type: "boolean" });
    const body = { type: "boolean", enabled: true };
    const stale = await operator.put(`${PATH}/${key}`, body, { "if-match": '"7"' });
    expect(stale.status).toBe(412);
    expect((await operator.delete(`${PATH}/${key}`, { "if-match": '"7"' })).status).toBe(412);
    const read = async () => ({
      "if-match": (await operator.get(`${PATH}/${key}`)).headers.get("etag") ?? "",
    });
    const first = await read();
    const fresh = await operator.put(`${PATH}/${key}`, body, first);
    expect(fresh.headers.get("etag")).toMatch(/^"2-/);
    const none = await operator.put(`${PATH}/${newKey()}`, body, first);
    expect(none.status).toBe(412);
    expect((await operator.delete(`${PATH}/${key}`, await read())).status).toBe(204);
  });

  it("lets simultaneous writers succeed one after the other", async () => {
    const key = newKey();
    const puts = await Promise.all(
      [1, 2, 3, 4, 5].map((value) =>
        operator.put(`${PATH}/${key}`, {
          type: "number",
          variants: { a: value },
          defaultVariant: "a",
        }),
      ),
    );
    expect(puts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { id } = (await operator.get(`${PATH}/${key}`)).body;
    expect(new Set(puts.map(({ headers }) => headers.get("etag")))).toEqual(
      new Set([1, 2, 3, 4, 5].map((version) => `"${version}-${id.slice(-8)}"`)),
    );
    expect((await eventsOf(id)).map(([, sequence]) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  it("answers a repeated request with the stored answer", async () => {
    const key = newKey();
    const headers = { "idempotency-key": "put-once" };
    const first = await operator.put(`${PATH}/${key}`, { type: "boolean" }, headers);
    const again = await operator.put(`${PATH}/${key}`, { type: "boolean" }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await operator.put(`${PATH}/${key}`, { type: "boolean", enabled: true }, headers);
    expect(other.body.code).toBe("idempotency_key_reused");
  });
});

describe("deleting a feature flag", () => {
  it("deletes it, sends an event, and answers 404 the second time", async () => {
    const key = newKey();
    const { body } = await operator.put(`${PATH}/${key}`, { type: "boolean" });
    const deleted = await operator.delete(`${PATH}/${key}`);
    expect(deleted.status).toBe(204);
    expect(deleted.text).toBe("");
    expect((await operator.get(`${PATH}/${key}`)).status).toBe(404);
    expect((await operator.delete(`${PATH}/${key}`)).status).toBe(404);
    expect(await eventsOf(body.id)).toEqual([
      ["feature_flag.updated", 1],
      ["feature_flag.deleted", 2],
    ]);
    const again = await operator.put(`${PATH}/${key}`, { type: "boolean" });
    expect(again.headers.get("etag")).toMatch(/^"1-/);
    expect(again.body.id).not.toBe(body.id);
  });
});

describe("access to feature flags", () => {
  it("is only for operators with the scope", async () => {
    const key = await makeFlag({ type: "boolean" });
    const reader = await operatorKey(["feature_flags:read"]);
    const unscoped = await operatorKey(["tenants:write"]);
    const ask = (client: Pick<typeof operator, "get" | "put" | "delete">) =>
      Promise.all([
        client.get(PATH),
        client.get(`${PATH}/${key}`),
        client.put(`${PATH}/${key}`, { type: "boolean", enabled: true }),
        client.delete(`${PATH}/${key}`),
      ]);
    const statuses = async (client: Parameters<typeof ask>[0]) =>
      (await ask(client)).map(({ status }) => status);
    expect(await statuses(stranger)).toEqual([401, 401, 401, 401]);
    expect(await statuses(unscoped)).toEqual([403, 403, 403, 403]);
    expect(await statuses(tenant)).toEqual([403, 403, 403, 403]);
    expect(await statuses(reader)).toEqual([200, 200, 403, 403]);
    const [, , refused] = await ask(reader);
    expect(refused?.body.detail).toContain("feature_flags:write");
    const [seen, missing] = [await tenant.get(`${PATH}/${key}`), await tenant.get(`${PATH}/none`)];
    expect(problemOf(seen)).toEqual(problemOf(missing));
    expect((await operator.get(`${PATH}/${key}`)).body.enabled).toBe(false);
  });

  it("accepts JSON only", async () => {
    const key = await makeFlag({ type: "boolean" });
    for (const [method, path] of [
      ["PUT", `${PATH}/${key}`],
      ["POST", `/ofrep/v1/evaluate/flags/${key}`],
      ["POST", "/ofrep/v1/evaluate/flags"],
    ] as const) {
      const plain = await send(method, path, {
        headers: { authorization: "Bearer test-operator-key", "content-type": "text/plain" },
        body: '{"type":"boolean","enabled":true,"context":{}}',
      });
      expect(plain.status, path).toBe(415);
    }
  });

  it("costs one round trip to read, two to change", async () => {
    const key = await makeFlag({ type: "boolean" });
    const editor = await operatorKey(["feature_flags:write"]);
    expect(trips(await editor.get(`${PATH}/${key}`))).toMatch(/\/1$/);
    expect(trips(await editor.get(PATH))).toMatch(/\/1$/);
    const put = await editor.put(`${PATH}/${key}`, { type: "boolean", enabled: true });
    expect(trips(put)).toMatch(/\/2$/);
    expect(trips(await tenant.post(`/ofrep/v1/evaluate/flags/${key}`, {}))).toMatch(/\/1$/);
    expect(trips(await tenant.post("/ofrep/v1/evaluate/flags", {}))).toMatch(/\/1$/);
    expect(trips(await editor.delete(`${PATH}/${key}`))).toMatch(/\/2$/);
  });
});

describe("listing feature flags", () => {
  it("pages through them, newest first, each once", async () => {
    for (let at = 0; at < 5; at += 1) await makeFlag({ type: "boolean" });
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await operator.get(`${PATH}?limit=2${cursor}`);
      expect(page.status, page.text).toBe(200);
      seen.push(...page.body.data.map(({ id }: { id: string }) => id));
      cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== "");
    expect(seen.length).toBeGreaterThanOrEqual(5);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect((await operator.get(`${PATH}?key=a`)).body.code).toBe("unknown_parameter");
    expect((await operator.get(`${PATH}?limit=101`)).body.code).toBe("validation_failed");
    expect((await operator.get(`${PATH}?cursor=x.y`)).body.code).toBe("invalid_cursor");
  });
});

describe("the number of feature flags", () => {
  it("is limited to 500; existing flags can still be changed", async () => {
    const key = await makeFlag({ type: "boolean" });
    await env.DB.prepare(
      `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 499 - (SELECT count(*) FROM feature_flags))
       INSERT INTO feature_flags (id, key, type, enabled, variants, default_variant, rules, version, created_at_ms, updated_at_ms)
       SELECT 'filler-' || at, 'filler-' || at, 'boolean', 1, '{"on":true}', 'on', '[]', 1, 0, 0 FROM n`,
    ).run();
    const [late, last] = [newKey(), newKey()];
    const make = (named: string) => () => operator.put(`${PATH}/${named}`, { type: "boolean" });
    const [refused, granted] = await overtaken(late, make(late), make(last));
    expect([granted?.status, refused?.status, refused?.body.code, refused?.body.detail]).toEqual([
      200,
      403,
      "quota_exceeded",
      expect.stringMatching(/^There are 500 feature flags/),
    ]);
    const changed = await operator.put(`${PATH}/${key}`, { type: "boolean", enabled: true });
    expect(changed.status).toBe(200);
    const all = await tenant.post("/ofrep/v1/evaluate/flags", {});
    expect(all.body.flags).toHaveLength(500);
    expect((await operator.delete(`${PATH}/filler-1`)).status).toBe(204);
    expect((await operator.put(`${PATH}/${newKey()}`, { type: "boolean" })).status).toBe(200);
    await env.DB.prepare("DELETE FROM feature_flags WHERE id LIKE 'filler-%'").run();
  });
});
