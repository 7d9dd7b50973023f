import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { renderDefinition, renderProvider } from "./render-provider.ts";

const config = { ownerId: "tea-acme" };
const credential = "rnd_key";
const live = () => json([{ cursor: "1", deploy: { status: "live" } }]);
const serviceOf = (type: string, serviceDetails: JsonMap, more: JsonMap = {}) => ({
  type: "render:Service",
  name: "web",
  properties: { type, name: "web", serviceDetails, ...more },
  token: "t",
});

describe("the workspace", () => {
  it("of the target's config is where objects and images are", async () => {
    const cloud = scriptedCloud(json({ service: { id: "srv-1" } }, 201), live());
    const image = { imagePath: "images.example/web:1" };
    const call = serviceOf("web_service", { runtime: "image" }, { image });
    await renderProvider().create(cloud.context({ config, credential }), call);
    expect(cloud.requests[0]?.body).toMatchObject({
      ownerId: "tea-acme",
      image: { ...image, ownerId: "tea-acme" },
    });
  });

  it.for<JsonMap>([{ ownerId: "tea-other" }, { image: { imagePath: "a", ownerId: "tea-other" } }])(
    "is never the one of %j",
    async (more) => {
      const cloud = scriptedCloud();
      const call = serviceOf("web_service", { runtime: "image" }, more);
      const context = cloud.context({ config, credential });
      const refused = { kind: "failed", code: "invalid_property", means: "invalid" };
      expect(await renderProvider().create(context, call)).toMatchObject(refused);
      const update = { ...call, id: "srv-1", before: {} };
      expect(await renderProvider().update(context, update)).toMatchObject(refused);
      expect(cloud.requests).toHaveLength(0);
    },
  );

  it("is what a key opens or does not, whose check says so", async () => {
    const verify = (answer: Response) =>
      renderProvider().verify(scriptedCloud(answer).context({ config, credential }));
    expect(await verify(json({ id: "tea-acme" }))).toEqual({ ok: true });
    expect(await verify(json({ message: "not found" }, 404))).toMatchObject({
      ok: false,
      message: expect.stringContaining("`ownerId`"),
    });
    expect(await verify(json({ message: "Unauthorized" }, 401))).toMatchObject({
      ok: false,
      means: "denied",
    });
  });

  it("has to be named by the target, before anything is asked", async () => {
    const cloud = scriptedCloud();
    const nothing = cloud.context({ config: {}, credential });
    const said = { code: "invalid_config", message: expect.stringContaining("Set `ownerId`") };
    expect(await renderProvider().verify(nothing)).toMatchObject(said);
    expect(await renderProvider().account?.(nothing)).toMatchObject(said);
    expect(cloud.requests).toEqual([]);
  });

  it("is the account, and hidden from another's key", async () => {
    const definition = renderDefinition();
    const cloud = scriptedCloud();
    const headers = new Headers();
    const found = await definition.account?.(cloud.context({ config }), async () => ({
      ok: true,
      answer: { ok: true, status: 200, headers, json: { id: "tea-acme" } },
    }));
    expect(found).toBe("tea-acme");
    const gone = {
      kind: "failed",
      code: "http_404",
      message: "none",
      means: "gone",
      retryable: false,
      unknownOutcome: false,
    } as const;
    const hidden = await definition.account?.(cloud.context({ config }), async () => ({
      ok: false,
      failed: gone,
    }));
    expect(hidden).toMatchObject({ kind: "failed", means: "denied" });
  });
});

