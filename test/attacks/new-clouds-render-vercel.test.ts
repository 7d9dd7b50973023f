/**
 * What calls to Render and Vercel must not bring about, whatever the cloud answers. A test is named after its attack.
 */
import { describe, expect, it } from "vitest";
import { forbiddenPlace } from "#engine/resource-region.ts";
import { sealAt } from "#engine/value-paths.ts";
import { Secret } from "#engine/value.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { renderProvider } from "#providers/render/render-provider.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

/** The texts of outputs, keys included, that are not sealed. */
function openTexts(value: unknown): string[] {
  if (value instanceof Secret) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(openTexts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...openTexts(inner)]);
}

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

describe("an update at Vercel", () => {
  it("does not open a project's deployments to everybody when their protection leaves the template", async () => {
    const shown = { id: "prj_1", name: "shop", accountId: "team_acme" };
    const cloud = scriptedCloud(json(shown), json(shown), json(shown));
    const context = cloud.context({
      credential: "TOKEN",
      config: { teamId: "team_acme" },
      region: "fra1",
    });
    const properties = { name: "shop", serverlessFunctionRegion: "fra1" };
    await vercelProvider().update(context, {
      type: "vercel:Project",
      id: "prj_1",
      name: "shop",
      token: "t-1",
      before: { ...properties, ssoProtection: { deploymentType: "all" } },
      properties,
    });
    const bodies = cloud.requests.map(({ body }) => body);
    expect(JSON.stringify(bodies)).not.toContain('"ssoProtection":null');
  });
});

describe("a secret that the cloud shows", () => {
  const open = async (
    provider: ReturnType<typeof vercelProvider>,
    type: string,
    outputs: JsonMap,
  ) => openTexts(sealAt(outputs, provider.facts(type)?.secretOutputs)).join("\n");

  it("in a project of Vercel is sealed: the bypass of its protection, and its deploy hooks", async () => {
    const shown = {
      id: "prj_1",
      name: "shop",
      accountId: "team_acme",
      protectionBypass: { "canary-bypass": { createdAt: 1, scope: "automation-bypass" } },
      link: {
        type: "github",
        deployHooks: [
          {
            id: "h",
            name: "h",
            ref: "main",
            url: "https://api.vercel.com/v1/integrations/deploy/prj_1/canary-hook",
          },
        ],
      },
    };
    const cloud = scriptedCloud(json(shown));
    const provider = vercelProvider();
    const context = cloud.context({ credential: "TOKEN", config: { teamId: "team_acme" } });
    const read = await provider.read(context, {
      type: "vercel:Project",
      id: "prj_1",
      properties: {},
    });
    expect(read.kind).toBe("done");
    const outputs = read.kind === "done" ? read.outputs : {};
    expect(await open(provider, "vercel:Project", outputs)).not.toContain("canary");
  });
});

describe("a template", () => {
  it("without the project of a deployment makes no project at Vercel that nobody deletes", async () => {
    const made = { id: "dpl_1", name: "shop", readyState: "READY", meta: {}, projectId: "prj_new" };
    const cloud = scriptedCloud(json(made), json(made));
    const context = cloud.context({
      credential: "TOKEN",
      config: { teamId: "team_acme" },
      region: "fra1",
    });
    const properties = { name: "shop", target: "production", files: [{ file: "a", data: "a" }] };
    const call = { type: "vercel:Deployment", name: "shop", properties, token: "t-1" };
    expect(await vercelProvider().create(context, call)).toMatchObject({ kind: "failed" });
    expect(cloud.lines()).toEqual([]);
  });
});

describe("a deployment at Vercel", () => {
  it("may move functions to a region that the target allows, and to no other", () => {
    const facts = vercelProvider().facts("vercel:Deployment");
    if (facts === undefined) throw new Error("the type has no facts");
    const at = (serverlessFunctionRegion: string) =>
      forbiddenPlace({ projectSettings: { serverlessFunctionRegion } }, facts, ["fra1"]);
    expect(at("iad1")).toBe("iad1");
    expect(at("fra1")).toBeUndefined();
  });
});
