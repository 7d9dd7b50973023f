/** The examples of Supabase and CoreWeave at their fakes: deployed, changed in place, drifted and put right, destroyed. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import {
  CoreweaveCloud,
  TOKEN as COREWEAVE_TOKEN,
  ZONE,
} from "#test/providers/coreweave/coreweave-cloud.ts";
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import {
  CONFIG,
  REGION,
  supabaseCloud,
  supabaseDescription,
  TOKEN as SUPABASE_TOKEN,
} from "#test/providers/supabase/supabase-cloud.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";
import coreweaveExample from "../../examples/coreweave-service.yaml?raw";
import supabaseExample from "../../examples/supabase-service.yaml?raw";

const CANARY = "canary-given-as-a-secret";

afterEach(() => {
  vi.restoreAllMocks();
});

function redirect(domain: string, fetch: (request: Request) => Promise<Response>): void {
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    return new URL(request.url).hostname.endsWith(domain) ? fetch(request) : real(input, init);
  });
}

async function instanceOf(
  provider: string,
  {
    source,
    region,
    config,
    token,
  }: { source: string; region: string; config: JsonMap; token: string },
  variables: JsonMap,
): Promise<{ tenant: TestTenant; id: string; deploy: (verb?: string) => Promise<JsonMap> }> {
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_CLOUD`;
  const target = await tenant.post("/cloud/targets", {
    provider,
    name: provider,
    config,
    allowedRegions: [region],
    defaultRegion: region,
    credentialRef: `env://${secret}`,
  });
  expect(target.status, target.text).toBe(201);
  const template = await makeTemplate(tenant, source);
  const id = await makeInstance(tenant, template, target.body.id, { variables });
  await runInDurableObject(runnerOf(id), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [secret]: token });
  });
  const deploy = async (verb = "deploy"): Promise<JsonMap> => {
    const { body, text } = await run(tenant, id, verb as "deploy");
    const { text: log } = await tenant.get(`/deployments/${body.id}/log`);
    for (const shown of [text, log]) {
      expect(shown).not.toContain(CANARY);
      expect(shown).not.toContain(token);
      expect(shown).not.toContain("canary-of-the-cloud");
    }
    expect(body.state, text).toBe("SUCCEEDED");
    return body;
  };
  return { tenant, id, deploy };
}

it("the example of Supabase lives and leaves nothing", async () => {
  const cloud = supabaseCloud(supabaseDescription(supabaseDocument));
  redirect("api.supabase.com", cloud.fetch);
  const of = { source: supabaseExample, region: REGION, config: CONFIG, token: SUPABASE_TOKEN };
  const secrets = { databasePassword: CANARY, mailPassword: CANARY };
  const { tenant, id, deploy } = await instanceOf("supabase", of, secrets);
  await deploy();
  const [project] = cloud.fake.living("/v1/projects");
  if (project === undefined) throw new Error("there is no project");
  const has = cloud.inProject(project);
  expect([...has.secrets.keys()]).toEqual(["SMTP_PASSWORD"]);
  expect(has.postgres["max_connections"]).toBe(80);

  await tenant.patch(`/instances/${id}`, { variables: { ...secrets, connections: 90 } });
  await deploy();
  expect(has.postgres["max_connections"]).toBe(90);
  expect(cloud.fake.living("/v1/projects")).toHaveLength(1);

  has.restrictions = { dbAllowedCidrs: ["0.0.0.0/0"], dbAllowedCidrsV6: ["::/0"] };
  await deploy("check-drift");
  await deploy();
  expect(has.restrictions).toMatchObject({ dbAllowedCidrs: ["192.0.2.0/24"] });

  await deploy("destroy");
  expect(cloud.fake.living()).toEqual([]);
  expect(cloud.violations).toEqual([]);
});

it("the example of CoreWeave lives and leaves nothing", async () => {
  const cloud = new CoreweaveCloud();
  redirect(".coreweave.com", cloud.fetch);
  const of = { source: coreweaveExample, region: ZONE, config: {}, token: COREWEAVE_TOKEN };
  const { tenant, id, deploy } = await instanceOf("coreweave", of, { token: CANARY });
  await deploy();
  expect(cloud.living()).toHaveLength(7);

  await tenant.patch(`/instances/${id}`, { variables: { token: CANARY, replicas: 3 } });
  await deploy();
  const web = () => cloud.living("/deployments")[0]?.body["spec"];
  expect(web()).toMatchObject({ replicas: 3 });
  expect(cloud.ledger.filter(({ verb }) => verb === "delete")).toEqual([]);

  await deploy("destroy");
  expect(cloud.living()).toEqual([]);
  expect(cloud.violations).toEqual([]);
});
