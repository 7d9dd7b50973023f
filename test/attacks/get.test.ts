/** Attempts to read with `get` what belongs to others. A test is named after its attack. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";
import { withFacts } from "#test/support/type-facts.ts";

const CANARY = "db://canary-of-the-victim";
const VICTIM = `resources:
  db: { type: mock:Server, properties: { name: db, image: e, environment: { uri: "${CANARY}" } } }
`;
const READER = (id: string) => `resources:
  theirs: { type: mock:Server, get: { id: "${id}" } }
  mine: { type: mock:Server, properties: { name: mine, environment: { it: "\${theirs.environment}" } } }
outputs: { image: "\${theirs.image}", o: { fn::unsecret: "\${theirs.environment.uri}" } }
`;

let tenant: TestTenant;
let other: TestTenant;
let shared: string;
beforeAll(async () => {
  withFacts({ "mock:Server": { secretOutputs: ["environment.uri"] } });
  [tenant, other] = await Promise.all([makeTenant(), makeTenant()]);
  const target = await operator.post("/cloud/targets", {
    provider: "mock",
    name: "shared",
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  });
  expect(target.status, target.text).toBe(201);
  shared = target.body.id;
});
afterAll(() => {
  vi.restoreAllMocks();
});

async function deploy(who: TestTenant, targetId: string, source: string) {
  const instanceId = await makeInstance(who, await makeTemplate(who, source), targetId);
  const ended = await run(who, instanceId, "deploy");
  return { instanceId, ended };
}
const idOf = async (instanceId: string) =>
  (await runnerOf(instanceId).listResources())[0]?.id ?? "";

describe("at the platform's target", () => {
  it("another tenant's object cannot be read, nor anything about it learned", async () => {
    const victim = await deploy(tenant, shared, VICTIM);
    expect(victim.ended.body.state, victim.ended.text).toBe("SUCCEEDED");
    const id = await idOf(victim.instanceId);
    const thief = await deploy(other, shared, READER(id));
    const none = await deploy(other, shared, READER("srv-none"));
    for (const { ended } of [thief, none])
      expect(ended.body.error, ended.text).toMatchObject({ code: "get_not_allowed" });
    // The same answer as for one that does not exist.
    expect(thief.ended.body.error.message.replace(id, "")).toBe(
      none.ended.body.error.message.replace("srv-none", ""),
    );
    const told = [thief.ended.text, ...(await messagesOf(other, thief.ended.body.id))].join("\n");
    for (const secret of ["canary", victim.instanceId, tenant.tenantId, tenant.slug])
      expect(told).not.toContain(secret);
  });

  it("what nobody manages cannot be read", async () => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(shared));
    const made = await cloud.fetch("https://mock.cloud.invalid/v1/servers", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "loose", image: "e" }),
    });
    const { id } = await made.json<{ id: string }>();
    const { ended } = await deploy(other, shared, READER(id));
    expect(ended.body.error, ended.text).toMatchObject({ code: "get_not_allowed" });
  });

  it("another tenant's object cannot be read when its id is known only during the run", async () => {
    const victim = await deploy(tenant, shared, VICTIM);
    const id = await idOf(victim.instanceId);
    const source = READER(`\${first.note}`).replace(
      "resources:\n",
      `resources:\n  first: { type: mock:Bucket, properties: { name: first, note: "${id}" } }\n`,
    );
    const late = source.replace(
      '" } }\n  mine',
      '" }, options: { dependsOn: ["${first}"] } }\n  mine',
    );
    const { ended } = await deploy(other, shared, late);
    expect(ended.body.error, ended.text).toMatchObject({ code: "get_not_allowed" });
  });

  it("the tenant's own can be read, and its secrets only be passed on", async () => {
    const owner = await deploy(tenant, shared, VICTIM);
    const { instanceId, ended } = await deploy(
      tenant,
      shared,
      READER(await idOf(owner.instanceId)),
    );
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    const paths = [
      `/instances/${instanceId}`,
      `/instances/${instanceId}/outputs`,
      `/instances/${instanceId}/resources`,
      `/deployments/${ended.body.id}`,
      `/deployments/${ended.body.id}/plan`,
      `/deployments/${ended.body.id}/log?limit=100`,
    ];
    const seen = (
      await Promise.all(paths.map(async (path) => (await tenant.get(path)).text))
    ).join();
    expect(seen).not.toContain("canary");
    expect(seen).toContain('"image":"[secret]"');
  });
});

it("a secret cannot be tried out as an id", async () => {
  const targetId = await makeTarget(tenant);
  const source = `config: { token: { type: string, secret: true } }
resources: { net: { type: mock:Network, get: { id: "net-\${token}" } } }
`;
  const templateId = await makeTemplate(tenant, source);
  const variables = { token: "s3cret-token" };
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  const ended = await run(tenant, instanceId, "deploy");
  expect(ended.body.error, ended.text).toMatchObject({ code: "sealed_value" });
  expect(ended.text).not.toContain("s3cret");
});
