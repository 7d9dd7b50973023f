/** Quotas per minute and tenant: counted exactly, before the work, and reported in the answer. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { endpoints } from "#app.ts";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import type { Endpoint } from "#http/endpoint.ts";
import type { QuotaCounter } from "#kernel/limits/quota-counter.ts";
import { takeQuota } from "#kernel/limits/take-quota.ts";
import { planLimits, type QuotaName, quotaLimits } from "#schema/lists/plans.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, OPERATOR_KEY } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { run } from "#test/support/cloud.ts";
import { expectProblem } from "#test/support/declared.ts";
import {
  answerEveryReceiver,
  makeKey,
  makeWorld,
  MISSING_ID,
  pathIn,
  sampleBody,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const { tenantId, tenant } = world;
await run(tenant, world.instanceId, "deploy");
const send = appWith({ RATE_LIMITS: "on" });

const counterOf = (id: string) => env.QUOTA_COUNTER.get(env.QUOTA_COUNTER.idFromName(id));
const limitTo = async (limits: Partial<Record<QuotaName, number | null>>) => {
  const named = Object.entries(limits).map(([quota, limit]) => [
    quotaLimits[quota as QuotaName],
    limit,
  ]);
  const set = await operator.patch(`/tenants/${tenantId}`, { limits: Object.fromEntries(named) });
  expect(set.status, set.text).toBe(200);
  await forget();
};
/** As if a minute had passed. */
const forget = () =>
  runInDurableObject(counterOf(tenantId), (_, { storage }) => {
    storage.sql.exec("DELETE FROM uses");
  });

const ask = (
  endpoint: Endpoint,
  init: { key?: string; headers?: Record<string, string>; body?: unknown } = {},
) =>
  send(endpoint.method, pathIn(world, endpoint), {
    headers: {
      authorization: `Bearer ${init.key ?? tenant.key}`,
      ...(endpoint.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    },
    ...(endpoint.body === undefined
      ? {}
      : { body: JSON.stringify(init.body ?? sampleBody(world, endpoint)) }),
  });
const byId = (id: string) => endpoints.find(({ operationId }) => operationId === id) as Endpoint;
/** An import whose body has so many MiB. */
const importOf = (mebibytes: number) => ({
  files: Array.from({ length: mebibytes }, (_, n) => ({
    path: `f${n}.txt`,
    content: "x".repeat(1024 * 1024 - 100),
  })),
});
const [plan, createImport] = [byId("planInstance"), byId("createImport")];

const told = ({ headers }: Answer) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];
const quotaTold = (answer: Answer, quota: string) =>
  new RegExp(`"${quota}";r=(\\d+);t=(\\d+)`)
    .exec(answer.headers.get("ratelimit") ?? "")
    ?.slice(1)
    .map(Number);
const outcomes = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const withQuota = endpoints.filter(({ quota }) => quota !== undefined);

describe("the declarations", () => {
  it("have a quota if they start a run or an import", () => {
    const starting = endpoints.filter(
      ({ answer, path }) =>
        answer.schema === DeploymentView &&
        answer.status === 202 &&
        !/\/(cancel|approve)$/.test(path),
    );
    expect(starting.length).toBeGreaterThanOrEqual(4);
    expect(starting.filter(({ quota }) => quota !== "deploys").map(titleOf)).toEqual([]);
    expect(createImport.quota).toBe("imports");
  });

  it.each(withQuota.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    "%s is counted, reports the rest, and refuses one too many",
    async (_, endpoint) => {
      const quota = endpoint.quota as QuotaName;
      await limitTo({ [quota]: 1 });
      const first = await ask(endpoint);
      // Impossible in this world: refused before it is counted.
      if (first.status === 409) return expect(quotaTold(first, quota)).toBeUndefined();
      expect(first.status, first.text).toBe(endpoint.answer.status);
      expect(told(first)[0]).toBe(`"default";q=600;w=60, "${quota}";q=1;w=60`);
      expect(quotaTold(first, quota)).toEqual([0, 60]);
      expect(roundTripsOf(first)).toBeLessThanOrEqual(2);
      const second = await ask(endpoint);
      expect([second.status, second.body.code, roundTripsOf(second)]).toEqual([
        429,
        "rate_limited",
        1,
      ]);
      expectProblem(second);
      const [left, seconds] = quotaTold(second, quota) ?? [];
      expect(left).toBe(0);
      expect(second.headers.get("retry-after")).toBe(String(seconds));
      expect(seconds).toBeGreaterThan(50);
      expect(told(second)[0]).toContain(`"${quota}";q=1;w=60`);
    },
  );
});

