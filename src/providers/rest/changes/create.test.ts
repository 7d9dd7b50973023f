import { describe, expect, it } from "vitest";
import type { Poller } from "#providers/rest/definition.ts";
import { createCall, lookUpCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

describe("create", () => {
  it("posts the properties with the engine's name and returns the object as outputs", async () => {
    const cloud = scriptedCloud(json(thing(), 201, { "x-request-id": "r-1" }));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(cloud.lines()).toEqual(["POST /v1/things"]);
    expect(cloud.requests[0]?.body).toEqual({ name: "thing-one", size: 1 });
    expect(cloud.requests[0]?.headers.get("authorization")).toBe("Bearer s3cr3t-token");
    expect(cloud.requests[0]?.headers.get("content-type")).toBe("application/json");
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing(), requestId: "r-1" });
  });

  it("keeps a name set by the template", async () => {
    const cloud = scriptedCloud(json(thing(), 201));
    await sampleProvider().create(cloud.context(), createCall({ properties: { name: "own" } }));
    expect(cloud.requests[0]?.body).toEqual({ name: "own" });
  });

  it("sends the body as the cloud takes it, unwraps the answer, and reads the id from the row's path", async () => {
    const provider = sampleProvider(
      { envelope: { create: "data.thing" }, id: { at: "meta.ref" } },
      { prepare: ({ body = null, ...request }) => ({ ...request, body: { thing: body } }) },
    );
    const cloud = scriptedCloud(json({ data: { thing: { meta: { ref: 42 }, size: 1 } } }));
    const outcome = await provider.create(cloud.context(), createCall());
    expect(cloud.requests[0]?.body).toEqual({ thing: { name: "thing-one", size: 1 } });
    expect(outcome).toEqual({
      kind: "done",
      id: "42",
      outputs: { id: "42", meta: { ref: 42 }, size: 1 },
    });
  });

  it("omits path properties from the body and copies them to the outputs", async () => {
    const provider = sampleProvider({ path: "/v1/dbs/{db}/things", read: { back: true } });
    const cloud = scriptedCloud(json({ id: "t 1" }, 201), json({ id: "t 1", size: 1 }));
    const call = createCall({ properties: { db: "d 1", size: 1 } });
    const outcome = await provider.create(cloud.context(), call);
    expect(cloud.lines()).toEqual(["POST /v1/dbs/d%201/things", "GET /v1/dbs/d%201/things/t%201"]);
    expect(cloud.requests[0]?.body).toEqual({ name: "thing-one", size: 1 });
    expect(outcome).toMatchObject({ kind: "done", outputs: { id: "t 1", db: "d 1", size: 1 } });
  });

  it("fills placeholders from the target's config and region, and supports PUT with a create path", async () => {
    const provider = sampleProvider({
      path: "/v1/{project}/{region}/things",
      paths: { create: "/v1/{project}/{region}/things/{name}?force=1" },
      create: { method: "PUT" },
    });
    const cloud = scriptedCloud(json(thing()));
    const config = { project: "p-1" };
    await provider.create(cloud.context({ config }), createCall());
    expect(cloud.lines()).toEqual(["PUT /v1/p-1/eu-1/things/thing-one?force=1"]);
    expect(cloud.requests[0]?.body).toEqual({ name: "thing-one", size: 1 });
  });

  it("sends no request when a placeholder has no value", async () => {
    const cloud = scriptedCloud();
    const provider = sampleProvider({ path: "/v1/{project}/things" });
    const outcome = await provider.create(cloud.context(), createCall());
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "missing_path_value",
      retryable: false,
      unknownOutcome: false,
    });
    expect(cloud.requests).toHaveLength(0);
  });

  it.for([
    { create: { token: { header: "x-once" } }, read: "header" },
    { create: { token: { query: "requestId" } }, read: "query" },
  ] as const)("sends the token where the row says: $read", async ({ create, read }) => {
    const cloud = scriptedCloud(json(thing(), 201));
    await sampleProvider({ create }).create(cloud.context(), createCall());
    const request = cloud.requests[0];
    expect({
      header: request?.headers.get("x-once") ?? null,
      query: request?.path ?? null,
    }).toEqual({
      header: read === "header" ? "token-1" : null,
      query: read === "query" ? "/v1/things?requestId=token-1" : "/v1/things",
    });
  });

  it("sends the definition's headers for the row, and its query", async () => {
    const provider = sampleProvider(
      {},
      {
        headers: (_, { path }) => ({ "x-all": "1", "x-api-version": path.slice(2, 3) }),
        query: ({ config }) => ({ team: JSON.stringify(config["team"]) }),
      },
    );
    const cloud = scriptedCloud(json(thing(), 201));
    await provider.create(cloud.context({ config: { team: "a b" } }), createCall());
    expect(cloud.lines()).toEqual(["POST /v1/things?team=%22a+b%22"]);
    expect(cloud.requests[0]?.headers.get("x-api-version")).toBe("1");
    expect(cloud.requests[0]?.headers.get("x-all")).toBe("1");
  });

  it("uses the operator's endpoint if set", async () => {
    let url = "";
    const fetch = async (request: Request): Promise<Response> => {
      url = request.url;
      return json(thing(), 201);
    };
    const context = scriptedCloud().context({ endpoint: "http://localhost:9/base/", fetch });
    await sampleProvider().create(context, createCall());
    expect(url).toBe("http://localhost:9/base/v1/things");
  });
});

