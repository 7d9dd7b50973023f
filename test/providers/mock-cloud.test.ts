import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { LedgerEntry } from "#providers/mock/cloud-store.ts";
import { connectMockCloud } from "#providers/mock/connect.ts";
import { send } from "#providers/transport.ts";

interface CloudUnderTest {
  stub: ReturnType<typeof env.MOCK_CLOUD.get>;
  ask: (
    line: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: JsonMap; id: string; headers: Headers }>;
  ledger: () => Promise<LedgerEntry[]>;
}

/** A separate cloud; requests are written as `METHOD /path`. A string body is sent unchanged. */
function newCloud(config: object = {}): CloudUnderTest {
  const targetId = crypto.randomUUID();
  const fetch = connectMockCloud(env, targetId);
  const ask: CloudUnderTest["ask"] = async (line, body, headers) => {
    const [method = "GET", path = "/"] = line.split(" ");
    const answer = await fetch(
      new Request(`https://mock.cloud.invalid${path}`, {
        method,
        headers: { "x-mock-config": JSON.stringify(config), ...headers },
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
        }),
      }),
    );
    const text = await answer.text();
    const shown = text === "" ? {} : (JSON.parse(text) as JsonMap);
    return {
      status: answer.status,
      body: shown,
      id: typeof shown["id"] === "string" ? shown["id"] : "",
      headers: answer.headers,
    };
  };
  return {
    stub: env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId)),
    ask,
    ledger: async () => (await ask("GET /v1/_ledger")).body["data"] as unknown as LedgerEntry[],
  };
}

/** Sets the cloud's time; an eviction resets it. */
function clockOf(stub: CloudUnderTest["stub"]): (nowMs: number) => Promise<void> {
  return (nowMs) =>
    runInDurableObject(stub, (cloud) => {
      cloud.now = () => nowMs;
    });
}

const server = { name: "web", image: "debian-13", size: 1 };