describe("a service", () => {
  it.for([
    ["static_site", { publishPath: "dist", plan: "starter" }, "plan"],
    ["web_service", { runtime: "node", schedule: "0 3 * * *" }, "schedule"],
    ["cron_job", { runtime: "node", schedule: "0 3 * * *", numInstances: 2 }, "numInstances"],
    ["background_worker", { runtime: "node", healthCheckPath: "/" }, "healthCheckPath"],
    ["private_service", {}, "runtime"],
    ["cron_job", { runtime: "node" }, "schedule"],
  ] as const)(
    "of the kind %s takes and needs what its kind does",
    async ([type, details, name]) => {
      const cloud = scriptedCloud();
      const call = serviceOf(type, details);
      const outcome = await renderProvider().create(cloud.context({ config, credential }), call);
      expect(outcome).toMatchObject({
        kind: "failed",
        code: "invalid_property",
        message: expect.stringContaining(`serviceDetails.${name}`),
      });
      expect(cloud.requests).toHaveLength(0);
    },
  );

  it("that is suspended is not waited for", async () => {
    const shown = { id: "srv-1", name: "web", suspended: "suspended", serviceDetails: {} };
    const refused = json({ message: "the service is suspended" }, 409);
    const cloud = scriptedCloud(json(shown), json(shown), json(shown), refused);
    const call = serviceOf("web_service", { runtime: "node" }, { branch: "next" });
    const before = { ...call.properties, branch: "main" };
    const outcome = await renderProvider().update(cloud.context({ config, credential }), {
      ...call,
      id: "srv-1",
      before,
    });
    expect(outcome).toMatchObject({ kind: "failed", means: "invalid", retryable: false });
    expect(outcome).toHaveProperty("message", expect.stringContaining("Resume it"));
  });

  const shown = { id: "srv-1", name: "web", serviceDetails: { runtime: "node" } };
  const updateOf = async (
    cloud: ReturnType<typeof scriptedCloud>,
    before: JsonMap[],
    envVars: JsonMap[],
    unsure = false,
  ) => {
    const of = (list: JsonMap[]) =>
      serviceOf("web_service", { runtime: "node" }, { envVars: list });
    return renderProvider().update(cloud.context({ config, credential }), {
      ...of(envVars),
      id: "srv-1",
      before: of(before).properties,
      ...(unsure && { unsure: true as const }),
    });
  };

  it("is not usable by the deploy before its change", async () => {
    const deploy = (status: string, createdMs: number) => ({
      deploy: { id: "dep", status, createdAt: new Date(createdMs).toISOString() },
    });
    const cloud = scriptedCloud(
      json(shown),
      json({}, 202),
      json({ ...shown, branch: "next" }),
      empty(202),
      json({ ...shown, branch: "next" }),
      json([deploy("live", 1_000_000 - 3_600_000)]),
      json({ ...shown, branch: "next" }),
      json([deploy("build_failed", 1_005_000)]),
    );
    const context = cloud.context({ config, credential });
    const call = serviceOf("web_service", { runtime: "node" }, { branch: "next" });
    const before = { ...call.properties, branch: "main" };
    const first = await renderProvider().update(context, { ...call, id: "srv-1", before });
    expect(first).toMatchObject({ kind: "pending", id: "srv-1" });
    if (first.kind !== "pending") return;
    const { handle } = first;
    const poll = { ...call, verb: "update", id: "srv-1", handle, update: { before } } as const;
    expect(await renderProvider().poll(context, poll)).toMatchObject({
      kind: "failed",
      code: "resource_failed",
    });
  });

  it("keeps its variables to itself, and sends those that changed", async () => {
    const cloud = scriptedCloud(
      json(shown),
      json({ key: "A", value: "canary-1" }),
      json(shown),
      json({ message: "not found" }, 404),
      json(shown),
      json({}, 201),
      json(shown),
      live(),
    );
    const same = { key: "B", value: "canary-2" };
    const before = [same, { key: "A", value: "0" }, { key: "C", value: "1" }];
    const outcome = await updateOf(cloud, before, [{ key: "A", value: "canary-1" }, same]);
    expect(cloud.lines()).toEqual([
      "GET /v1/services/srv-1",
      "PUT /v1/services/srv-1/env-vars/A",
      "GET /v1/services/srv-1",
      "DELETE /v1/services/srv-1/env-vars/C",
      "GET /v1/services/srv-1",
      "POST /v1/services/srv-1/deploys",
      "GET /v1/services/srv-1",
      "GET /v1/services/srv-1/deploys?limit=1",
    ]);
    expect(cloud.requests[1]?.body).toEqual({ value: "canary-1" });
    expect(outcome).toMatchObject({ kind: "done" });
    expect(JSON.stringify(outcome)).not.toContain("canary");
  });

  it("sends the secret files that changed, and leaves those of others", async () => {
    const file = (name: string, content = "canary") => ({ name, content });
    const of = (secretFiles: JsonMap[]) =>
      serviceOf("web_service", { runtime: "node" }, { secretFiles });
    const cloud = scriptedCloud(
      json(shown),
      json({}),
      json(shown),
      empty(204),
      json(shown),
      json({}, 201),
      json(shown),
      live(),
    );
    const outcome = await renderProvider().update(cloud.context({ config, credential }), {
      ...of([file("a.pem", "canary-2"), file("b.pem")]),
      id: "srv-1",
      before: of([file("a.pem"), file("b.pem"), file("c.pem")]).properties,
    });
    expect(outcome).toMatchObject({ kind: "done" });
    expect(cloud.lines().filter((line) => line.includes("secret-files"))).toEqual([
      "PUT /v1/services/srv-1/secret-files/a.pem",
      "DELETE /v1/services/srv-1/secret-files/c.pem",
    ]);
    expect(cloud.requests[1]?.body).toEqual({ content: "canary-2" });
    expect(JSON.stringify(outcome)).not.toContain("canary");
  });

  it("has Render make a value once, also when an update is repeated", async () => {
    const made = { key: "KEY", generateValue: true };
    const there = scriptedCloud(
      json(shown),
      json({ key: "KEY" }),
      json({}, 201),
      json(shown),
      live(),
    );
    expect(await updateOf(there, [made], [made], true)).toMatchObject({ kind: "done" });
    expect(there.requests.some(({ method }) => method === "PUT")).toBe(false);

    const missing = json({ message: "not found" }, 404);
    const ok = json({ key: "KEY", value: "s" });
    const fresh = scriptedCloud(
      json(shown),
      missing,
      ok,
      json(shown),
      json({}, 201),
      json(shown),
      live(),
    );
    expect(await updateOf(fresh, [], [made])).toMatchObject({ kind: "done" });
    expect(fresh.requests[2]).toMatchObject({ method: "PUT", body: { generateValue: true } });
  });
});