describe("a created object that is not ready", () => {
  const state = { path: "state.now", ready: ["on"], fail: ["broken"] } as const;

  it("is pending with its id", async () => {
    const cloud = scriptedCloud(json(thing({ state: { now: "building" } }), 201));
    const provider = sampleProvider({ state, timing: { pollMs: 700 } });
    const outcome = await provider.create(cloud.context(), createCall());
    expect(outcome).toEqual({
      kind: "pending",
      id: "t-1",
      handle: { sinceMs: 1_000_000 },
      afterMs: 700,
      note: 'state.now is "building"',
    });
  });

  it("is done when the state is ready", async () => {
    const cloud = scriptedCloud(json(thing({ state: { now: "on" } }), 201));
    const outcome = await sampleProvider({ state }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is pending when the answer lacks the state", async () => {
    const cloud = scriptedCloud(json(thing(), 201));
    const outcome = await sampleProvider({ state }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
  });

  it("fails with its id and outputs when the state is a final failure", async () => {
    const cloud = scriptedCloud(json(thing({ state: { now: "broken" } }), 201));
    const outcome = await sampleProvider({ state }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "resource_failed",
      id: "t-1",
      outputs: { name: "thing-one" },
      retryable: false,
    });
  });

  it("is pending with its id when it cannot be read yet", async () => {
    const provider = sampleProvider({ read: { back: true } });
    for (const answer of [empty(404), json({}, 503, { "retry-after": "9" }), new Error("reset")]) {
      const cloud = scriptedCloud(json({ id: "t-1" }, 201), answer);
      const outcome = await provider.create(cloud.context(), createCall());
      expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
      const wait = answer instanceof Response && answer.status === 503 ? 9_000 : 2_000;
      expect(outcome).toMatchObject({ afterMs: wait });
    }
  });

  it("keeps the id when reading it fails permanently", async () => {
    const cloud = scriptedCloud(json({ id: "t-1" }, 201), json({ code: "forbidden" }, 403));
    const outcome = await sampleProvider({ read: { back: true } }).create(
      cloud.context(),
      createCall(),
    );
    expect(outcome).toMatchObject({ kind: "failed", code: "forbidden", id: "t-1" });
  });
});

describe("a create that fails", () => {
  it.for([
    [400, false, false, "user", "invalid"],
    [401, false, false, "user", "denied"],
    [403, false, false, "user", "denied"],
    [404, false, false, "user", "gone"],
    [408, true, true, "provider", undefined],
    [410, false, false, "user", "gone"],
    [412, true, false, "provider", "stale"],
    [422, false, false, "user", "invalid"],
    [425, true, false, "provider", undefined],
    [429, true, false, "provider", "throttled"],
    [500, true, true, "provider", undefined],
    [501, false, true, "provider", undefined],
    [502, true, true, "provider", undefined],
    [503, true, true, "provider", undefined],
    [504, true, true, "provider", undefined],
  ] as const)(
    "with %i: retryable %j, unknown outcome %j, fault of the %s, meaning %s",
    async ([status, retryable, unknownOutcome, fault, means]) => {
      const cloud = scriptedCloud(json({ code: "no", message: "because" }, status));
      const outcome = await sampleProvider().create(cloud.context(), createCall());
      expect(outcome).toEqual({
        kind: "failed",
        code: "no",
        message: `vultr answered ${status} to POST /v1/things: because`,
        fault,
        ...(means === undefined ? {} : { means }),
        ...(status === 401 ? { unauthenticated: true } : {}),
        retryable,
        unknownOutcome,
      });
    },
  );

  it("returns the provider's delay and request id, and the error reader's retryable flag", async () => {
    const provider = sampleProvider(
      {},
      { readError: () => ({ code: "quota", message: "full", retryable: false, afterMs: 5 }) },
    );
    const headers = { "retry-after": "7", "x-request-id": "r-9" };
    const cloud = scriptedCloud(json({}, 429, headers));
    const outcome = await provider.create(cloud.context(), createCall());
    expect(outcome).toMatchObject({
      code: "quota",
      retryable: false,
      afterMs: 5,
      requestId: "r-9",
    });
  });

  it("uses Retry-After when the error reader gives no delay", async () => {
    const cloud = scriptedCloud(json({}, 429, { "retry-after": "7" }));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ afterMs: 7_000 });
  });

  it("by a lost connection has an unknown outcome", async () => {
    const cloud = scriptedCloud(new Error("reset"));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "network", retryable: true, unknownOutcome: true });
  });

  it("by an answer that is not JSON has an unknown outcome", async () => {
    const headers = { "content-type": "application/json" };
    const cloud = scriptedCloud(new Response("{", { status: 201, headers }));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "invalid", retryable: true, unknownOutcome: true });
  });

  it("by an answer without an id has an unknown outcome", async () => {
    for (const answer of [json({ name: "x" }, 201), json([], 201), empty(201)]) {
      const outcome = await sampleProvider().create(scriptedCloud(answer).context(), createCall());
      expect(outcome).toMatchObject({ code: "invalid_answer", unknownOutcome: true });
    }
  });

  it("does not read an inherited member as the id", async () => {
    const cloud = scriptedCloud(json(thing(), 201));
    const provider = sampleProvider({ id: { at: "constructor.name" } });
    const outcome = await provider.create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "invalid_answer" });
  });

  it("by an answer that is too large has an unknown outcome and is not retryable", async () => {
    const cloud = scriptedCloud(new Response("x".repeat(4 * 1024 * 1024 + 1)));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "too_large", retryable: false, unknownOutcome: true });
  });

  it("before it is sent has no effect and is not retryable", async () => {
    const cloud = scriptedCloud();
    const context = cloud.context({ credential: { token: "s3cr3t\n-token" } });
    const outcome = await sampleProvider().create(context, createCall());
    expect(outcome).toMatchObject({
      code: "invalid_request",
      retryable: false,
      unknownOutcome: false,
    });
    expect(cloud.requests).toHaveLength(0);
  });

  it("by a redirect does not follow it", async () => {
    const redirect = new Response(null, { status: 307, headers: { location: "/elsewhere" } });
    const cloud = scriptedCloud(redirect);
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "redirected", retryable: false, unknownOutcome: true });
    expect(cloud.requests).toHaveLength(1);
  });

  it("redacts a credential that the provider quotes", async () => {
    const cloud = scriptedCloud(json({ message: "token s3cr3t-token is not valid" }, 401));
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ message: expect.stringContaining("token [redacted] is not") });
  });

  it("names the invalid fields of the credential or config, never their values", async () => {
    const cloud = scriptedCloud();
    const wrong = cloud.context({ credential: { token: 123456789 } });
    const outcome = await sampleProvider().create(wrong, createCall());
    expect(outcome).toMatchObject({
      code: "invalid_credential",
      message: "The target's credential is not valid for vultr. Correct these fields: token.",
    });
    const config = cloud.context({ config: { team: 1 } });
    expect(await sampleProvider().create(config, createCall())).toMatchObject({
      code: "invalid_config",
    });
    expect(cloud.requests).toHaveLength(0);
  });

  it("reports a credential that cannot sign, without the credential", async () => {
    const provider = sampleProvider(
      {},
      {
        authorize: () => {
          throw new Error("bad key s3cr3t-token");
        },
      },
    );
    const outcome = await provider.create(scriptedCloud().context(), createCall());
    expect(outcome).toMatchObject({
      code: "invalid_credential",
      message: "The credential could not sign a request to vultr: bad key [redacted]",
      retryable: false,
      unknownOutcome: false,
    });
  });

  it.for(["vultr:Nothing", "vultr:constructor", "vultr:__proto__", "Thing", "mock:Thing"])(
    "rejects the unknown type %s",
    async (type) => {
      const outcome = await sampleProvider().create(
        scriptedCloud().context(),
        createCall({ type }),
      );
      expect(outcome).toMatchObject({ kind: "failed", code: "unknown_type" });
    },
  );
});

