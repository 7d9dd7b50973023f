/** Attempts to read what a cloud made as a secret: a connection string, a key. A test is named after its attack. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { withFacts } from "#test/support/type-facts.ts";

/** The mock cloud shows what it was sent, so these stand for what it would make itself. */
const MADE = "db://canary-of-the-cloud";
const CHANGED = "db://canary-from-outside";

let tenant: TestTenant;
let targetId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  targetId = await makeTarget(tenant);
  withFacts({
    "mock:Database": {
      writeOnly: [],
      secretOutputs: ["environment.uri", "environment.users[*].key"],
    },
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

const source = (more = "", uri = MADE) => `resources:
  db:
    type: mock:Database
    properties: { name: db, environment: { uri: "${uri}", host: h, users: [{ key: "${uri}" }] } }
${more}`;

async function instanceOf(text: string) {
  const templateId = await makeTemplate(tenant, text);
  const instanceId = await makeInstance(tenant, templateId, targetId);
  return { templateId, instanceId, ended: await run(tenant, instanceId, "deploy") };
}

async function readable(instanceId: string, deploymentId: string): Promise<string> {
  const paths = [
    `/instances/${instanceId}`,
    `/instances/${instanceId}/resources`,
    `/instances/${instanceId}/outputs`,
    `/deployments/${deploymentId}`,
    `/deployments/${deploymentId}/log?limit=100`,
  ];
  return (await Promise.all(paths.map(async (path) => (await tenant.get(path)).text))).join("\n");
}

it.for<[string, string]>([
  ["an output", "${db.environment.uri}"],
  ["an output of the whole object", "${db}"],
  ["an output that unseals it", '{ fn::unsecret: "${db.environment.uri}" }'],
  ["an output computed from it", '{ fn::toBase64: "${db.environment.uri}" }'],
  ["an item of a list", "${db.environment.users[0].key}"],
])("by %s", async ([, expression]) => {
  const text = `outputs: { o: ${expression}, host: "\${db.environment.host}" }\n`;
  const quoted = expression.startsWith("{") ? text : text.replace(expression, `"${expression}"`);
  const { instanceId, ended } = await instanceOf(source(quoted));
  expect(ended.body.state, ended.text).toBe("SUCCEEDED");
  const outputs = await tenant.get(`/instances/${instanceId}/outputs`);
  expect(JSON.stringify(outputs.body)).toContain("[secret]");
  const seen = await readable(instanceId, ended.body.id);
  for (const trace of ["canary", btoa(MADE)]) expect(seen).not.toContain(trace);
  expect(seen).toContain('"host":"h"');
});

it("by the name of another object", async () => {
  const leak = (path: string) =>
    source(`  leak: { type: mock:Bucket, properties: { name: "\${db.environment.${path}}" } }\n`);
  const refused = await tenant.post("/templates", { name: "leak", source: leak("uri") });
  expect(refused.body, refused.text).toMatchObject({ errors: [{ code: "sealed_value" }, {}] });
  const { ended } = await instanceOf(leak("users[0].key"));
  expect(ended.body.error, ended.text).toMatchObject({ code: "sealed_value" });
});

it("by passing it on in the plan of another resource", async () => {
  const more = `  app: { type: mock:Server, properties: { name: app, environment: { to: "\${db.environment.uri}" } } }\n`;
  const { instanceId, templateId, ended } = await instanceOf(source(more));
  expect(ended.body.state, ended.text).toBe("SUCCEEDED");
  await addVersion(tenant, instanceId, templateId, source(more.replace("{ to:", "{ at:")));
  const planned = await run(tenant, instanceId, "plan");
  const plan = await tenant.get(`/deployments/${planned.body.id}/plan`);
  const change = plan.body.changes.find((one: { resource: string }) => one.resource === "app");
  expect(change).toMatchObject({
    action: "update",
    changes: [
      { path: "environment.at", after: "[secret]" },
      { path: "environment.to", before: "[secret]" },
    ],
  });
});

it("by a drift check after it was changed outside", async () => {
  const { instanceId, ended } = await instanceOf(source());
  expect(ended.body.state, ended.text).toBe("SUCCEEDED");
  const made = (await ledger(targetId)).at(-1);
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  const patched = await cloud.fetch(`https://mock.cloud.invalid/v1/databases/${made?.id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ environment: { uri: CHANGED, host: "h", users: [{ key: CHANGED }] } }),
  });
  expect(patched.status).toBe(200);
  const started = await tenant.post(`/instances/${instanceId}/check-drift`);
  const over = await untilOver(tenant, started.body.id);
  expect(over.body.summary, over.text).toMatchObject({ update: 1 });
  const plan = await tenant.get(`/deployments/${over.body.id}/plan`);
  expect(plan.text).toContain("[secret]");
  expect(plan.text + (await readable(instanceId, over.body.id))).not.toContain("canary-from");
});
