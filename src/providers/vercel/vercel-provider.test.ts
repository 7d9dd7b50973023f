import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { vercelDefinition, vercelProvider } from "./vercel-provider.ts";

const config = { teamId: "team_acme" };
const credential = "vercel_token";
const said = (code: string, message = "No.") => ({ error: { code, message } });
const project = { type: "vercel:Project", id: "prj_1", properties: {} };

describe("the team", () => {
  it("is a parameter of every call, beside the version that each path has", async () => {
    const shown = { id: "prj_1", name: "shop" };
    const cloud = scriptedCloud(json(shown), json(shown), json(shown), empty(), empty(404));
    const provider = vercelProvider();
    const context = cloud.context({ config, credential, region: "fra1" });
    const call = { ...project, name: "shop", properties: { name: "shop" }, token: "t" };
    await provider.create(context, call);
    await provider.read(context, project);
    await provider.update(context, { ...call, before: {}, properties: { name: "store" } });
    await provider.delete(context, call);
    expect(cloud.lines()).toEqual([
      "POST /v11/projects?teamId=team_acme",
      "GET /v9/projects/prj_1?teamId=team_acme",
      "PATCH /v9/projects/prj_1?teamId=team_acme",
      "DELETE /v9/projects/prj_1?teamId=team_acme",
      "GET /v9/projects/prj_1?teamId=team_acme",
    ]);
  });

  it("is the account of a target", async () => {
    const account = async (answer: Response) => {
      const cloud = scriptedCloud(answer);
      const context = cloud.context({ config, credential });
      const found = await vercelDefinition().account?.(context, async () => {
        const result = await context.fetch(new Request("https://api.vercel.com/"));
        const body = await result.json<Record<string, string>>();
        return { ok: true, answer: { ok: true, status: 200, headers: new Headers(), json: body } };
      });
      return found;
    };
    expect(await account(json({ id: "team_acme" }))).toBe("team_acme");
    expect(await account(json({}))).toMatchObject({ kind: "failed", retryable: true });
  });

  it("of others is forbidden, and their objects are not gone", async () => {
    const read = (answer: Response) =>
      vercelProvider().read(scriptedCloud(answer).context({ config, credential }), project);
    expect(await read(json(said("forbidden"), 403))).toMatchObject({ means: "denied" });
    expect(await read(json(said("team_not_found"), 404))).toMatchObject({ means: "denied" });
    expect(await read(new Response("<html>", { status: 404 }))).toMatchObject({ means: "denied" });
    expect(await read(json(said("not_found"), 404))).toEqual({ kind: "gone" });
  });

  it("is checked, and what is wrong is said", async () => {
    const cloud = scriptedCloud(json(said("forbidden", "Not authorized."), 403));
    const verified = await vercelProvider().verify(
      cloud.context({ config, credential, region: "fra1" }),
    );
    expect(cloud.lines()).toEqual(["GET /v2/teams/team_acme?teamId=team_acme"]);
    expect(verified).toMatchObject({ ok: false, message: expect.stringContaining("`teamId`") });
  });
});

describe("a value of a variable", () => {
  const properties = { projectId: "prj_1", key: "A", value: "s-1", type: "sensitive" };
  const call = { type: "vercel:EnvVar", name: "x", properties, token: "t" };

  it("that is never shown is no drift, and what is shown of it is a secret", async () => {
    const facts = vercelDefinition().types.facts("vercel:EnvVar");
    expect(facts?.writeOnly).toContain("value");
    expect(facts?.secretOutputs).toContain("value");
    const made = { id: "env_1", key: "A", type: "sensitive", value: "" };
    const cloud = scriptedCloud(json({ created: made, failed: [] }, 201), json(made));
    const outcome = await vercelProvider().create(cloud.context({ config, credential }), call);
    expect(outcome).toMatchObject({ kind: "done", id: "prj_1/env_1" });
    expect(cloud.lines()).toEqual([
      "POST /v10/projects/prj_1/env?teamId=team_acme",
      "GET /v1/projects/prj_1/env/env_1?teamId=team_acme",
    ]);
  });
});

describe("a variable that Vercel refuses in an answer of success", () => {
  const properties = { projectId: "prj_1", key: "A", value: "s-1", type: "sensitive" };
  const call = { type: "vercel:EnvVar", name: "x", properties, token: "t" };
  const refusedBy = async (error: JsonMap, created: Json = []) => {
    const cloud = scriptedCloud(json({ created, failed: [{ error }] }, 201));
    return vercelProvider().create(cloud.context({ config, credential }), call);
  };

  it("was not made, and the reason is told", async () => {
    const message = "A variable with the name `A` already exists for the target production.";
    expect(await refusedBy({ code: "ENV_ALREADY_EXISTS", message })).toEqual({
      kind: "failed",
      code: "ENV_ALREADY_EXISTS",
      message: `vercel made nothing: ${message}`,
      means: "exists",
      fault: "user",
      retryable: false,
      unknownOutcome: false,
    });
    const reserved = { code: "RESERVED_ENV_VARIABLE", message: `Reserved: ${credential}` };
    const told = await refusedBy(reserved);
    expect(told).toMatchObject({ means: "invalid", retryable: false, unknownOutcome: false });
    expect(JSON.stringify(told)).not.toContain(credential);
  });

  it("without a reason may have been made", async () => {
    const cloud = scriptedCloud(json({ created: [], failed: [] }, 201));
    const outcome = await vercelProvider().create(cloud.context({ config, credential }), call);
    expect(outcome).toMatchObject({ code: "invalid_answer", unknownOutcome: true });
  });
});