describe("an id that could not be stored, told or sent back", () => {
  const ids = [["a\nb"], ["a\u0000"], ["z".repeat(2_001)], ["\ud800"], [2 ** 53], [""]] as const;

  it.for(ids)("is none, so that the created object is looked for: %j", async ([id]) => {
    const cloud = scriptedCloud(json({ id, size: 1 }, 201));
    expect(await sampleProvider().create(cloud.context(), createCall())).toMatchObject({
      kind: "failed",
      code: "invalid_answer",
      unknownOutcome: true,
    });
  });

  it.for(ids)("does not hide the object from the look-up: %j", async ([id]) => {
    const row = { find: { by: "name" }, envelope: { list: "things" } } as const;
    const cloud = scriptedCloud(json({ things: [{ id, name: "thing-one" }] }));
    expect(await sampleProvider(row).lookUp(cloud.context(), lookUpCall())).toMatchObject({
      kind: "failed",
      code: "invalid_answer",
      unknownOutcome: true,
    });
    const other = scriptedCloud(json({ things: [{ id, name: "another" }] }));
    const found = await sampleProvider(row).lookUp(other.context(), lookUpCall());
    expect(found).toEqual({ kind: "gone" });
  });

  it("is none either where an operation tells it", async () => {
    const poller: Poller = {
      started: () => undefined,
      path: () => "/v1/operations/op-1",
      read: () => ({ state: "done", id: "a\nb" }),
    };
    const cloud = scriptedCloud(json({}), json({ size: 1 }));
    const call = pollCall("create", { handle: { sinceMs: 0, operation: "op-1" } });
    const outcome = await sampleProvider({}, { poller }).poll(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: true });
    expect(outcome).not.toHaveProperty("id");
  });
});
