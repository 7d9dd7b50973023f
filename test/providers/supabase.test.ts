import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { supabaseProvider } from "#providers/supabase/supabase-provider.ts";
import { supabaseTypes } from "#providers/supabase/types.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { cloudWithProject, supabaseProblems } from "./supabase/all-lives.ts";
import { supabaseDocument } from "./supabase/description.ts";
import { CANARY } from "./supabase/rules.ts";
import { projectSample, samplesOf } from "./supabase/samples.ts";
import { supabaseDescription, TOKEN } from "./supabase/supabase-cloud.ts";
import { Lives } from "./type-cycle.ts";
import { diagnosticsOf, mutationsOf, textsIn } from "./type-mutations.ts";

const description = supabaseDescription(supabaseDocument);
const names = Object.keys(samplesOf("ref"));

describe("the types of Supabase", () => {
  it("are the 14 that have a sample", () => {
    expect(supabaseTypes.types().toSorted()).toEqual(
      names.map((name) => `supabase:${name}`).toSorted(),
    );
    expect(names).toHaveLength(14);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await supabaseProblems(supabaseDocument);
    expect(problems.size).toBe(14);
    for (const [name, found] of problems) expect(found, name).toEqual([]);
  });

  it("name every secret that the cloud shows", async () => {
    const { cloud, ref } = await cloudWithProject(description);
    const lives = new Lives(supabaseProvider(), cloud.context());
    const shown: string[] = [];
    for (const [name, { properties }] of Object.entries(samplesOf(ref))) {
      const type = `supabase:${name}`;
      const { outputs } = await lives.create(type, properties);
      const secret = new Set(supabaseTypes.facts(type)?.secretOutputs);
      for (const [path, text] of textsIn(outputs)) {
        if (!text.includes(CANARY) && !text.startsWith("digest-")) continue;
        shown.push(path);
        expect(secret.has(path), `${name}: ${path}`).toBe(true);
      }
      expect(JSON.stringify(outputs)).not.toContain("canary-of-the-password");
    }
    expect(shown.toSorted()).toEqual([
      "api_key",
      "config.db_pass",
      "config.jwt_secret",
      "external_google_secret",
      "jwt_secret",
      "value",
    ]);
  });
});

describe("a mistake in a property at Supabase", () => {
  it.for(names)("of %s is found by the check, and never reaches the cloud", async (name) => {
    const { cloud, ref } = await cloudWithProject(description);
    const type = `supabase:${name}`;
    const sample = samplesOf(ref)[name]?.properties ?? {};
    expect(diagnosticsOf(supabaseTypes, type, sample)).toEqual([]);
    const mutations = mutationsOf(sample, supabaseTypes.facts(type)?.required ?? []);
    const before = cloud.fake.ledger.length;
    for (const { what, properties } of mutations) {
      const [found] = diagnosticsOf(supabaseTypes, type, properties);
      // The target sets what is left out.
      if (!["without organization_slug", "without region"].includes(what))
        expect(found, what).toMatchObject({
          code: expect.stringMatching(/^(unknown_property|property_type|missing_property)$/),
          line: 1,
        });
      if (what === "without region") continue;
      const call = { type, name: "chosen_1", properties, token: "t-1" };
      const outcome = await supabaseProvider().create(cloud.context(), call);
      expect(outcome, what).toMatchObject({
        kind: "failed",
        retryable: false,
        unknownOutcome: false,
        code: expect.stringMatching(
          /^(http_418|missing_path_value|invalid_path_value|invalid_organization)$/,
        ),
      });
    }
    expect(cloud.fake.ledger).toHaveLength(before);
    expect(JSON.stringify(cloud.violations)).not.toContain(TOKEN);
  });
});

const read = (type: string, id: string, properties: JsonMap) => ({ type, id, properties });

describe("a project that is paused", () => {
  it("makes nothing of it count as gone, and says how to go on", async () => {
    const { cloud, ref } = await cloudWithProject(description);
    const lives = new Lives(supabaseProvider(), cloud.context());
    const context = cloud.context();
    const properties = samplesOf(ref)["ApiKey"]?.properties ?? {};
    const { id } = await lives.create("supabase:ApiKey", properties);
    const [project] = cloud.fake.living("/v1/projects");
    const seen = async () =>
      supabaseProvider().read(context, read("supabase:ApiKey", id, properties));

    if (project) project.shown["status"] = "INACTIVE";
    expect(await seen()).toMatchObject({
      kind: "failed",
      code: "project_paused",
      means: "invalid",
      retryable: false,
      message: expect.stringContaining("restore it in the dashboard"),
    });
    const own = read("supabase:Project", ref, projectSample);
    expect(await supabaseProvider().read(context, own)).toMatchObject({ kind: "done" });
    const awaited = await supabaseProvider().read(context, { ...own, awaitReady: true });
    expect(awaited).toMatchObject({ code: "project_paused", id: ref, mendable: true });

    if (project) project.shown["status"] = "RESTORING";
    expect(await seen()).toMatchObject({ code: "project_busy", means: "busy", retryable: true });

    if (project) project.shown["status"] = "ACTIVE_HEALTHY";
    expect(await seen()).toMatchObject({ kind: "done" });
    await lives.remove("supabase:Project", ref, projectSample);
    expect(await seen()).toEqual({ kind: "gone" });
  });
});

