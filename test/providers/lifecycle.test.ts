import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { LedgerEntry } from "#providers/mock/cloud-store.ts";
import { connectMockCloud } from "#providers/mock/connect.ts";
import { mockDefinition, mockProvider } from "#providers/mock/mock-provider.ts";
import { mockRows } from "#providers/mock/types.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { restTypes } from "#providers/rest/rest-types.ts";
import type { ConformanceCloud, ConformanceSubject } from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";

const HOUR_MS = 3_600_000;

/** Each call gets its own mock target. */
function mockCloudFor(
  kind: string,
  script: Parameters<ConformanceSubject["cloud"]>[0],
  config: JsonMap = {},
): ConformanceCloud & { sessions: () => Promise<number> } {
  const targetId = crypto.randomUUID();
  const faults = (script.faults ?? []).map(({ on, status, effect }) => ({
    kind,
    on,
    effect,
    status: status === "dropped" ? 0 : status,
  }));
  const failing = script.endsFailed ? [{ kind, on: "create", effect: "fails" }] : [];
  const fetch = connectMockCloud(env, targetId);
  const context: ProviderContext = {
    targetId,
    region: "eu-1",
    config: {
      faults: [...faults, ...failing],
      readyAfterMs: script.slow ? HOUR_MS : 0,
      ...config,
    },
    credential: null,
    fetch,
    now: () => Date.now(),
  };
  return {
    context,
    existing: async () => {
      const answer = await fetch(new Request("https://mock.cloud.invalid/v1/_ledger"));
      const { data } = await answer.json<{ data: LedgerEntry[] }>();
      const deleted = new Set(data.filter(({ verb }) => verb === "delete").map(({ id }) => id));
      return data
        .filter(({ verb, id }) => verb === "create" && !deleted.has(id))
        .map(({ id }) => id);
    },
    sessions: async () =>
      runInDurableObject(
        env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId)),
        (_, { storage }) => storage.sql.exec("SELECT 1 FROM session_requests").toArray().length,
      ),
    finish: async () =>
      runInDurableObject(env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId)), (cloud) => {
        cloud.now = () => Date.now() + HOUR_MS;
      }),
  };
}

const subjects: readonly (Omit<ConformanceSubject, "provider" | "cloud"> & { kind: string })[] = [
  {
    type: "mock:Network",
    kind: "networks",
    properties: (name) => ({ name, cidr: "10.0.0.0/16", labels: { a: "1" } }),
    changed: (name) => ({ name, cidr: "10.0.0.0/16", labels: { a: "2" } }),
    immutableChanged: (name) => ({ name, cidr: "10.1.0.0/16", labels: { a: "1" } }),
    missingId: "net-missing",
  },
  {
    type: "mock:Server",
    kind: "servers",
    properties: (name) => ({ name, image: "debian-13", size: 1 }),
    changed: (name) => ({ name, image: "debian-13", size: 2 }),
    immutableChanged: (name) => ({ name, image: "debian-14", size: 1 }),
    missingId: "srv-missing",
  },
  {
    type: "mock:Database",
    kind: "databases",
    properties: (name) => ({ name, engine: "pg", nodes: 1 }),
    changed: (name) => ({ name, engine: "pg", nodes: 3 }),
    immutableChanged: (name) => ({ name, engine: "mysql", nodes: 1 }),
    missingId: "db-missing",
  },
  {
    type: "mock:Bucket",
    kind: "buckets",
    properties: (name) => ({ name, public: false }),
    changed: (name) => ({ name, public: true }),
    missingId: "bkt-missing",
  },
  {
    type: "mock:Record",
    kind: "records",
    properties: (name) => ({ name, value: "1.2.3.4" }),
    changed: (name) => ({ name, value: "1.2.3.5" }),
    missingId: "rec-missing",
  },
  {
    type: "mock:Service",
    kind: "services",
    properties: (name) => ({ name, settings: { tier: "a", labels: { x: "1", y: "2" } } }),
    changed: (name) => ({ name, settings: { tier: "a", labels: { x: "2" } } }),
    immutableChanged: (name) => ({ name, settings: { tier: "b", labels: { x: "1", y: "2" } } }),
    missingId: "svc-missing",
  },
];

