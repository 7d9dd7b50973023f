/** Deployments to Vercel that end where they must not. A test is named after its attack. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";
import { json } from "#test/support/scripted-cloud.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

interface Place {
  provider: string;
  domain: string;
  region: string;
  /** Default: its region. */
  allowedRegions?: string[];
  config: JsonMap;
  token: string;
}

/** An instance at a target of the tenant's own, whose calls `answer` gets. */
async function instanceAt(
  { provider, domain, region, allowedRegions = [region], config, token }: Place,
  source: string,
  answer: (request: Request) => Promise<Response>,
) {
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    return new URL(request.url).hostname.endsWith(domain) ? answer(request) : real(input, init);
  });
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_CLOUD`;
  const target = await tenant.post("/cloud/targets", {
    provider,
    name: provider,
    config,
    allowedRegions,
    defaultRegion: region,
    credentialRef: `env://${secret}`,
  });
  expect(target.status, target.text).toBe(201);
  const templateId = await makeTemplate(tenant, source);
  const id = await makeInstance(tenant, templateId, target.body.id);
  await runInDurableObject(runnerOf(id), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [secret]: token });
  });
  return { deploy: async () => (await run(tenant, id, "deploy")).body };
}

describe("a target of Vercel for one region", () => {
  const place = {
    provider: "vercel",
    domain: "api.vercel.com",
    region: "fra1",
    config: { teamId: "team_acme" },
    token: "vercel_token",
  };

  it("takes no deployment that moves its project's functions to another", async () => {
    const sent: { line: string; body: Json }[] = [];
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v2/teams/team_acme") return json({ id: "team_acme" });
      const text = await request.text();
      const body = text === "" ? null : (JSON.parse(text) as JsonMap);
      if (request.method === "POST") sent.push({ line: pathname, body });
      if (pathname.endsWith("/projects") && request.method === "POST")
        return json({ ...body, id: "prj_1" });
      if (pathname.includes("/projects")) return json({ id: "prj_1", name: "shop" });
      return json({ ...body, id: "dpl_1", readyState: "READY" });
    };
    const source = `resources:
  shop: { type: vercel:Project, properties: { name: shop } }
  site:
    type: vercel:Deployment
    properties:
      name: shop
      project: \${shop.id}
      target: production
      files: [{ file: index.html, data: hello }]
      projectSettings: { serverlessFunctionRegion: iad1 }
`;
    const one = await instanceAt(place, source, answer);
    const { state, error } = await one.deploy();
    expect(sent.filter(({ body }) => JSON.stringify(body).includes("iad1"))).toEqual([]);
    expect({ state, code: error?.code }).toEqual({ state: "FAILED", code: "region_not_allowed" });
  });

  const inProject = (properties: string) => `resources:
  shop: { type: vercel:Project, properties: { name: shop } }
  site:
    type: vercel:Deployment
    properties: { name: shop, project: "\${shop.id}", ${properties} }
`;
  const project = (properties: string) =>
    `resources:\n  shop: { type: vercel:Project, properties: { name: shop, ${properties} } }\n`;
  const repository = "{ type: github, org: acme, repo: shop, ref: main }";
  const choosing = [
    ["a commit of a repository", inProject(`gitSource: ${repository}`), "gitSource"],
    ["another deployment", inProject("deploymentId: dpl_0"), "deploymentId"],
    ["a file that was uploaded", inProject("files: [{ file: a.js, sha: abc }]"), "files"],
    [
      "a vercel.json",
      inProject('files: [{ file: web/vercel.json, data: \'{"regions":["iad1"]}\' }]'),
      "files",
    ],
    ["a connected repository", project("gitRepository: { type: github, repo: a/b }"), "git"],
  ] as const;

  /** Makes what it is asked for, and keeps the lines of that. */
  function vercel() {
    const made: string[] = [];
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v2/teams/team_acme") return json({ id: "team_acme" });
      if (request.method !== "GET") made.push(`${request.method} ${pathname}`);
      if (pathname.includes("/projects")) return json({ id: "prj_1", name: "shop" });
      return json({ id: "dpl_1", readyState: "READY" });
    };
    return { made, answer };
  }

  it.for(choosing)("refuses %s, which may choose another", async ([, source, property]) => {
    const { made, answer } = vercel();
    const { state, error } = await (await instanceAt(place, source, answer)).deploy();
    expect({ state, code: error?.code }).toEqual({ state: "FAILED", code: "region_not_allowed" });
    expect(error?.message).toContain(`\`${property}`);
    expect(error?.message).toContain("codeChoosesRegions: true");
    expect(made).toEqual([]);
  });

  it("takes no project that fails over to wherever Vercel likes", async () => {
    const { made, answer } = vercel();
    const source = project("resourceConfig: { functionZeroConfigFailover: true }");
    const { error } = await (await instanceAt(place, source, answer)).deploy();
    expect(error).toMatchObject({ code: "region_not_allowed" });
    expect(made).toEqual([]);
  });

  it.for([
    ["every region is allowed", { ...place, allowedRegions: ["*", "fra1"] }],
    [
      "its config lets code choose",
      { ...place, config: { teamId: "team_acme", codeChoosesRegions: true } },
    ],
  ] as const)("takes a repository where %s", async ([, at]) => {
    const { made, answer } = vercel();
    const source = inProject(`gitSource: ${repository}`);
    const one = await instanceAt(at as unknown as Place, source, answer);
    expect(await one.deploy()).toMatchObject({ state: "SUCCEEDED" });
    expect(made).toHaveLength(2);
  });
});
