/** A Developer, who may not read sealed values, gets one out by an id or a path that Google Cloud is called with. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents } from "#test/providers/gcp/samples.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { makeMember } from "#test/support/members.ts";
import { runnerOf, until, watchCommits } from "#test/support/runner.ts";

const VALUE = "tr0ub4dor-and-3";
const at = `projects/${PROJECT}`;
let tenant: TestTenant;
let developer: TestTenant;
let cloud: GoogleCloud;
let targetId: string;
let variable: string;

beforeEach(async () => {
  cloud = new GoogleCloud();
  addParents(cloud);
  vi.restoreAllMocks();
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    if (!new URL(request.url).hostname.endsWith(".googleapis.com")) return real(input, init);
    return cloud.fetch(request);
  });
  tenant = await makeTenant();
  developer = { ...tenant, ...(await makeMember(tenant.tenantId, "CustomerDeveloper")) };
  variable = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_GCP`;
  targetId = await makeTarget(
    tenant,
    { project: PROJECT, zone: ZONE },
    {
      provider: "gcp",
      allowedRegions: [REGION],
      defaultRegion: REGION,
      credentialRef: `env://${variable}`,
    },
  );
});

const key = async (instanceId: string): Promise<void> =>
  runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, {
      [variable]: JSON.stringify(KEY_FILE),
    });
  });

describe("attack: a sealed value in a property that becomes the id", () => {
  it.each(
    partOf(
      [
        [
          "the member of a right",
          `{ type: gcp:secretmanager/SecretIamMember, properties: { secret: ${parents.secret}, role: roles/viewer, member: "user:\${token}" } }`,
        ],
        [
          "the name of a record",
          `{ type: gcp:dns/ResourceRecordSet, properties: { managedZone: ${parents.zone}, name: "\${token}.example.com.", type: A, rrdatas: [192.0.2.1] } }`,
        ],
        [
          "the parent of a version",
          `{ type: gcp:secretmanager/SecretVersion, properties: { secret: "${at}/secrets/\${token}", payload: { data: eA== } } }`,
        ],
        [
          "the instance of a database",
          `{ type: gcp:sql/Database, properties: { instance: "${at}/instances/\${token}", name: db } }`,
        ],
        [
          "the project",
          `{ type: gcp:pubsub/Topic, properties: { project: "\${token}", name: t } }`,
        ],
        ["held: a name", `{ type: gcp:pubsub/Topic, properties: { name: "\${token}" } }`],
        [
          "held: a label",
          `{ type: gcp:pubsub/Topic, properties: { name: t, labels: { a: "\${token}" } } }`,
        ],
        [
          "the description",
          `{ type: gcp:compute/Network, properties: { name: t, description: "\${token}" } }`,
        ],
      ],
      4,
    ),
  )("%s", async (_, resource) => {
    const sealed = { name: "sealed", variables: { token: VALUE }, secretNames: ["token"] };
    const profile = await operator.post("/profiles", sealed);
    expect(profile.status, profile.text).toBe(201);
    const template = await makeTemplate(
      developer,
      `config: { token: { type: string, default: none } }\nresources:\n  one: ${resource}\noutputs: { id: "\${one.id}" }\n`,
    );
    const instanceId = await makeInstance(developer, template, targetId, {
      profileId: profile.body.id,
    });
    await key(instanceId);
    const ended = await run(developer, instanceId, "deploy");
    const paths = [
      `/instances/${instanceId}`,
      `/instances/${instanceId}/resources`,
      `/deployments/${ended.body.id}`,
      `/deployments/${ended.body.id}/plan`,
      `/deployments/${ended.body.id}/log?limit=100`,
    ];
    const told = (
      await Promise.all(paths.map(async (path) => (await developer.get(path)).text))
    ).join("\n");
    expect(told).not.toContain(VALUE);
  });
});

it.each(partOf([1, 2, 3, 4, 5, 6], 3))(
  "attack: a kill after commit %i makes a right that a person gave ours, and a destroy takes it away",
  async (commit) => {
    const member = "user:person@example.com";
    const role = "roles/secretmanager.secretAccessor";
    const policy = `secretmanager /v1/${parents.secret}`;
    const bindings = [{ role, members: [member] }];
    cloud.policies.set(policy, { version: 3, etag: "BwX1", bindings });
    const template = await makeTemplate(
      tenant,
      `resources:\n  one: { type: gcp:secretmanager/SecretIamMember, properties: { secret: ${parents.secret}, role: ${role}, member: "${member}" } }\n`,
    );
    const instanceId = await makeInstance(tenant, template, targetId);
    await key(instanceId);
    const crash = await watchCommits(instanceId, { when: "after", commit });
    const running = run(tenant, instanceId, "deploy");
    await until("the runner is killed", () => crash.crashed);
    await key(instanceId);
    await runnerOf(instanceId).wake();
    const ended = await running;
    await run(tenant, instanceId, "destroy");
    expect(cloud.policies.get(policy)?.["bindings"], JSON.stringify(ended.body)).toEqual(bindings);
  },
  30_000,
);