for (const { kind, ...subject } of subjects)
  describe(`the lifecycle of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: mockProvider(),
      cloud: (script) => mockCloudFor(kind, script),
    });
  });

const unnamed = {
  type: "mock:Server",
  properties: () => ({ image: "debian-13", size: 1 }),
  changed: () => ({ image: "debian-13", size: 2 }),
  immutableChanged: () => ({ image: "debian-14", size: 1 }),
  missingId: "srv-missing",
};

describe("the lifecycle without tokens, where objects are found by name", () => {
  const { create: _, ...row } = mockRows().Server;
  providerConformance({
    ...unnamed,
    provider: restProvider({
      ...mockDefinition,
      types: restTypes("mock", () => ({ Server: row })),
    }),
    cloud: (script) => mockCloudFor("servers", script),
  });
});

describe("the lifecycle without tokens, where objects are found by a label", () => {
  const { create: _, ...row } = mockRows().Service;
  const find = { by: "label", property: "settings.labels", key: "made-by" } as const;
  providerConformance({
    type: "mock:Service",
    properties: () => ({ size: "s", settings: { tier: "a", labels: { x: "1", y: "2" } } }),
    changed: () => ({ size: "l", settings: { tier: "a", labels: { x: "2" } } }),
    immutableChanged: () => ({ size: "s", settings: { tier: "b", labels: { x: "1", y: "2" } } }),
    missingId: "svc-missing",
    provider: restProvider({
      ...mockDefinition,
      types: restTypes("mock", () => ({ Service: { ...row, find } })),
    }),
    cloud: (script) => mockCloudFor("services", script),
  });
});

describe("the lifecycle without tokens, where objects are found by their mark", () => {
  providerConformance({
    ...unnamed,
    provider: mockProvider(),
    cloud: (script) => mockCloudFor("servers", script, { tokens: "none" }),
  });
});

describe("the lifecycle with tokens that live for a minute", () => {
  providerConformance({
    ...unnamed,
    provider: mockProvider(),
    cloud: (script) => mockCloudFor("servers", script, { tokens: { lifeMs: 60_000 } }),
  });
});

describe("the lifecycle at a cloud with operations, whose sessions serve three calls each", () => {
  const config = { operations: {}, sessions: { lifeMs: 60_000, callsEach: 3 } };
  providerConformance({
    ...unnamed,
    provider: mockProvider(),
    cloud: (script) => mockCloudFor("servers", script, config),
  });
});

describe("the lifecycle at a cloud with operations that it forgets at once, and no tokens", () => {
  const { create: _, ...row } = mockRows().Server;
  const types = restTypes("mock", () => ({ Server: row }));
  const call = { type: "mock:Server", name: "one", properties: {}, token: "t-1" };

  it("leaves the outcome of a create unknown, and finds its object by a look-up", async () => {
    const provider = restProvider({ ...mockDefinition, types });
    const config = { operations: { forgottenAfterMs: 0 } };
    const { context, existing } = mockCloudFor("servers", {}, config);
    const started = await provider.create(context, call);
    expect(started).toMatchObject({ kind: "pending" });
    expect(started).not.toHaveProperty("id");
    const handle = started.kind === "pending" ? started.handle : null;
    const lost = await provider.poll(context, { ...call, verb: "create", handle });
    expect(lost).toMatchObject({ kind: "failed", ended: true, unknownOutcome: true });
    const found = await provider.lookUp(context, { ...call, known: [] });
    expect(found.kind === "done" ? [found.id] : found).toEqual(await existing());
  });
});

describe("a look-up in a list that lags behind the create", () => {
  it("finds nothing at first, and then the object", async () => {
    const config = { tokens: "none", listLagMs: HOUR_MS };
    const { context, finish } = mockCloudFor("servers", {}, config);
    const call = { type: "mock:Server", name: "one", properties: {}, token: "t-1" };
    const made = await mockProvider().create(context, call);
    expect(await mockProvider().lookUp(context, { ...call, known: [] })).toEqual({ kind: "gone" });
    await finish();
    const found = await mockProvider().lookUp(context, { ...call, known: [] });
    expect(found).toMatchObject({ kind: "done", id: made.kind === "done" ? made.id : "" });
  });
});

describe("a session of the mock cloud", () => {
  const read = { type: "mock:Server", id: "srv-1", properties: {} };

  it("that cannot be obtained for a while is no invalid credential", async () => {
    const config = { sessions: { lifeMs: 60_000, failures: 1 } };
    const { context } = mockCloudFor("servers", {}, config);
    expect(await mockProvider().read(context, read)).toMatchObject({
      kind: "failed",
      code: "unavailable",
      retryable: true,
    });
    expect(await mockProvider().read(context, read)).toMatchObject({ kind: "gone" });
  });

  it("is obtained once by calls at the same time, and again when it has expired", async () => {
    const config = { sessions: { lifeMs: 60_000 } };
    const { context, sessions, finish } = mockCloudFor("servers", {}, config);
    await Promise.all(Array.from({ length: 6 }, () => mockProvider().read(context, read)));
    expect(await sessions()).toBe(1);
    await finish();
    expect(await mockProvider().read(context, read)).toMatchObject({ kind: "gone" });
    expect(await sessions()).toBe(2);
  });
});

describe("refusals of the mock cloud", () => {
  const call = { type: "mock:Server", name: "one", properties: {}, token: "t-1" };
  const refusal = async (on: string, status: number, code: string) => {
    const faults = [{ kind: "servers", on, status, code }];
    const { context } = mockCloudFor("servers", {}, { faults });
    const made = await mockProvider().create(context, call);
    if (on === "create") return made;
    const target = { type: call.type, id: made.kind === "done" ? made.id : "", properties: {} };
    return on === "read"
      ? mockProvider().read(context, target)
      : mockProvider().delete(context, { ...target, token: "t-2" });
  };

  it("say by their code what their status does not", async () => {
    for (const status of [403, 404])
      expect(await refusal("read", status, "denied")).toMatchObject({
        kind: "failed",
        means: "denied",
        retryable: false,
      });
    expect(await refusal("create", 400, "quota_exceeded")).toMatchObject({ means: "quota" });
    expect(await refusal("delete", 409, "in_use")).toMatchObject({
      means: "busy",
      retryable: true,
    });
  });

  it("keep an object that another one uses", async () => {
    const { context } = mockCloudFor("servers", {}, { refusesInUse: true });
    const made = await mockProvider().create(context, call);
    const id = made.kind === "done" ? made.id : "";
    const record = { ...call, type: "mock:Record", properties: { target: id }, token: "t-2" };
    const user = await mockProvider().create(context, record);
    const del = { type: call.type, id, properties: {}, token: "t-3" };
    expect(await mockProvider().delete(context, del)).toMatchObject({
      code: "in_use",
      means: "busy",
    });
    const userId = user.kind === "done" ? user.id : "";
    await mockProvider().delete(context, { ...del, type: "mock:Record", id: userId });
    expect(await mockProvider().delete(context, del)).toMatchObject({ kind: "gone" });
  });
});

describe("a failed operation of the mock cloud", () => {
  it.for([
    ["named", 1],
    ["unnamed", 0],
  ] as const)("that is %s leaves so many objects: %i", async ([failed, left]) => {
    const config = { operations: { failed } };
    const { context, existing } = mockCloudFor("servers", { endsFailed: true }, config);
    const call = { type: "mock:Server", name: "one", properties: {}, token: "t-1" };
    const started = await mockProvider().create(context, call);
    const handle = started.kind === "pending" ? started.handle : null;
    const ended = await mockProvider().poll(context, { ...call, verb: "create", handle });
    expect(ended).toMatchObject({ kind: "failed", code: "create_failed", retryable: false });
    const ids = await existing();
    expect(ids).toHaveLength(left);
    expect(ended.kind === "failed" && ended.id).toBe(ids[0]);
  });
});

describe("a repeated create at the mock cloud", () => {
  const call = { type: "mock:Server", name: "late-one", properties: { size: 1 }, token: "t-1" };

  it("is found late by a look-up, which an early one could not do", async () => {
    const fault = { kind: "servers", on: "create", status: 0, lateMs: HOUR_MS };
    const { context, existing, finish } = mockCloudFor(
      "servers",
      {},
      {
        tokens: "none",
        faults: [fault],
      },
    );
    const lost = await mockProvider().create(context, call);
    expect(lost).toMatchObject({ kind: "failed", unknownOutcome: true });
    const known: string[] = [];
    expect(await mockProvider().lookUp(context, { ...call, known })).toEqual({ kind: "gone" });
    await finish();
    const found = await mockProvider().lookUp(context, { ...call, known });
    expect(found).toMatchObject({ kind: "done" });
    expect(await existing()).toEqual(found.kind === "done" ? [found.id] : []);
  });

  it("makes a second object once its token is forgotten, as the facts say", async () => {
    const config = { tokens: { lifeMs: 1_000 }, longestRequestMs: 10 };
    const { context, existing, finish } = mockCloudFor("servers", {}, config);
    expect(mockProvider().repeats(context, call.type)).toEqual({
      longestRequestMs: 10,
      repeatableMs: 1_000,
      findable: true,
    });
    await mockProvider().create(context, call);
    await mockProvider().create(context, call);
    expect(await existing()).toHaveLength(1);
    await finish();
    await mockProvider().create(context, call);
    expect(await existing()).toHaveLength(2);
  });
});
