/** What updates and look-ups at Vultr and others must not bring about. A test is named after its attack. */
import { describe, expect, it } from "vitest";
import { forbiddenPlace } from "#engine/resource-region.ts";
import type { Json } from "#platform/json.ts";
import { supabaseProvider } from "#providers/supabase/supabase-provider.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

describe("an update of something else", () => {
  it("does not open a database of Vultr whose trusted addresses the template never set", async () => {
    const shown = {
      id: "db-1",
      label: "store",
      status: "Running",
      trusted_ips: ["192.0.2.7/32"],
      tag: "by-a-person",
    };
    const cloud = scriptedCloud(json({ database: shown }, 200), json({ database: shown }, 200));
    const before = {
      database_engine: "pg",
      database_engine_version: "16",
      plan: "small",
      region: "ewr",
      label: "shop",
    };
    await vultrProvider().update(cloud.context({ credential: "KEY", region: "ewr" }), {
      type: "vultr:Database",
      id: "db-1",
      name: "shop",
      token: "t-1",
      before,
      properties: { ...before, label: "store" },
    });
    const put = cloud.requests.find(({ method }) => method === "PUT");
    expect(put?.body).toMatchObject({ label: "store" });
    expect(put?.body).not.toHaveProperty("trusted_ips");
    expect(put?.body).not.toHaveProperty("tag");
  });
});

describe("a create that was not answered and had no effect", () => {
  const sentMs = 1_000_000;
  const createdAt = sentMs + 30_000;

  it("does not take a project of Vercel that a person made since, as it shows", async () => {
    const theirs = { id: "prj_2", name: "shop", framework: "astro", createdAt };
    const listed = { projects: [theirs], pagination: { count: 1, next: null, prev: null } };
    const fetch = async (request: Request): Promise<Response> =>
      json(new URL(request.url).pathname.endsWith("/prj_2") ? theirs : listed);
    const context = scriptedCloud().context({
      credential: "TOKEN",
      config: { teamId: "team_acme" },
      region: "fra1",
      fetch,
    });
    const properties = { name: "shop", framework: "nextjs", serverlessFunctionRegion: "fra1" };
    const call = { type: "vercel:Project", name: "shop", properties, token: "t-1" };
    const found = await vercelProvider().lookUp(context, { ...call, known: [], sentMs });
    expect(found).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });

  it("does not take a cluster of Vultr that a person made since, as it shows", async () => {
    const theirs = {
      id: "vke-2",
      label: "shop",
      region: "ewr",
      version: "v1.30.0+1",
      ha_controlplanes: true,
      status: "active",
      date_created: new Date(createdAt).toISOString(),
    };
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/config")) return json({ kube_config: "" });
      return json(
        pathname.endsWith("/vke-2")
          ? { vke_cluster: theirs }
          : { vke_clusters: [theirs], meta: { total: 1, links: { next: "", prev: "" } } },
      );
    };
    const context = scriptedCloud().context({ credential: "KEY", region: "ewr", fetch });
    const properties = {
      label: "shop",
      region: "ewr",
      version: "v1.33.0+1",
      ha_controlplanes: false,
    };
    const call = { type: "vultr:Kubernetes", name: "shop", properties, token: "t-1" };
    const found = await vultrProvider().lookUp(context, { ...call, known: [], sentMs });
    expect(found).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });
});

describe("a template", () => {
  it("makes no project in another organization of Supabase than the target's", async () => {
    const made = {
      id: "abc",
      ref: "abc",
      name: "shop",
      organization_slug: "other",
      status: "COMING_UP",
    };
    const cloud = scriptedCloud(json(made, 201), json(made), json(made));
    const context = cloud.context({
      credential: "sbp_token",
      config: { organizationSlug: "acme" },
      region: "eu-central-1",
    });
    const properties = {
      name: "shop",
      organization_slug: "other",
      region: "eu-central-1",
      db_pass: "a-password",
    };
    const call = { type: "supabase:Project", name: "shop", properties, token: "t-1" };
    const outcome = await supabaseProvider().create(context, call);
    expect(cloud.lines()).toEqual([]);
    expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: false });
  });
});

describe("a load balancer of Vultr", () => {
  it("may have further regions that the target allows, and no others", () => {
    const facts = vultrProvider().facts("vultr:LoadBalancer");
    if (facts === undefined) throw new Error("the type has no facts");
    const at = (...global_regions: string[]) =>
      forbiddenPlace({ region: "ewr", global_regions }, facts, ["ewr", "fra"]);
    expect(at("fra", "sgp")).toBe("sgp");
    expect(at("fra")).toBeUndefined();
  });
});

describe("a long refusal", () => {
  const text = "limit ".repeat(12_000);
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const startMs = performance.now();
    await act();
    return performance.now() - startMs;
  };
  const answer = (body: Json) => json(body, 400);

  it("of Vultr does not keep the Worker busy", async () => {
    const cloud = scriptedCloud(answer({ error: text, status: 400 }));
    const context = cloud.context({ credential: "KEY" });
    const call = { type: "vultr:Vpc", name: "net", properties: { region: "ewr" }, token: "t" };
    expect(await timed(() => vultrProvider().create(context, call))).toBeLessThan(1_000);
  });

  it("of Supabase does not keep the Worker busy", async () => {
    const cloud = scriptedCloud(answer({ message: text }));
    const context = cloud.context({
      credential: "sbp_token",
      config: { organizationSlug: "acme" },
    });
    const properties = { ref: "abc", name: "web", type: "secret" };
    const call = { type: "supabase:ApiKey", name: "web", properties, token: "t" };
    expect(await timed(() => supabaseProvider().create(context, call))).toBeLessThan(1_000);
  });
});