describe("of fifty at once", () => {
  it.each([
    ["deploys", plan, 202],
    ["imports", createImport, 201],
  ] as const)(
    "exactly as many %s are accepted as the quota allows",
    async (quota, endpoint, status) => {
      await limitTo({ [quota]: 7 });
      const count = async () =>
        (
          await tenant.get(
            quota === "deploys"
              ? `/deployments?instanceId=${world.instanceId}&limit=100`
              : "/imports?limit=100",
          )
        ).body.data.length;
      const before = await count();
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(endpoint)));
      expect(outcomes(answers)).toEqual({ [status]: 7, 429: 43 });
      expect(await count()).toBe(before + 7);
      const left = answers
        .filter((answer) => answer.status === status)
        .map((answer) => quotaTold(answer, quota)?.[0]);
      expect(new Set(left)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
    },
  );
});

describe("does not count", () => {
  it("invalid, unknown, forbidden and impossible requests", async () => {
    await limitTo({ deploys: 1, imports: 1 });
    const viewer = await makeKey(tenantId, { scopes: ["instances:read", "imports:read"] });
    const bearer = { authorization: `Bearer ${tenant.key}` };
    const refused = [
      await ask(createImport, { body: { files: "none" } }),
      await ask(createImport, { key: viewer.key }),
      await ask(plan, { key: viewer.key }),
      await send("POST", `/instances/${MISSING_ID}/plan`, { headers: bearer }),
      await send("POST", `/instances/${world.instanceId}/plan?x=1`, {
        headers: { ...bearer, "idempotency-key": "a b" },
      }),
      await send("POST", `/deployments/${world.deploymentId}/rollback`, { headers: bearer }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 403, 404, 400, 409]);
    for (const answer of refused)
      expect(answer.headers.get("ratelimit")).not.toMatch(/deploys|imports/);
    expect((await ask(plan)).status).toBe(202);
    expect((await ask(createImport)).status).toBe(201);
  });

  it("a repetition of a counted request, later or at the same time", async () => {
    await limitTo({ imports: 1 });
    const body = sampleBody(world, createImport);
    const repeat = () => ask(createImport, { body, headers: { "idempotency-key": "quota" } });
    const answers = await Promise.all(Array.from({ length: 20 }, repeat));
    expect(outcomes(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const again = await repeat();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect((await ask(createImport)).status).toBe(429);
  });

  it("a repetition of a large one", async () => {
    await limitTo({ imports: 2 });
    const repeat = () =>
      ask(createImport, { body: importOf(3), headers: { "idempotency-key": "large" } });
    const answers = await Promise.all([1, 2, 3].map(repeat));
    expect(outcomes(answers)).toEqual({ 201: 3 });
    expect(quotaTold(await ask(createImport), "imports")?.[0]).toBe(0);
    await forget();
    await limitTo({ imports: 0 });
    const again = await repeat();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  });

  it("but does count requests that only share a request id", async () => {
    await limitTo({ imports: 1 });
    const headers = { "x-request-id": "same" };
    expect((await ask(createImport, { headers })).status).toBe(201);
    expect((await ask(createImport, { headers })).status).toBe(429);
  });
});

describe("a large import", () => {
  it("counts once for each 2 MiB that begin, and at most as often as the quota allows", async () => {
    await limitTo({ imports: 4 });
    expect(quotaTold(await ask(createImport, { body: importOf(1) }), "imports")?.[0]).toBe(3);
    expect(quotaTold(await ask(createImport, { body: importOf(3) }), "imports")?.[0]).toBe(1);
    expect((await ask(createImport, { body: importOf(3) })).status).toBe(429);
    expect(quotaTold(await ask(createImport), "imports")?.[0]).toBe(0);
    await limitTo({ imports: 1 });
    expect((await ask(createImport, { body: importOf(3) })).status).toBe(201);
    expect((await ask(createImport)).status).toBe(429);
  });

  it("is not parsed beyond the quota, and one of some KiB is", async () => {
    await limitTo({ imports: 0 });
    const broken = (bytes: number, key = tenant.key) =>
      send("POST", "/imports", {
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: "{".padEnd(bytes, " "),
      });
    expect((await broken(100_000)).body.code).toBe("rate_limited");
    expect((await broken(1_000)).body.code).toBe("malformed_json");
    await limitTo({ imports: 1 });
    expect((await broken(100_000)).body.code).toBe("malformed_json");
    expect((await broken(100_000)).body.code).toBe("rate_limited");
    // Without a tenant of its own, which nothing limits.
    expect((await broken(100_000, OPERATOR_KEY)).body.code).toBe("malformed_json");
  });
});

describe("a quota", () => {
  it("is the plan's if the tenant has none of its own, and unlimited if the plan says so", async () => {
    await limitTo({ imports: null });
    const { community } = planLimits;
    expect(told(await ask(plan))[0]).toContain(`"deploys";q=${community.deploysPerMinute};w=60`);
    expect(told(await ask(createImport))[0]).toBe('"default";q=600;w=60');
  });

  it("is each tenant's own", async () => {
    await limitTo({ imports: 0 });
    expect((await ask(createImport)).status).toBe(429);
    const other = await makeTenant();
    expect((await ask(createImport, { key: other.key })).status).toBe(201);
  });

  it("is that of the instance's tenant when an operator deploys", async () => {
    await limitTo({ deploys: 0, imports: 0 });
    expect((await ask(plan, { key: OPERATOR_KEY })).status).toBe(429);
    expect((await ask(createImport, { key: OPERATOR_KEY })).status).toBe(201);
  });

  it("accepts requests uncounted if its counter fails or does not answer", async () => {
    await limitTo({ imports: 0 });
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const warnings = () => warned.mock.calls.flat().join("\n");
    const away = (take: () => Promise<never>) =>
      ({ idFromName: () => "", get: () => ({ take }) }) as unknown as typeof env.QUOTA_COUNTER;
    const broken = away(() => Promise.reject(new Error("The object is away")));
    const open = appWith({ RATE_LIMITS: "on", QUOTA_COUNTER: broken });
    const answer = await open("POST", "/imports", {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect([answer.status, told(answer)[0]]).toEqual([201, '"default";q=600;w=60']);
    expect(warnings()).toContain("could not be counted");

    warned.mockClear();
    const silent = { QUOTA_COUNTER: away(() => new Promise(() => undefined)) };
    const use = { quota: "imports", limit: 0, use: "any" } as const;
    expect(await takeQuota(silent, tenantId, use, 20)).toBeUndefined();
    expect(warnings()).toContain("could not be counted");
    warned.mockRestore();
  });
});

describe("the counter", () => {
  const use = (
    counter: QuotaCounter,
    limit: number,
    atSeconds: number,
    name = `use ${atSeconds}`,
  ) => {
    counter.now = () => 1_000_000 + atSeconds * 1000;
    const { granted, remaining, resetSeconds } = counter.take({
      quota: "deploys",
      limit,
      use: name,
    });
    return [granted, remaining, resetSeconds];
  };
  const fresh = () => counterOf(crypto.randomUUID());

  it("counts over any sixty seconds, and reports when the next request is possible", async () => {
    await runInDurableObject(fresh(), (counter: QuotaCounter) => {
      expect(use(counter, 3, 0)).toEqual([true, 2, 60]);
      expect(use(counter, 3, 20)).toEqual([true, 1, 60]);
      expect(use(counter, 3, 40)).toEqual([true, 0, 60]);
      expect(use(counter, 3, 41)).toEqual([false, 0, 19]);
      expect(use(counter, 3, 59.999)).toEqual([false, 0, 1]);
      expect(use(counter, 3, 60)).toEqual([true, 0, 60]);
      expect(use(counter, 3, 79.9)).toEqual([false, 0, 1]);
      expect(use(counter, 3, 80)).toEqual([true, 0, 60]);
    });
  });

  it("counts a use once, however often it is sent", async () => {
    await runInDurableObject(fresh(), (counter: QuotaCounter) => {
      expect(use(counter, 1, 0, "same")).toEqual([true, 0, 60]);
      expect(use(counter, 1, 1, "same")).toEqual([true, 0, 60]);
      expect(use(counter, 1, 2, "other")).toEqual([false, 0, 58]);
    });
  });

  it("follows a lowered limit, and a limit of 0", async () => {
    await runInDurableObject(fresh(), (counter: QuotaCounter) => {
      for (const at of [0, 10, 20, 30]) use(counter, 4, at);
      expect(use(counter, 2, 40)).toEqual([false, 0, 40]);
      expect(use(counter, 0, 41)).toEqual([false, 0, 60]);
      expect(use(counter, 5, 42)).toEqual([true, 0, 60]);
    });
  });

  it("separates the quotas, and keeps its counts after an eviction", async () => {
    const stub = fresh();
    const take = (quota: QuotaName) => stub.take({ quota, limit: 1, use: crypto.randomUUID() });
    expect((await take("deploys")).granted).toBe(true);
    expect((await take("imports")).granted).toBe(true);
    await evictDurableObject(stub);
    expect((await take("deploys")).granted).toBe(false);
  });
});
