/** Deployments of templates with components, loops and conditions, from the API to the cloud. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { makeUnlimitedTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";

const SUBNET = `name: subnet
runtime: yaml
config:
  names: { type: array, items: { type: string } }
  network: { type: string }
resources:
  net:
    type: mock:Bucket
    forEach: \${names}
    properties: { name: "\${network}-\${each.key}" }
outputs:
  count: \${size(net)}
`;
const NETWORK = `name: network
runtime: yaml
config:
  prefix: { type: string }
  secret: { type: string, secret: true }
resources:
  main: { type: "mock:Database", properties: { name: "\${prefix}", password: "\${secret}" } }
  subnet:
    component: subnet
    version: ^1.0
    properties: { network: "\${main.name}", names: ["a", "b"] }
outputs:
  name: \${main.name}
  subnets: \${subnet.count}
`;
const shop = (range = "^1.0") => `name: shop
runtime: yaml
config:
  password: { type: string, secret: true }
resources:
  network:
    component: network
    version: "${range}"
    forEach: ["x", "y"]
    properties: { prefix: "net-\${each.key}", secret: "\${password}" }
outputs:
  total: \${network.x.subnets + network.y.subnets}
  name: \${network.y.name}
`;

async function released(
  client: { post: TestTenant["post"] },
  name: string,
  source: string,
  release = "1.0.0",
): Promise<string> {
  const made = await client.post("/templates", { name, source, release });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const variables = { password: "correct horse battery" };

it("deploys, changes and destroys nested components with loops, by their pins alone", async () => {
  const tenant = await makeUnlimitedTenant();
  // The inner component is the platform's.
  const subnet = await released(operator, `subnet-${tenant.slug}`, SUBNET);
  const network = await released(
    tenant,
    "network",
    NETWORK.replace("component: subnet", `component: ${subnet}`),
  );
  const targetId = await makeTarget(tenant);
  const templateId = await makeTemplate(tenant, shop());
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  // A newer release changes nothing of a deployment.
  const newer = await tenant.post(`/templates/${network}/versions`, {
    source: NETWORK.replace("component: subnet", `component: ${subnet}`).replaceAll('"b"', '"c"'),
    release: "1.1.0",
  });
  expect(newer.status, newer.text).toBe(201);
  const done = await run(tenant, instanceId, "deploy");
  expect(done.body.state, JSON.stringify(done.body.error)).toBe("SUCCEEDED");
  expect(living(await ledger(targetId)).toSorted()).toEqual([
    "buckets/net-x-a",
    "buckets/net-x-b",
    "buckets/net-y-a",
    "buckets/net-y-b",
    "databases/net-x",
    "databases/net-y",
  ]);
  const instance = await tenant.get(`/instances/${instanceId}`);
  expect(instance.body.outputs).toMatchObject({ total: 4, name: "net-y" });
  const resources = await tenant.get(`/instances/${instanceId}/resources`);
  const names = resources.body.data.map(({ name }: { name: string }) => name).toSorted();
  expect(names).toContain('network["x"]/subnet/net["a"]');
  expect(resources.text).not.toContain(variables.password);
  const again = await run(tenant, instanceId, "deploy");
  expect(again.body.state).toBe("NO_CHANGES");
  const checked = await tenant.post(`/instances/${instanceId}/check-drift`);
  expect(checked.status, checked.text).toBe(202);
  const upgraded = await tenant.post(`/templates/${templateId}/versions`, {
    source: shop(),
    upgradeComponents: true,
  });
  expect(upgraded.body.components).toMatchObject([{ release: "1.1.0" }]);
  await expect
    .poll(async () => (await tenant.get(`/instances/${instanceId}`)).body.state)
    .toBe("ACTIVE");
  const moved = await tenant.patch(`/instances/${instanceId}`, { templateVersion: 2 });
  expect(moved.status, moved.text).toBe(200);
  const changed = await run(tenant, instanceId, "deploy");
  expect(changed.body.state, JSON.stringify(changed.body.error)).toBe("SUCCEEDED");
  expect(living(await ledger(targetId)).toSorted()).toEqual([
    "buckets/net-x-a",
    "buckets/net-x-c",
    "buckets/net-y-a",
    "buckets/net-y-c",
    "databases/net-x",
    "databases/net-y",
  ]);
  const destroyed = await run(tenant, instanceId, "destroy");
  expect(destroyed.body.state, JSON.stringify(destroyed.body.error)).toBe("SUCCEEDED");
  expect(living(await ledger(targetId))).toEqual([]);
});

it.each(["that is gone", "of another tenant"])(
  "fails a run with a component %s, with the reason, and makes nothing",
  async (how) => {
    const [tenant, other] = [await makeUnlimitedTenant(), await makeUnlimitedTenant()];
    await released(tenant, "subnet", SUBNET);
    const network = await released(tenant, "network", NETWORK);
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, shop());
    const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
    // No request can do this: the API refuses the delete, and finds no component of another tenant.
    const statement =
      how === "that is gone"
        ? env.DB.prepare("DELETE FROM template_versions WHERE template_id = ?").bind(network)
        : env.DB.prepare("UPDATE template_versions SET tenant_id = ? WHERE template_id = ?").bind(
            other.tenantId,
            network,
          );
    await statement.run();
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body.state).toBe("FAILED");
    expect(failed.body.error).toMatchObject({ code: "template_invalid" });
    expect(failed.body.error.message).toContain('"network"');
    expect(await ledger(targetId)).toEqual([]);
  },
);