it("no copy of a variable's value is an open output", () => {
  const { types } = vercelDefinition();
  for (const name of ["value", "vsmValue", "internalContentHint"]) {
    expect(types.facts("vercel:EnvVar")?.secretOutputs).toContain(name);
    expect(types.facts("vercel:Project")?.secretOutputs).toContain(`env[*].${name}`);
  }
});

describe("the token of an edge config", () => {
  it("is a secret output, never an id, and is deleted by itself", async () => {
    const token = { id: "uuid-1", token: "canary-token", label: "web", createdAt: 1 };
    const cloud = scriptedCloud(
      json({ id: "uuid-1", token: "canary-token" }, 201),
      json([token]),
      json([token]),
      empty(),
      json([]),
    );
    const context = cloud.context({ config, credential });
    const properties = { edgeConfigId: "ecfg_1", label: "web" };
    const call = { type: "vercel:EdgeConfigToken", name: "web", properties, token: "t" };
    const made = await vercelProvider().create(context, call);
    expect(made).toMatchObject({ id: "ecfg_1/uuid-1", outputs: { token: "canary-token" } });
    const id = "ecfg_1/uuid-1";
    expect(await vercelProvider().delete(context, { ...call, id })).toEqual({ kind: "gone" });
    expect(cloud.requests[3]).toMatchObject({
      method: "DELETE",
      path: "/v1/edge-config/ecfg_1/tokens?teamId=team_acme",
      body: { tokens: ["canary-token"] },
    });
    expect(cloud.requests.some(({ path }) => path.includes("canary"))).toBe(false);
  });
});

describe("a setting of a project that a create does not take", () => {
  const later = {
    gitForkProtection: true,
    nodeVersion: "22.x",
    passwordProtection: { deploymentType: "all", password: "canary" },
  };
  const properties = { name: "shop", framework: "astro", ...later };
  const call = { ...project, name: "shop", properties, token: "t" };
  const shown = { id: "prj_1", name: "shop", framework: "astro" };
  const { password: _, ...shownProtection } = later.passwordProtection;
  const shownLater = { ...shown, ...later, passwordProtection: shownProtection };

  it("is set at once, by one call, when the project is there", async () => {
    const cloud = scriptedCloud(
      json(shown),
      ...[shown, shownLater, shownLater, shownLater].map((one) => json(one)),
    );
    const made = await vercelProvider().create(cloud.context({ config, credential }), call);
    expect(made).toMatchObject({ kind: "done", id: "prj_1" });
    const [create, ...rest] = cloud.requests;
    expect(create?.body).toEqual({ name: "shop", framework: "astro" });
    expect(rest.filter(({ method }) => method !== "GET").map(({ body }) => body)).toEqual([later]);
    expect(JSON.stringify(made)).not.toContain("canary");
  });

  it("that is refused keeps the project, for an update to mend", async () => {
    const refused = json(said("bad_request"), 400);
    const cloud = scriptedCloud(json(shown), json(shown), refused);
    const made = await vercelProvider().create(cloud.context({ config, credential }), call);
    expect(made).toMatchObject({ kind: "failed", id: "prj_1", mendable: true, retryable: false });
  });

  it("stays when it leaves the template, so that nothing protected becomes public", async () => {
    const cloud = scriptedCloud(json(shownLater), json(shownLater));
    const update = {
      ...call,
      properties: { name: "shop", framework: "astro" },
      before: properties,
    };
    await vercelProvider().update(cloud.context({ config, credential }), update);
    expect(cloud.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a deployment", () => {
  const properties = { name: "shop", project: "prj_1", files: [{ file: "a", data: "b" }] };
  const call = { type: "vercel:Deployment", name: "shop", properties, token: "t-1" };

  it("whose create was lost is found by its mark", async () => {
    const sent = scriptedCloud(new Error("dropped"));
    const context = { config, credential };
    await vercelProvider().create(sent.context(context), call);
    const [request] = sent.requests;
    const { meta = {} } = (request?.body ?? {}) as { meta?: Record<string, string> };
    const listed = {
      deployments: [
        { uid: "dpl_0", meta: {} },
        { uid: "dpl_1", meta },
      ],
    };
    // Vercel names it after its project.
    const shown = { id: "dpl_1", name: "other", readyState: "READY", meta };
    const found = scriptedCloud(json(listed), json(shown));
    const outcome = await vercelProvider().lookUp(found.context(context), { ...call, known: [] });
    expect(found.lines()[0]).toBe("GET /v6/deployments?projectId=prj_1&limit=100&teamId=team_acme");
    expect(outcome).toMatchObject({ kind: "done", id: "dpl_1" });
    expect(outcome).not.toHaveProperty("outputs.meta.control");
    expect(vercelDefinition().types.facts("vercel:Deployment")?.writeOnly).toContain("name");
  });

  it("is replaced by every change", () => {
    expect(vercelDefinition().types.facts("vercel:Deployment")?.immutable).toEqual(["*"]);
  });
});

describe("a path whose budget is used up", () => {
  it("is waited for, without holding back the others", () => {
    const nowMs = 1_800_000_000_000;
    const headers = new Headers({
      date: new Date(nowMs).toUTCString(),
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1800001800",
    });
    const answer = { ok: true as const, status: 429, headers, json: said("rate_limited") };
    const definition = vercelDefinition();
    expect(definition.readError(answer, { verb: "create" }).afterMs).toBe(1_800_000);
    expect(definition.readBudget?.(answer, nowMs)).toBe(undefined);
  });
});
