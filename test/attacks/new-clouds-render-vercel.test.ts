/**
 * What calls to Render and Vercel must not bring about, whatever the cloud answers. A test is named after its attack.
 */
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { renderProvider } from "#providers/render/render-provider.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

describe("an update at Render", () => {
  it("of one variable makes no other value anew: it may be the key of all that is stored", async () => {
    const cloud = scriptedCloud();
    const seen: { path: string; method: string; body: Json }[] = [];
    const service = { id: "srv-1", name: "shop", type: "web_service", serviceDetails: {} };
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      const text = await request.text();
      seen.push({
        path: pathname,
        method: request.method,
        body: text === "" ? null : (JSON.parse(text) as Json),
      });
      if (pathname.endsWith("/deploys")) return json({ id: "dep-1", status: "live" }, 201);
      return pathname.endsWith("/env-vars") ? json([]) : json(service);
    };
    const context = cloud.context({
      credential: "rnd_KEY",
      config: { ownerId: "tea-acme" },
      region: "frankfurt",
      fetch,
    });
    const properties = (mode: string): JsonMap => ({
      type: "web_service",
      name: "shop",
      serviceDetails: { runtime: "node", region: "frankfurt" },
      envVars: [
        { key: "ENCRYPTION_KEY", generateValue: true },
        { key: "MODE", value: mode },
      ],
    });
    await renderProvider().update(context, {
      type: "render:Service",
      id: "srv-1",
      name: "shop",
      token: "t-1",
      before: properties("test"),
      properties: properties("live"),
    });
    const changes = seen.filter(({ path }) => path.includes("/env-vars"));
    expect(JSON.stringify(changes)).toContain("live");
    expect(JSON.stringify(changes)).not.toContain('"generateValue":true');
  });
});

describe("a 404", () => {
  const page = (): Response =>
    new Response("<html><title>404 Not Found</title></html>", {
      status: 404,
      headers: { "content-type": "text/html" },
    });
  const context = { credential: "rnd_KEY", config: { ownerId: "tea-acme" }, region: "frankfurt" };

  it("of what stands before Render's API does not make a database count as gone", async () => {
    const cloud = scriptedCloud(page());
    const call = { type: "render:Postgres", id: "dpg-1", properties: {} };
    const outcome = await renderProvider().read(cloud.context(context), call);
    expect(outcome.kind).toBe("failed");
  });
});

describe("a target of Vercel without a team in its config", () => {
  const calls = {
    type: "vercel:Project",
    id: "prj_1",
    name: "shop",
    token: "t-1",
    properties: { name: "shop" },
    before: {},
    known: [],
    handle: {},
    verb: "create",
  } as const;
  const context = (cloud: ReturnType<typeof scriptedCloud>) =>
    cloud.context({ credential: "TOKEN", region: "fra1" });

  it.for(["create", "lookUp", "read", "update", "delete", "poll"] as const)(
    "has no %s: it would go to the team that the user has made their default by then",
    async (verb) => {
      const cloud = scriptedCloud();
      const outcome = await vercelProvider()[verb](context(cloud), calls);
      expect(outcome).toMatchObject({
        kind: "failed",
        code: "invalid_config",
        means: "invalid",
        unknownOutcome: false,
        message: expect.stringContaining("Set `teamId`"),
      });
      expect(cloud.requests).toEqual([]);
    },
  );

  it("has no account, and its check says what to set", async () => {
    const cloud = scriptedCloud();
    const said = { code: "invalid_config", message: expect.stringContaining("Set `teamId`") };
    expect(await vercelProvider().account?.(context(cloud))).toMatchObject(said);
    expect(await vercelProvider().verify(context(cloud))).toMatchObject({ ok: false, ...said });
    expect(cloud.requests).toEqual([]);
  });
});
