/** The rate limit of every caller: its headers, and whom a request counts against. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { makeKey as inventKey, parseKey } from "#kernel/authn/api-key.ts";
import { newId } from "#platform/ids.ts";
import { type Answer, makeTenant, OPERATOR_KEY } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { d1Spend, expectProblem } from "#test/support/declared.ts";
import { makeKey, MISSING_ID, titleOf } from "#test/support/world.ts";

const tenant = await makeTenant();

/** A limiter that records its keys and accepts this many requests. */
function limiter(limit = Infinity) {
  const keys: string[] = [];
  const send = appWith({
    RATE_LIMITS: "on",
    RATE_LIMITER: { limit: async ({ key }) => ({ success: keys.push(key) <= limit }) },
  });
  const get = (headers: Record<string, string>, path = "/templates?limit=1") =>
    send("GET", path, { headers });
  return { keys, send, get };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const from = (address: string) => ({ "cf-connecting-ip": address });
const told = ({ headers }: Answer) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

describe("every answer reports the limits", () => {
  const { send } = limiter();

  it.each(endpoints.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    "%s",
    async (_, { method, path }) => {
      for (const headers of [{}, bearer("nonsense"), bearer(tenant.key)]) {
        const answer = await send(method, path.replace(/\{\w+\}/g, MISSING_ID), { headers });
        expect(answer.headers.get("ratelimit-policy")).toMatch(/^"default";q=600;w=60(, "|$)/);
        expect(answer.headers.get("ratelimit")).toMatch(
          /^"default";r=\d{1,3};t=([1-9]|[1-5]\d|60)(, "|$)/,
        );
      }
    },
  );

  it("also a 404 and a 405", async () => {
    for (const [method, path] of [
      ["GET", "/nothing"],
      ["PUT", "/templates"],
    ] as const)
      expect((await send(method, path)).headers.get("ratelimit")).toMatch(/^"default";r=/);
  });

  it("but not if limits are off", async () => {
    const answer = await appWith({ RATE_LIMITS: "off" })("GET", "/health");
    expect(told(answer)).toEqual([null, null]);
  });
});

it("counts down with every request of a caller", async () => {
  const { get } = limiter();
  const { key } = await makeKey(tenant.tenantId);
  await get(bearer(key));
  const left: number[] = [];
  for (let sent = 0; sent < 5; sent += 1)
    left.push(Number(/r=(\d+)/.exec((await get(bearer(key))).headers.get("ratelimit") ?? "")?.[1]));
  // A new minute may start in between, once.
  const drops = left.slice(1).map((r, at) => (left[at] ?? 0) - r);
  expect(drops.filter((drop) => drop === 1).length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...left)).toBeLessThan(600);
});

it("refuses with the limit's state, and without a database query", async () => {
  const { get } = limiter(2);
  const address = from("192.0.2.99");
  expect([(await get(address)).status, (await get(address)).status]).toEqual([401, 401]);
  for (const headers of [
    address,
    { ...address, ...bearer("nonsense") },
    { ...address, ...bearer(inventKey(newId(), false)) },
  ]) {
    const refused = await get(headers);
    expect([refused.status, refused.body.code, d1Spend(refused)]).toEqual([
      429,
      "rate_limited",
      "0/0",
    ]);
    expectProblem(refused);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(told(refused)).toEqual(['"default";q=600;w=60', '"default";r=0;t=60']);
  }
});

it("is the limit of the binding, which alone accepts and refuses", async () => {
  const send = appWith({ RATE_LIMITS: "on" });
  const statuses = new Set<number>();
  // The binding counts per minute: if one ends in between, the next one reaches the limit.
  for (let sent = 0; sent < 1_250 && !statuses.has(429); sent += 50)
    for (const { status } of await Promise.all(
      Array.from({ length: 50 }, () => send("GET", "/nothing", { headers: from("198.51.100.1") })),
    ))
      statuses.add(status);
  expect(statuses).toEqual(new Set([404, 429]));
});

describe("a request counts", () => {
  it("by its address while its key is unknown, however many keys are forged", async () => {
    const { keys, get } = limiter();
    for (let forged = 0; forged < 20; forged += 1)
      expect(
        (await get({ ...from("203.0.113.5"), ...bearer(inventKey(newId(), false)) })).status,
      ).toBe(401);
    await get({ ...from("203.0.113.5"), ...bearer("cpk_nonsense") });
    await get({ ...from("203.0.113.5"), authorization: "Basic eDp5" });
    await get(from("203.0.113.5"));
    expect(new Set(keys)).toEqual(new Set(["address:203.0.113.5"]));
  });

  it("by its key once authenticated, from any address", async () => {
    const { keys, get, send } = limiter();
    const { key } = await makeKey(tenant.tenantId);
    await get({ ...from("203.0.113.6"), ...bearer(key) });
    await get({ ...from("203.0.113.7"), ...bearer(key) });
    await send("POST", "/templates", { headers: { ...from("203.0.113.8"), ...bearer(key) } });
    expect(keys[0]).toBe("address:203.0.113.6");
    expect(keys[1]).toMatch(/^token:[0-9a-f]{64}$/);
    expect(keys[2]).toBe(keys[1]);
  });

  it("by its address with a wrong secret of a known key", async () => {
    const { keys, get } = limiter();
    const { key } = await makeKey(tenant.tenantId);
    await get(bearer(key));
    await get({ ...from("203.0.113.9"), ...bearer(inventKey(parseKey(key)?.keyId ?? "", false)) });
    expect(keys[1]).toBe("address:203.0.113.9");
  });

  it("by the network of an IPv6 address", async () => {
    const { keys, get } = limiter();
    await get(from("2001:db8:7:8:1::1"));
    await get(from("2001:db8:7:8:ffff:0:0:2"));
    await get(from("2001:db8:7:9::1"));
    expect(keys).toEqual(["address:2001:db8:7:8", "address:2001:db8:7:8", "address:2001:db8:7:9"]);
  });
});

it.each(
  endpoints
    .filter(({ access, path }) => access === "public" && !path.includes("{"))
    .map((it) => [titleOf(it), it] as const),
)("%s is for everyone: it asks nobody who they are", async (_, { method, path }) => {
  const { send } = limiter();
  const plain = await send(method, path);
  for (const authorization of [
    "nonsense",
    "Bearer nonsense",
    ...[inventKey(newId(), false), tenant.key].map((key) => `Bearer ${key}`),
  ]) {
    const answer = await send(method, path, { headers: { authorization } });
    expect([answer.status, d1Spend(answer)]).toEqual([plain.status, d1Spend(plain)]);
  }
});

describe("changes of a tenant", () => {
  it("count for calls of its hooks too, but not for forged and repeated ones", async () => {
    const keys: string[] = [];
    const limited = appWith({
      RATE_LIMITS: "on",
      CHANGE_LIMITER: { limit: async ({ key }) => ({ success: keys.push(key) <= 2 }) },
    });
    const mine = await makeTenant();
    const source = "resources: { net: { type: mock:Network, properties: { name: net } } }\n";
    const instanceId = await makeInstance(
      mine,
      await makeTemplate(mine, source),
      await makeTarget(mine),
    );
    const hook = async (condition = {}) => {
      const path = `/instances/${instanceId}/triggers`;
      const made = await mine.post(path, { kind: "inbound_webhook", condition });
      expect(made.status, made.text).toBe(201);
      return made.body.url.replace("/api/v1", "") as string;
    };
    const [open, signed] = [await hook(), await hook({ signature: "github" })];
    const call = (path: string, headers = {}) => limited("POST", path, { headers });
    expect((await call(signed)).status).toBe(401);
    expect((await call(`${open.slice(0, -1)}_`)).status).toBe(404);
    expect(keys).toEqual([]);
    const once = { "webhook-id": "once" };
    expect([(await call(open, once)).status, (await call(open, once)).status]).toEqual([202, 202]);
    expect(keys).toEqual([`tenant:${mine.tenantId}`]);
    expect((await call(open)).status).toBe(202);
    const refused = await call(open);
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(told(refused)[0]).toContain('"changes";q=1200;w=60');
    expect(keys).toHaveLength(3);
  });

  it("count where nothing is changed but an answer is stored for an Idempotency-Key", async () => {
    const keys: string[] = [];
    const limited = appWith({
      RATE_LIMITS: "on",
      CHANGE_LIMITER: { limit: async ({ key }) => ({ success: keys.push(key) <= 2 }) },
    });
    const mine = await makeTenant();
    const id = await makeTemplate(mine, "resources: {}\n");
    const change = (more: Record<string, string>) =>
      limited("PATCH", `/templates/${id}`, {
        headers: { ...bearer(mine.key), "content-type": "application/json", ...more },
        body: "{}",
      });
    const fresh = () => change({ "idempotency-key": crypto.randomUUID() });
    expect((await change({})).status).toBe(200);
    expect(keys).toEqual([]);
    const answers = [await fresh(), await fresh(), await fresh()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(new Set(keys)).toEqual(new Set([`tenant:${mine.tenantId}`]));
  });

  it("count for all its keys together, and for no other tenant, reader or operator", async () => {
    const keys: string[] = [];
    const send = appWith({
      RATE_LIMITS: "on",
      CHANGE_LIMITER: { limit: async ({ key }) => ({ success: keys.push(key) <= 2 }) },
    });
    const mine = await makeTenant();
    const other = await makeTenant();
    const { key: second } = await makeKey(mine.tenantId);
    const create = (key: string, tenantId?: string) =>
      send("POST", "/profiles", {
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify({ name: "counted", ...(tenantId === undefined ? {} : { tenantId }) }),
      });
    expect([(await create(mine.key)).status, (await create(second)).status]).toEqual([201, 201]);
    const refused = await create(second);
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(told(refused)[0]).toContain('"changes";q=1200;w=60');
    const listed = await send("GET", `/profiles?tenantId=${mine.tenantId}`, {
      headers: bearer(second),
    });
    expect(listed.body.data).toHaveLength(2);
    expect(new Set(keys)).toEqual(new Set([`tenant:${mine.tenantId}`]));
    await create(other.key);
    expect(keys.at(-1)).toBe(`tenant:${other.tenantId}`);
    const counted = keys.length;
    expect((await create(OPERATOR_KEY, mine.tenantId)).status).toBe(201);
    expect(keys).toHaveLength(counted);
  });
});
