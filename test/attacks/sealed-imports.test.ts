/**
 * A developer lets go of an object that holds a sealed value and imports it again: the import must not show what the
 * template did not say itself. Decision 0052.
 */
import { beforeAll, expect, it } from "vitest";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { addVersion, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { makeMember } from "#test/support/members.ts";

/** Two, so that recognising the text of one does not hide the other. */
const VALUES = { token: "tr0ub4dor-and-3", other: "c0rrect-h0rse" };
const EMPTY = "resources: {}\n";
const HOLDER = `config:
  token: { type: string, default: none }
  other: { type: string, default: none }
resources:
  db:
    type: mock:Database
    properties: { name: db, password: "\${token}", environment: { a: 1, inner: "\${other}" } }
    options: { retainOnDelete: true }
`;

const tenant = await makeTenant();
const targetId = await makeTarget(tenant);
let developer: TestTenant;
let profileId: string;

beforeAll(async () => {
  developer = { ...tenant, ...(await makeMember(tenant.tenantId, "CustomerDeveloper")) };
  const sealed = { name: "sealed", variables: VALUES, secretNames: ["token", "other"] };
  profileId = (await operator.post("/profiles", sealed)).body.id;
});

const importer = (id: string, { properties = "", options = "", output = "" }) =>
  `resources:
  leak:
    type: mock:Database
    properties: { name: db${properties} }
    options: { import: ${id}${options} }
outputs: { o: ${output === "" ? '{ fn::unsecret: "${leak.password}" }' : output} }
`;

async function deploy(instanceId: string, who = developer) {
  const ended = await run(who, instanceId, "deploy");
  expect(ended.body.state, JSON.stringify(ended.body.error)).not.toBe("FAILED");
  return ended;
}

async function idOf(instanceId: string, who = developer): Promise<string> {
  return (await who.get(`/instances/${instanceId}/resources`)).body.data[0].id;
}

/** Deploys an object that holds the sealed value and lets go of it; answers its id. */
async function retained(): Promise<string> {
  const templateId = await makeTemplate(developer, HOLDER);
  const instanceId = await makeInstance(developer, templateId, targetId, { profileId });
  await deploy(instanceId);
  const id = await idOf(instanceId);
  await addVersion(developer, instanceId, templateId, EMPTY);
  await deploy(instanceId);
  return id;
}

/** Everything that the tenant can read of the instance and its last deployment. */
async function readable(who: TestTenant, instanceId: string, deploymentId: string) {
  const paths = [
    `/instances/${instanceId}`,
    `/instances/${instanceId}/resources`,
    `/deployments/${deploymentId}`,
    `/deployments/${deploymentId}/plan`,
    `/deployments/${deploymentId}/log?limit=100`,
  ];
  return (await Promise.all(paths.map(async (path) => (await who.get(path)).text))).join("\n");
}

function expectNoTrace(text: string): void {
  for (const value of Object.values(VALUES)) expect(text).not.toContain(value);
}

it.for(
  partOf<[string, { properties?: string; options?: string; output?: string }]>(
    [
      ["a property that the template does not set", {}],
      ["the whole object", { output: '{ fn::unsecret: "${leak}" }' }],
      [
        "what the template calls its own secret",
        { options: ", additionalSecretOutputs: [password, environment]" },
      ],
      [
        "a member beside those that the template sets",
        {
          properties: ", environment: { a: 1 }",
          output: '{ fn::unsecret: "${leak.environment.inner}" }',
        },
      ],
      [
        "a property whose changes are ignored",
        { properties: ", password: guess", options: ", ignoreChanges: [password]" },
      ],
      [
        "an ignored property that is set as the template's own secret",
        { properties: ", password: { fn::secret: guess }", options: ", ignoreChanges: [password]" },
      ],
    ],
    3,
  ),
)("an import of what was let go of does not show %s", async ([, how]) => {
  const id = await retained();
  const templateId = await makeTemplate(developer, importer(id, how));
  const instanceId = await makeInstance(developer, templateId, targetId);
  const imported = await deploy(instanceId);
  const { outputs } = (await developer.get(`/instances/${instanceId}`)).body;
  expect(JSON.stringify(outputs.o)).toContain("[secret]");
  expectNoTrace(await readable(tenant, instanceId, imported.body.id));
  // Later calls repeat the properties.
  await addVersion(
    developer,
    instanceId,
    templateId,
    importer(id, { ...how, properties: `${how.properties ?? ""}, size: big` }),
  );
  const updated = await deploy(instanceId);
  expectNoTrace(await readable(tenant, instanceId, updated.body.id));
});

it("an import under another name in the deployment that lets go does not show it", async () => {
  const templateId = await makeTemplate(developer, HOLDER);
  const instanceId = await makeInstance(developer, templateId, targetId, { profileId });
  await deploy(instanceId);
  const id = await idOf(instanceId);
  await addVersion(developer, instanceId, templateId, importer(id, {}));
  const ended = await run(developer, instanceId, "deploy");
  expectNoTrace(await readable(tenant, instanceId, ended.body.id));
});

it("a plan does not show it as the value before, when changes are no longer ignored", async () => {
  const id = await retained();
  const guess = { properties: ", password: guess" };
  const ignoring = importer(id, { ...guess, options: ", ignoreChanges: [password]" });
  const templateId = await makeTemplate(developer, ignoring);
  const instanceId = await makeInstance(developer, templateId, targetId);
  await deploy(instanceId);
  await addVersion(developer, instanceId, templateId, importer(id, guess));
  const planned = await run(developer, instanceId, "plan");
  const { changes } = (await developer.get(`/deployments/${planned.body.id}/plan`)).body;
  expect(JSON.stringify(changes)).toContain('"before":"[secret]"');
  expectNoTrace(await readable(tenant, instanceId, planned.body.id));
});

it("another tenant of a platform target does not import it by the id, and its own does without a trace", async () => {
  const [mine, theirs] = await Promise.all([makeTenant(), makeTenant()]);
  const shared = await operator.post("/cloud/targets", {
    provider: "mock",
    name: "shared",
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  });
  const holding = await makeTemplate(mine, HOLDER.replaceAll("default: none", "secret: true"));
  const held = await makeInstance(mine, holding, shared.body.id, { variables: VALUES });
  await deploy(held, mine);
  const id = await idOf(held, mine);
  expect((await run(mine, held, "destroy")).body.state).toBe("SUCCEEDED");
  const templateId = await makeTemplate(theirs, importer(id, {}));
  const instanceId = await makeInstance(theirs, templateId, shared.body.id);
  const ended = await run(theirs, instanceId, "deploy");
  expect(ended.body.error).toMatchObject({ code: "claimed" });
  expectNoTrace(await readable(theirs, instanceId, ended.body.id));
  const again = await makeTemplate(mine, importer(id, {}));
  const back = await makeInstance(mine, again, shared.body.id);
  const text = await readable(mine, back, (await deploy(back, mine)).body.id);
  expect(text).toContain("[secret]");
  expectNoTrace(text);
});

it("an import shows what the template says, what the cloud writes, the id and the names", async () => {
  const id = await retained();
  const output = '["${leak.id}", "${leak.status}", "${leak.name}"]';
  const templateId = await makeTemplate(developer, importer(id, { output }));
  const instanceId = await makeInstance(developer, templateId, targetId);
  await deploy(instanceId);
  const { outputs } = (await developer.get(`/instances/${instanceId}`)).body;
  expect(outputs).toEqual({ o: [id, "ready", "db"] });
});
