import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { providerFor } from "#providers/registry.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

const targets = {
  supabase: { config: { organizationSlug: "acme" }, credential: "sbp_token" },
  vercel: { config: { teamId: "team_acme" }, credential: "token" },
  coreweave: { config: {}, credential: "token" },
  magalu: { config: {}, credential: "key" },
};

const project = { name: "a", organization_slug: "acme", db_pass: "p" };

describe("a region that the cloud does not have", () => {
  it.for<[string, JsonMap, string]>([
    ["supabase:Project", { ...project, region: "eu-centrl-1" }, "eu-central-1"],
    ["supabase:Branch", { ref: "r", region: "eu-wst-1" }, "eu-west-1"],
    ["vercel:Project", { name: "a", serverlessFunctionRegion: "fra" }, "fra1"],
    [
      "vercel:Project",
      { name: "a", resourceConfig: { functionDefaultRegions: ["fra1", "iadd1"] } },
      "iad1",
    ],
    [
      "vercel:Deployment",
      { name: "a", project: "p", projectSettings: { serverlessFunctionRegion: "fra-1" } },
      "fra1",
    ],
    ["coreweave:Vpc", { name: "a", zone: "US-ESAT-04A" }, "US-EAST-04A"],
    ["coreweave:Cluster", { name: "a", zone: "us-east-04a" }, "US-EAST-04A"],
    ["magalu:Vpc", { name: "a", region: "br-se2" }, "br-se1"],
  ])("is refused before any call: %s", async ([type, properties, near]) => {
    const name = type.split(":")[0] as keyof typeof targets;
    const cloud = scriptedCloud();
    const provider = providerFor(name);
    const call = { type, name: "a", properties, token: "t" };
    const refused = {
      code: "unknown_region",
      means: "invalid",
      retryable: false,
      unknownOutcome: false,
      message: expect.stringContaining(`Did you mean "${near}"?`),
    };
    const context = cloud.context(targets[name]);
    expect(await provider?.create(context, call)).toMatchObject(refused);
    const before = type === "supabase:Branch" ? { ref: "r" } : { name: "a" };
    const update = { ...call, id: name === "supabase" ? "r/1" : "1", before };
    expect(await provider?.update(context, update)).toMatchObject(refused);
    expect(cloud.requests).toEqual([]);
  });

  it.for([
    ["supabase", "eu-centrl-1", "eu-central-1"],
    ["vercel", "fra", "fra1"],
    ["coreweave", "US-EAST-4A", "US-EAST-04A"],
    ["magalu", "br-se2", "br-se1"],
  ] as const)("is refused by the check of a target of %s", async ([name, region, near]) => {
    const cloud = scriptedCloud();
    const context = cloud.context({ ...targets[name], region });
    expect(await providerFor(name)?.verify(context)).toMatchObject({
      ok: false,
      code: "unknown_region",
      message: expect.stringContaining(`Did you mean "${near}"?`),
    });
    expect(cloud.requests).toEqual([]);
  });
});

describe("a region that the cloud may have", () => {
  it.for([
    ["coreweave:Vpc", "zone", "US-EAST-22B"],
    ["coreweave:Vpc", "zone", "ATL4A"],
    ["coreweave:Vpc", "zone", "US-LAB-01A"],
    ["vercel:Project", "serverlessFunctionRegion", "yul1"],
    ["supabase:Project", "region", "sa-east-1"],
  ] as const)("is asked for: %s in %s", async ([type, property, region]) => {
    const name = type.split(":")[0] as keyof typeof targets;
    const cloud = scriptedCloud(json({ message: "no" }, 400));
    const properties: Record<string, Json> = { ...(name === "supabase" ? project : {}) };
    properties[property] = region;
    await providerFor(name)?.create(cloud.context(targets[name]), {
      type,
      name: "a",
      properties,
      token: "t",
    });
    expect(cloud.requests).toHaveLength(1);
  });

  it("is not looked at again when something else changes", async () => {
    const cloud = scriptedCloud(json({ message: "no" }, 400));
    const before = { name: "a", serverlessFunctionRegion: "new1" };
    await providerFor("vercel")?.update(cloud.context(targets.vercel), {
      type: "vercel:Project",
      id: "prj_1",
      name: "a",
      properties: { ...before, framework: "astro" },
      before,
      token: "t",
    });
    expect(cloud.requests).toHaveLength(1);
  });
});
