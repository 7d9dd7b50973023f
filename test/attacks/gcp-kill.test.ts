/** A runner that is killed while it gives a right at Google Cloud that a person gave before. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents } from "#test/providers/gcp/samples.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { runnerOf, until, watchCommits } from "#test/support/runner.ts";

const member = "user:person@example.com";
const role = "roles/secretmanager.secretAccessor";
const policy = `secretmanager /v1/${parents.secret}`;
let cloud: GoogleCloud;
let tenant: TestTenant;
let targetId: string;
let variable: string;

beforeEach(async () => {
  cloud = new GoogleCloud();
  addParents(cloud);
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const isGoogle = new URL(request.url).hostname.endsWith(".googleapis.com");
    return isGoogle ? cloud.fetch(request) : real(input, init);
  });
  tenant = await makeTenant();
  variable = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_GCP`;
  const at = { provider: "gcp", allowedRegions: [REGION], defaultRegion: REGION };
  const config = { project: PROJECT, zone: ZONE };
  targetId = await makeTarget(tenant, config, { ...at, credentialRef: `env://${variable}` });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function giveKey(instanceId: string): Promise<void> {
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, {
      [variable]: JSON.stringify(KEY_FILE),
    });
  });
}

/** Deploys the right with a kill after this commit; how the deployment ended. */
async function deployKilled(commit: number) {
  const template = await makeTemplate(
    tenant,
    `resources:\n  one: { type: gcp:secretmanager/SecretIamMember, properties: { secret: ${parents.secret}, role: ${role}, member: "${member}" } }\n`,
  );
  const instanceId = await makeInstance(tenant, template, targetId);
  await giveKey(instanceId);
  const crash = await watchCommits(instanceId, { when: "after", commit });
  const running = run(tenant, instanceId, "deploy");
  await until("the runner is killed", () => crash.crashed);
  await giveKey(instanceId);
  await runnerOf(instanceId).wake();
  return { instanceId, ended: (await running).body };
}

it.each(partOf([1, 2, 3, 4, 5, 6], 6))(
  "attack: a kill after commit %i makes a right that a person gave ours, and a destroy takes it away",
  async (commit) => {
    const bindings = [{ role, members: [member] }];
    cloud.policies.set(policy, { version: 3, etag: "BwX1", bindings });
    const { instanceId, ended } = await deployKilled(commit);
    expect(ended.state).toBe("FAILED");
    await run(tenant, instanceId, "destroy");
    expect(cloud.policies.get(policy)?.["bindings"], JSON.stringify(ended)).toEqual(bindings);
  },
  30_000,
);

it.each(partOf([5, 6, 7], 3))(
  "held: after a kill after commit %i, a right that was being given is ours",
  async (commit) => {
    const { instanceId, ended } = await deployKilled(commit);
    expect(ended.state, JSON.stringify(ended)).toBe("SUCCEEDED");
    expect(cloud.policies.get(policy)?.["bindings"]).toEqual([{ role, members: [member] }]);
    await run(tenant, instanceId, "destroy");
    expect(cloud.policies.get(policy)?.["bindings"]).toEqual([]);
  },
  30_000,
);