describe("what Supabase does in its own way", () => {
  it("shows the value of an API key only when asked to reveal it", async () => {
    const { cloud, ref } = await cloudWithProject(description);
    const properties = samplesOf(ref)["ApiKey"]?.properties ?? {};
    const lives = new Lives(supabaseProvider(), cloud.context());
    const { id, outputs } = await lives.create("supabase:ApiKey", properties);
    expect(id).toBe(`${ref}/${textOf(outputs["id"]).replace(`${ref}/`, "")}`);
    expect(outputs["api_key"]).toContain(CANARY);
    const again = await lives.read("supabase:ApiKey", id, properties);
    expect(again).toMatchObject({ outputs: { api_key: expect.stringContaining(CANARY) } });
    const { now } = cloud.fake.world;
    const found = await supabaseProvider().lookUp(cloud.context(), {
      type: "supabase:ApiKey",
      name: "chosen-1",
      properties,
      token: "t",
      known: [],
      sentMs: now() - 1_000,
    });
    expect(found).toMatchObject({ id, outputs: { api_key: expect.stringContaining(CANARY) } });
    // A list shows no value: what it finds is read.
    const asked = cloud.fake.requests.filter((line) => line.includes("/api-keys"));
    const unrevealed = asked.filter((line) => !line.endsWith("?reveal=true"));
    expect(unrevealed.filter((line) => !/^GET .*\/api-keys$/.test(line))).toEqual([]);
  });

  it("sets secrets by lists, and takes over none that is there", async () => {
    const { cloud, ref } = await cloudWithProject(description);
    const provider = supabaseProvider();
    const properties = { ref, name: "TOKEN", value: "canary-of-the-secret" };
    const call = { type: "supabase:Secret", name: "TOKEN", properties, token: "t-1" };
    const [project] = cloud.fake.living("/v1/projects");
    if (project === undefined) throw new Error("there is no project");
    const { secrets } = cloud.inProject(project);
    secrets.set("TOKEN", { value: "a person's", updatedMs: 0 });
    expect(await provider.create(cloud.context(), call)).toMatchObject({ code: "already_exists" });
    expect(secrets.get("TOKEN")?.value).toBe("a person's");
    secrets.delete("TOKEN");
    const made = await provider.create(cloud.context(), call);
    expect(made).toMatchObject({ kind: "done", id: `${ref}/TOKEN` });
    expect(JSON.stringify(made)).not.toContain("canary-of-the-secret");
    secrets.delete("TOKEN");
    const update = { ...call, id: `${ref}/TOKEN`, before: properties };
    expect(await provider.update(cloud.context(), update)).toMatchObject({ kind: "gone" });
    expect(secrets.size).toBe(0);
  });

  it("changes a password, a size and a name in place, and settings by a patch", async () => {
    const { cloud, ref } = await cloudWithProject(description);
    const lives = new Lives(supabaseProvider(), cloud.context());
    const [project] = cloud.fake.living("/v1/projects");
    if (project === undefined) throw new Error("there is no project");
    const before = { ...projectSample, name: "the-parent" };
    const changed = { ...before, db_pass: "a-new-canary", desired_instance_size: "large" };
    await lives.update("supabase:Project", ref, before, changed);
    expect(cloud.inProject(project)).toMatchObject({ password: "a-new-canary", size: "large" });
    expect(cloud.fake.living("/v1/projects")).toHaveLength(1);

    const auth = { ref, jwt_exp: 600, site_url: "https://a.example", mailer_otp_exp: 60 };
    const made = await lives.create("supabase:AuthConfig", auth);
    await lives.update("supabase:AuthConfig", made.id, auth, { ref, jwt_exp: 700 });
    // What cannot be null keeps its value.
    const wanted = { jwt_exp: 700, site_url: null, mailer_otp_exp: 60 };
    expect(cloud.inProject(project).auth).toMatchObject(wanted);
    await lives.remove("supabase:AuthConfig", made.id, auth);
    expect(cloud.inProject(project).auth).toMatchObject(wanted);
    expect(cloud.violations).toEqual([]);
  });
});