describe("a variable", () => {
  it("that is there is not taken over", async () => {
    const cloud = scriptedCloud(json({ key: "A", value: "theirs" }));
    const properties = { serviceId: "srv-1", key: "A", value: "ours" };
    const call = { type: "render:EnvVar", name: "x", properties, token: "t" };
    const outcome = await renderProvider().create(cloud.context({ config, credential }), call);
    expect(outcome).toMatchObject({ kind: "failed", means: "exists" });
    expect(cloud.requests).toHaveLength(1);
  });
});

describe("a database", () => {
  it("has its connection as secret outputs", async () => {
    const info = { password: "canary-p", psqlCommand: "psql canary-p" };
    const cloud = scriptedCloud(json({ id: "dpg-1", status: "available" }), json(info));
    const context = cloud.context({ config, credential });
    const read = { type: "render:Postgres", id: "dpg-1", properties: {} };
    expect(await renderProvider().read(context, read)).toMatchObject({
      outputs: { connectionInfo: info },
    });
    expect(cloud.lines()[1]).toBe("GET /v1/postgres/dpg-1/connection-info");
    const { secretOutputs = [] } = renderDefinition().types.facts("render:Postgres") ?? {};
    expect(secretOutputs).toEqual(
      expect.arrayContaining(["connectionInfo.password", "connectionInfo.psqlCommand"]),
    );
  });
});

describe("the creates of an hour", () => {
  const headers = (reset: string) => ({
    "ratelimit-limit": "20",
    "ratelimit-remaining": "0",
    "ratelimit-reset": reset,
  });

  it("are waited for when they are used up, and hold back nothing else", async () => {
    const cloud = scriptedCloud(json({ message: "rate limit" }, 429, headers("2400")));
    const seen: unknown[] = [];
    const context = cloud.context({ config, credential, budget: (one) => seen.push(one) });
    const call = serviceOf("web_service", { runtime: "node" });
    expect(await renderProvider().create(context, call)).toMatchObject({
      means: "throttled",
      retryable: true,
      afterMs: 2_400_000,
    });
    expect(seen).toEqual([]);
    expect(renderProvider().timeoutMs("render:Service", "create")).toBeGreaterThan(3_600_000);
  });

  it("are counted apart from what all calls share in a minute", async () => {
    const cloud = scriptedCloud(json({ id: "srv-1" }, 200, headers("30")));
    const seen: unknown[] = [];
    const context = cloud.context({ config, credential, budget: (one) => seen.push(one) });
    await renderProvider().read(context, { type: "render:Service", id: "srv-1", properties: {} });
    expect(seen).toEqual([{ remaining: 0, resetMs: 1_030_000 }]);
  });
});
