/** What a tenant can still bring about with other tenants' and the operator's objects at an Azure subscription that tenants share. */
import { beforeAll, describe, expect, it } from "vitest";
import { GROUP, REGION, SUBSCRIPTION } from "#test/providers/azure/arm-cloud.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { azureScene, deployAtAzure, makeSharedAzure } from "#test/support/azure-target.ts";
import { addVersion, run } from "#test/support/cloud.ts";

const scene = azureScene();
let a: TestTenant;
let b: TestTenant;
let shared: string;

const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
const at = `${group}/providers`;
const owner = `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635`;
const net = (name: string, more = "", key = "net") =>
  `  ${key}: { type: azure:Microsoft.Network/virtualNetworks, properties: { name: ${name}, properties: { addressSpace: { addressPrefixes: [10.0.0.0/16] } } }${more} }\n`;

const start = (who: TestTenant, resources: string) =>
  deployAtAzure(who, shared, `resources:\n${resources}`);
const deploy = async (who: TestTenant, resources: string) =>
  (await start(who, resources)).ended.body;

const grants = () =>
  scene.cloud.living("Microsoft.Authorization/roleAssignments").map(({ id }) => id);

beforeAll(async () => {
  [a, b, shared] = await Promise.all([makeTenant(), makeTenant(), makeSharedAzure()]);
  expect((await deploy(a, net("victim"))).state).toBe("SUCCEEDED");
});

const victimId = `${at}/Microsoft.Network/virtualNetworks/victim`;

it("an import of what stands in another tenant's object, under a parent of the tenant's own, does not delete it", async () => {
  const inside = `${victimId}/subnets/inline`;
  scene.cloud.put(inside, { properties: { addressPrefix: "10.0.3.0/24" } });
  const { instanceId, ended } = await start(
    b,
    `${net("mine")}  inside: { type: azure:Microsoft.Network/virtualNetworks/subnets, properties: { parent: "\${net.id}", name: inline, properties: { addressPrefix: 10.0.3.0/24 } }, options: { import: "${inside}" } }\n`,
  );
  const destroyed = await run(b, instanceId, "destroy");
  const left = scene.cloud
    .living("Microsoft.Network/virtualNetworks/subnets")
    .map(({ key }) => key);
  expect([ended.body.state, destroyed.body.state, left]).toEqual([
    "FAILED",
    expect.anything(),
    [inside.toLowerCase()],
  ]);
});

it("an import of a right on another tenant's object, without a scope, does not delete it", async () => {
  const id = `${victimId}/providers/Microsoft.Authorization/roleAssignments/abababab-1111-4111-8111-111111111111`;
  scene.cloud.put(id, {
    properties: { principalId: "55555555-5555-4555-8555-555555555555", roleDefinitionId: owner },
  });
  const { instanceId } = await start(
    b,
    `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { properties: {} }, options: { import: "${id}", ignoreChanges: [properties, name] } }\n`,
  );
  await run(b, instanceId, "destroy");
  expect(grants().map((one) => one.toLowerCase())).toContain(id.toLowerCase());
});

it("a secret in another tenant's vault is not overwritten under a parent of the tenant's own", async () => {
  const vault = `${at}/Microsoft.KeyVault/vaults/victim-vault`;
  const secret = `${vault}/secrets/password`;
  scene.cloud.put(vault, { location: REGION });
  scene.cloud.put(secret, { properties: { value: "theirs", contentType: "text/plain" } });
  const source = (value: string) =>
    `resources:\n  v: { type: azure:Microsoft.KeyVault/vaults, properties: { name: own-vault, properties: { tenantId: 22222222-2222-4222-8222-222222222222, sku: { family: A, name: standard }, enableRbacAuthorization: true } } }\n` +
    `  s: { type: azure:Microsoft.KeyVault/vaults/secrets, properties: { parent: "\${v.id}", name: password, properties: { value: ${value}, contentType: text/plain } }, options: { import: "${secret}" } }\n`;
  const { instanceId, ended } = await deployAtAzure(b, shared, source("mine"));
  const { body: instance } = await b.get(`/instances/${instanceId}`);
  if (ended.body.state === "SUCCEEDED") {
    await addVersion(b, instanceId, instance.templateId, source("mine-now"));
    await run(b, instanceId, "deploy");
  }
  const there = scene.cloud
    .living("Microsoft.KeyVault/vaults/secrets")
    .find(({ key }) => key === secret.toLowerCase());
  expect(JSON.stringify(there?.body), JSON.stringify(ended.body.error)).toContain("theirs");
});

it("a template inside a template is not deployed under the old name of its place", async () => {
  const sent: string[] = [];
  scene.answer = (request) => {
    if (!request.url.includes("/deployments/")) return undefined;
    sent.push(request.method);
    return request.method === "PUT"
      ? Response.json({
          id: `${group}/deployments/x`,
          name: "x",
          properties: { provisioningState: "Succeeded" },
        })
      : Response.json({ error: { code: "DeploymentNotFound", message: "no" } }, { status: 404 });
  };
  await deploy(
    b,
    `  g: { type: azure:Microsoft.Resources/resourceGroups, properties: { name: mine } }\n` +
      `  all: { type: azure:Microsoft.Resources/resourceGroups/deployments@2015-01-01, properties: { parent: "\${g.id}", name: x, properties: { mode: Complete, template: {} } } }\n`,
  );
  scene.answer = () => undefined;
  expect(sent).not.toContain("PUT");
});

describe("a region that the target does not allow", () => {
  const sentWith = async (resources: string, text: string) => {
    let found = false;
    scene.answer = (request, body) => {
      if (request.method === "PUT" && body.includes(text)) found = true;
      return undefined;
    };
    await deploy(b, resources);
    scene.answer = () => undefined;
    return found;
  };
  it.each([
    [
      "as the second home of a workspace",
      `  x: { type: azure:Microsoft.OperationalInsights/workspaces, properties: { name: far-logs, properties: { replication: { enabled: true, location: eastus } } } }\n`,
    ],
    [
      "in capitals, which ARM takes as well",
      `  x: { type: azure:Microsoft.Network/virtualNetworks, properties: { name: far, LOCATION: eastus, properties: { addressSpace: { addressPrefixes: [10.0.0.0/16] } } } }\n`,
    ],
  ])("%s", async (_, resources) => {
    expect(await sentWith(resources, "eastus")).toBe(false);
  });

  it.each(["Standard_RAGRS", "standard_gzrs"])(
    "is not where %s copies a storage account",
    async (sku) => {
      const resources = `  x: { type: azure:Microsoft.Storage/storageAccounts, properties: { name: faraccount1, kind: StorageV2, sku: { name: ${sku} } } }\n`;
      expect(await sentWith(resources, sku)).toBe(false);
    },
  );
});