describe("objects", () => {
  it("are created, read, changed, listed and deleted", async () => {
    const { ask } = newCloud();
    const made = await ask("POST /v1/servers", server);
    expect(made).toMatchObject({ status: 201, body: { ...server, status: "ready" } });
    const { id } = made;
    expect(await ask(`GET /v1/servers/${id}`)).toMatchObject({ status: 200, body: made.body });
    const changed = { id, status: "ready", name: "web", image: "debian-13", disk: 5 };
    expect(await ask(`PATCH /v1/servers/${id}`, { size: null, disk: 5 })).toMatchObject({
      status: 200,
      body: changed,
    });
    const read = await ask(`GET /v1/servers/${id}`);
    expect(read.body).toEqual(changed);
    expect((await ask("GET /v1/servers?name=web")).body).toEqual({ data: [changed] });
    expect((await ask("GET /v1/servers?name=other")).body).toEqual({ data: [] });
    expect((await ask("GET /v1/networks?name=web")).body).toEqual({ data: [] });
    expect((await ask(`DELETE /v1/servers/${id}`)).status).toBe(204);
    for (const line of ["GET", "DELETE"])
      expect(await ask(`${line} /v1/servers/${id}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    expect((await ask(`PATCH /v1/servers/${id}`, {})).status).toBe(404);
  });

  it("may share a name", async () => {
    const { ask } = newCloud();
    const first = await ask("POST /v1/buckets", { name: "a" });
    const second = await ask("POST /v1/buckets", { name: "a" });
    expect(second.body["id"]).not.toBe(first.body["id"]);
    const list = (await ask("GET /v1/buckets?name=a")).body["data"];
    expect(list).toHaveLength(2);
  });

  it("of two targets are separate", async () => {
    const made = await newCloud().ask("POST /v1/servers", server);
    const other = await newCloud().ask(`GET /v1/servers/${made.id}`);
    expect(other.status).toBe(404);
  });

  it("survive an eviction of the Durable Object", async () => {
    const { ask, stub } = newCloud();
    const made = await ask("POST /v1/servers", server);
    await evictDurableObject(stub);
    expect((await ask(`GET /v1/servers/${made.id}`)).body).toEqual(made.body);
  });

  it("are `creating` until they are ready", async () => {
    const { ask, stub } = newCloud({ readyAfterMs: 60_000 });
    const madeAtMs = 1_000_000;
    const at = clockOf(stub);
    await at(madeAtMs);
    const { body, id } = await ask("POST /v1/servers", server);
    expect(body["status"]).toBe("creating");
    await at(madeAtMs + 59_999);
    expect((await ask(`GET /v1/servers/${id}`)).body["status"]).toBe("creating");
    await at(madeAtMs + 60_000);
    expect((await ask(`GET /v1/servers/${id}`)).body["status"]).toBe("ready");
  });

  it.for([
    ["networks", "cidr"],
    ["servers", "image"],
    ["databases", "engine"],
  ] as const)("of %s do not change their %s", async ([kind, field]) => {
    const { ask } = newCloud();
    const { id } = await ask(`POST /v1/${kind}`, { name: "a", [field]: "x" });
    const path = `/v1/${kind}/${id}`;
    for (const value of ["y", null])
      expect(await ask(`PATCH ${path}`, { [field]: value })).toMatchObject({
        status: 422,
        body: { code: "immutable" },
      });
    expect((await ask(`PATCH ${path}`, { [field]: "x", other: 1 })).status).toBe(200);
  });
});

describe("services", () => {
  const service = {
    name: "api",
    size: "s",
    settings: { tier: "a", labels: { x: "1", y: "2" } },
    rules: [{ port: 443 }, { port: 22 }],
  };

  it("take a merge patch, which removes a nested member that is null", async () => {
    const { ask, ledger } = newCloud();
    const { id } = await ask("POST /v1/services", service);
    const labels = { x: null, z: "3" };
    const changed = await ask(`PATCH /v1/services/${id}`, { settings: { labels } });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body["settings"]).toEqual({ tier: "a", labels: { y: "2", z: "3" } });
    expect((await ledger()).map(({ verb }) => verb)).toEqual(["create", "update"]);
  });

  it("refuse another tier", async () => {
    const { ask } = newCloud();
    const { id } = await ask("POST /v1/services", service);
    expect(await ask(`PATCH /v1/services/${id}`, { settings: { tier: "b" } })).toMatchObject({
      status: 422,
      body: { code: "immutable" },
    });
  });

  it("change their size by a call of its own", async () => {
    const { ask, ledger } = newCloud();
    const { id } = await ask("POST /v1/services", service);
    const refused = await ask(`PATCH /v1/services/${id}`, { size: "l" });
    expect(refused).toMatchObject({ status: 422, body: { code: "resize_required" } });
    const path = `/v1/services/${id}/resize`;
    expect(await ask(`POST ${path}`, { size: "l" })).toMatchObject({ body: { size: "l" } });
    expect((await ledger()).map(({ verb }) => verb)).toEqual(["create", "update"]);
    for (const body of [{}, { size: null }, { size: "l", more: 1 }])
      expect(await ask(`POST ${path}`, body)).toMatchObject({ status: 422 });
    for (const line of [`GET ${path}`, `POST /v1/services/${id}/connection`])
      expect(await ask(line, line.startsWith("POST") ? {} : undefined)).toMatchObject({
        status: 405,
      });
    for (const below of [`services/${id}/resize/more`, `servers/${id}/resize`, "services//resize"])
      expect(await ask(`POST /v1/${below}`, { size: "l" })).toMatchObject({ status: 404 });
  });

  it("show their rules as a set", async () => {
    const { ask } = newCloud();
    const rules = [{ port: 443 }, { port: 22 }, { port: 443 }];
    const made = await ask("POST /v1/services", { ...service, rules });
    expect(made.body["rules"]).toEqual([{ port: 22 }, { port: 443 }]);
  });

  it("tell how to reach them by a further read", async () => {
    const { ask } = newCloud();
    const { id } = await ask("POST /v1/services", service);
    const path = `/v1/services/${id}/connection`;
    const uri = expect.stringMatching(/^mock:\/\/app:.{12}@svc-/);
    expect(await ask(`GET ${path}`)).toMatchObject({ status: 200, body: { uri } });
    await ask(`DELETE /v1/services/${id}`);
    expect(await ask(`GET ${path}`)).toMatchObject({ status: 404 });
  });
});

describe("idempotency", () => {
  const once = { "idempotency-key": "k-1" };

  it("gives the same response to a repeated key and creates no second object, even after an eviction", async () => {
    const { ask, stub, ledger } = newCloud();
    const first = await ask("POST /v1/servers", server, once);
    await evictDurableObject(stub);
    const second = await ask(
      "POST /v1/servers",
      { size: 1, image: "debian-13", name: "web" },
      once,
    );
    expect(second.body).toEqual(first.body);
    expect(second.status).toBe(201);
    expect(await ledger()).toHaveLength(1);
  });

  it("rejects a key that was used for another request", async () => {
    const { ask } = newCloud();
    await ask("POST /v1/servers", server, once);
    for (const line of ["POST /v1/servers", "POST /v1/networks"])
      expect(await ask(line, { name: "other" }, once)).toMatchObject({
        status: 422,
        body: { code: "idempotency_key_reused" },
      });
  });

  it("of a key ends with its life, and the new object's answer takes its place", async () => {
    const { ask, stub, ledger } = newCloud({ tokens: { lifeMs: 1_000 } });
    const at = clockOf(stub);
    await at(5_000);
    const first = await ask("POST /v1/servers", server, once);
    await at(5_999);
    expect((await ask("POST /v1/servers", server, once)).id).toBe(first.id);
    await at(6_000);
    const second = await ask("POST /v1/servers", server, once);
    expect(second.id).not.toBe(first.id);
    await at(6_999);
    expect((await ask("POST /v1/servers", server, once)).id).toBe(second.id);
    expect(await ledger()).toHaveLength(2);
  });

  it("is not offered by a cloud that takes no tokens", async () => {
    const { ask, ledger } = newCloud({ tokens: "none" });
    await ask("POST /v1/servers", server, once);
    await ask("POST /v1/servers", { name: "other" }, once);
    expect(await ledger()).toMatchObject([{ idempotencyKey: null }, { idempotencyKey: null }]);
  });

  it("holds for concurrent creates", async () => {
    const { ask, ledger } = newCloud();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => ask("POST /v1/servers", server, once)),
    );
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1);
    expect(await ledger()).toHaveLength(1);
  });
});

describe("the ledger", () => {
  it("lists every change that took effect, in order, and nothing else", async () => {
    const { ask, ledger, stub } = newCloud();
    await runInDurableObject(stub, (cloud) => {
      cloud.now = () => 5_000;
    });
    const { id } = await ask("POST /v1/servers", server, { "idempotency-key": "k" });
    await ask(`PATCH /v1/servers/${id}`, { size: 1 });
    await ask(`PATCH /v1/servers/${id}`, { image: "other" });
    await ask(`PATCH /v1/servers/${id}`, { name: "web-2" });
    await ask(`DELETE /v1/servers/${id}`);
    await ask(`DELETE /v1/servers/${id}`);
    const entry = { kind: "servers", id, atMs: 5_000, idempotencyKey: null };
    expect(await ledger()).toEqual([
      { ...entry, seq: 1, verb: "create", name: "web", idempotencyKey: "k" },
      { ...entry, seq: 2, verb: "update", name: "web-2" },
      { ...entry, seq: 3, verb: "delete", name: "web-2" },
    ]);
    const later = await ask("GET /v1/_ledger?after=2");
    expect(later.body["data"]).toHaveLength(1);
  });

  it("is read-only", async () => {
    expect((await newCloud().ask("DELETE /v1/_ledger")).status).toBe(405);
  });
});

describe("faults", () => {
  const faulty = (fault: object) =>
    newCloud({ faults: [{ kind: "servers", on: "create", ...fault }] });

  it("occur as often as configured, also across an eviction", async () => {
    const { ask, stub, ledger } = faulty({ times: 2, status: 429 });
    const first = await ask("POST /v1/servers", server);
    expect(first).toMatchObject({ status: 429, body: { code: "throttled" } });
    expect(first.headers.get("retry-after")).toBe("1");
    await evictDurableObject(stub);
    expect((await ask("POST /v1/servers", server)).status).toBe(429);
    expect((await ask("POST /v1/servers", server)).status).toBe(201);
    expect(await ledger()).toHaveLength(1);
  });

  it("are counted separately, even if they are equal", async () => {
    const fault = { kind: "servers", on: "create", status: 500 };
    const { ask } = newCloud({ faults: [fault, fault] });
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await ask("POST /v1/servers", server)).status);
    expect(statuses).toEqual([500, 500, 201]);
  });

  it("apply only to their kind, verb and name", async () => {
    const { ask } = faulty({ name: "db", times: 9 });
    expect((await ask("POST /v1/networks", { name: "db" })).status).toBe(201);
    const made = await ask("POST /v1/servers", { name: "web" });
    expect(made.status).toBe(201);
    expect((await ask(`GET /v1/servers/${made.id}`)).status).toBe(200);
    expect((await ask("POST /v1/servers", { name: "db" })).status).toBe(503);
  });

  it("by name apply to reads, updates and deletes of the object with that name", async () => {
    const on = ["read", "update", "delete"];
    const { ask, ledger } = newCloud({
      faults: on.map((verb) => ({ kind: "servers", name: "web", on: verb, status: 500 })),
    });
    const path = `/v1/servers/${(await ask("POST /v1/servers", server)).id}`;
    expect((await ask(`GET ${path}`)).status).toBe(500);
    expect((await ask(`PATCH ${path}`, { size: 2 })).status).toBe(500);
    expect((await ask(`DELETE ${path}`)).status).toBe(500);
    expect(await ledger()).toHaveLength(1);
  });

  it("with effect `after` apply the change and return the error", async () => {
    const { ask, ledger } = faulty({ effect: "after", status: 500 });
    const once = { "idempotency-key": "k" };
    expect((await ask("POST /v1/servers", server, once)).status).toBe(500);
    const [entry] = await ledger();
    expect((await ask("POST /v1/servers", server, once)).body["id"]).toBe(entry?.id);
    expect(await ledger()).toHaveLength(1);
  });

  it.for(["before", "after"] as const)(
    "with status 0 and effect `%s` drop the connection",
    async (effect) => {
      const { ask, ledger } = faulty({ effect, status: 0 });
      await expect(ask("POST /v1/servers", server)).rejects.toThrow("Connection dropped");
      expect(await ledger()).toHaveLength(effect === "after" ? 1 : 0);
    },
  );

  it("with effect `fails` create an object that ends as failed", async () => {
    const { ask } = faulty({ effect: "fails" });
    const made = await ask("POST /v1/servers", server);
    expect(made).toMatchObject({ status: 201, body: { status: "failed" } });
    expect((await ask("POST /v1/servers", server)).body["status"]).toBe("ready");
  });
});

describe("a late request", () => {
  const late = { kind: "servers", status: 0, lateMs: 1_000 };

  it("is answered as lost and takes effect later, even after an eviction", async () => {
    const { ask, stub, ledger } = newCloud({
      faults: [{ ...late, on: "create" }],
      readyAfterMs: 500,
    });
    const at = clockOf(stub);
    await at(5_000);
    await expect(ask("POST /v1/servers", server)).rejects.toThrow("Connection dropped");
    await evictDurableObject(stub);
    await at(5_999);
    expect(await ledger()).toEqual([]);
    expect((await ask("GET /v1/servers?name=web")).body).toEqual({ data: [] });
    await at(6_100);
    expect((await ask("GET /v1/servers?name=web")).body).toMatchObject({
      data: [{ name: "web", status: "creating" }],
    });
    await at(6_500);
    expect((await ask("GET /v1/servers?name=web")).body).toMatchObject({
      data: [{ status: "ready" }],
    });
    expect(await ledger()).toMatchObject([{ verb: "create", atMs: 6_000 }]);
  });

  it("of a key that was repeated meanwhile makes no second object", async () => {
    const { ask, stub, ledger } = newCloud({ faults: [{ ...late, on: "create", status: 503 }] });
    const once = { "idempotency-key": "k" };
    const at = clockOf(stub);
    await at(5_000);
    expect((await ask("POST /v1/servers", server, once)).status).toBe(503);
    expect((await ask("POST /v1/servers", server, once)).status).toBe(201);
    await at(9_000);
    expect(await ledger()).toHaveLength(1);
  });

  it("changes or deletes what is there when it takes effect, and nothing if that is gone", async () => {
    const { ask, stub, ledger } = newCloud({
      faults: [
        { ...late, on: "update" },
        { ...late, on: "delete", lateMs: 2_000, times: 2 },
      ],
    });
    const at = clockOf(stub);
    await at(5_000);
    const path = `/v1/servers/${(await ask("POST /v1/servers", server)).id}`;
    await expect(ask(`PATCH ${path}`, { size: 2 })).rejects.toThrow("Connection dropped");
    for (const _ of [1, 2])
      await expect(ask(`DELETE ${path}`)).rejects.toThrow("Connection dropped");
    await at(6_000);
    expect((await ask(`GET ${path}`)).body).toMatchObject({ size: 2 });
    await at(7_000);
    expect((await ask(`GET ${path}`)).status).toBe(404);
    expect((await ledger()).map(({ verb }) => verb)).toEqual(["create", "update", "delete"]);
  });
});

describe("latency", () => {
  it("may exceed a caller's timeout although the change took effect; the same key finds it", async () => {
    const { stub, ask, ledger } = newCloud();
    const context = {
      fetch: async (request: Request) => stub.fetch(request),
      credential: null,
      now: () => 0,
    };
    const headers = { "idempotency-key": "k", "x-mock-config": '{"latencyMs":400}' };
    const url = "https://mock.cloud.invalid/v1/servers";
    const request = { method: "POST", url, headers, body: JSON.stringify(server) };
    const lost = await send(context, request, { timeoutMs: 100 });
    expect(lost).toMatchObject({ ok: false, kind: "timeout" });
    const [entry] = await ledger();
    const again = await ask("POST /v1/servers", server, { "idempotency-key": "k" });
    expect(again.id).toBe(entry?.id);
    expect(await ledger()).toHaveLength(1);
  });

  it("delays no other request", async () => {
    const { stub, ask } = newCloud();
    let answered = false;
    const headers = { "x-mock-config": '{"latencyMs":300}' };
    const slow = stub
      .fetch(new Request("https://mock.cloud.invalid/v1/servers", { headers }))
      .then(() => {
        answered = true;
        return answered;
      });
    await ask("GET /v1/servers");
    expect(answered).toBe(false);
    expect(await slow).toBe(true);
  });
});

describe("hostile input", () => {
  const deep = (levels: number): string =>
    `{"name":"a","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;

  it.for([
    ["POST /v1/servers", "not json", 400, "invalid_body"],
    ["POST /v1/servers", "[]", 400, "invalid_body"],
    ["POST /v1/servers", "null", 400, "invalid_body"],
    ["POST /v1/servers", undefined, 400, "invalid_body"],
    ["POST /v1/servers", deep(64), 400, "invalid_body"],
    ["POST /v1/servers", deep(100_000), 400, "invalid_body"],
    ["POST /v1/servers", { size: 1 }, 400, "invalid_name"],
    ["POST /v1/servers", { name: "" }, 400, "invalid_name"],
    ["POST /v1/servers", { name: 7 }, 400, "invalid_name"],
    ["POST /v1/servers", { name: "x".repeat(256) }, 400, "invalid_name"],
    ["POST /v1/servers", { name: "a", id: "srv-1" }, 400, "read_only"],
    ["POST /v1/servers", { name: "a", status: "ready" }, 400, "read_only"],
    ["POST /v1/servers", { name: "a", x: "y".repeat(300_000) }, 413, "too_large"],
    ["POST /v1/planets", { name: "a" }, 404, "unknown_kind"],
    ["POST /v1/constructor", { name: "a" }, 404, "unknown_kind"],
    ["GET /v2/servers", undefined, 404, "unknown_kind"],
    ["GET /v1/servers/", undefined, 404, "unknown_kind"],
    ["GET /v1/servers/a/b", undefined, 404, "unknown_kind"],
    ["GET /v1/servers/%E0%A4%A", undefined, 404, "not_found"],
    ["GET /", undefined, 404, "unknown_kind"],
    ["DELETE /v1/servers", undefined, 405, "method_not_allowed"],
    ["PUT /v1/servers/a", {}, 405, "method_not_allowed"],
    ["POST /v1/servers/a", { name: "a" }, 405, "method_not_allowed"],
  ] as const)("%s is answered, not crashed on (%#)", async ([line, body, status, code]) => {
    const { ask, ledger } = newCloud();
    expect(await ask(line, body)).toMatchObject({ status, body: { code } });
    expect(await ledger()).toEqual([]);
  });

  it.for([
    "{",
    "[]",
    '{"latencyMs":-1}',
    '{"faults":[{"kind":"planets","on":"read"}]}',
    '{"faults":[{"kind":"servers","on":"read","lateMs":1}]}',
    '{"faults":[{"kind":"servers","on":"create","effect":"fails","lateMs":1}]}',
    '{"tokens":"some"}',
    '{"longestRequestMs":-1}',
  ])("the config %s is rejected", async (config) => {
    const answer = await newCloud().ask("GET /v1/servers", undefined, {
      "x-mock-config": config,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_config" } });
  });

  it("an idempotency key that is too long is rejected", async () => {
    const headers = { "idempotency-key": "k".repeat(256) };
    const answer = await newCloud().ask("POST /v1/servers", server, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_idempotency_key" } });
  });

  it("properties named like members of every object are returned unchanged", async () => {
    const { ask } = newCloud();
    const sent = '{"name":"a","__proto__":{"x":1},"constructor":2}';
    const made = await ask("POST /v1/servers", sent);
    const read = await ask(`GET /v1/servers/${made.id}`);
    expect(JSON.stringify(read.body)).toContain('"__proto__":{"x":1},"constructor":2');
  });
});
