/** What a tenant could bring about with another tenant's objects at an Azure subscription that both deploy to. */
import { beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET, GROUP, REGION, SUBSCRIPTION } from "#test/providers/azure/arm-cloud.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  azureScene,
  azureTarget,
  deployAtAzure,
  makeSharedAzure,
} from "#test/support/azure-target.ts";

/** A type that nobody has described. */
const types = {
  "Microsoft.Fake/things": {
    version: "2026-01-01",
    style: "at once",
    body: { "id-": "s", name: "s", "type-": "s", location: "s", tags: { "*": "s" } },
  },
} as const;
const scene = azureScene(() => ({ types }));
let a: TestTenant;
let b: TestTenant;
let shared: string;
beforeAll(async () => {
  [a, b, shared] = await Promise.all([makeTenant(), makeTenant(), makeSharedAzure()]);
});

const deploy = async (who: TestTenant, resources: string) =>
  (await deployAtAzure(who, shared, `resources:\n${resources}`)).ended.body;

const at = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers`;
const role =
  "/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c";
const principal = "44444444-4444-4444-8444-444444444444";
const network = (name: string, more = "") =>
  `  net: { type: azure:Microsoft.Network/virtualNetworks, properties: { name: ${name}, properties: { addressSpace: { addressPrefixes: [10.0.0.0/16] } } }${more} }\n`;
const subnet = (parent: string) =>
  `  inside: { type: azure:Microsoft.Network/virtualNetworks/subnets, properties: { parent: "${parent}", name: inside, properties: { addressPrefix: 10.0.1.0/24 } } }\n`;
const identity = (name: string) =>
  `  me: { type: azure:Microsoft.ManagedIdentity/userAssignedIdentities, properties: { name: ${name} } }\n`;
const thing = (type: string, options = "") =>
  `  one: { type: "azure:${type}@2026-01-01", properties: { name: thing, location: ${REGION} }${options} }\n`;
const victim = network("victim") + identity("victim-identity");

it("takes no deployments of tenants without the operator's word that they trust each other", async () => {
  const target = await makeSharedAzure(false);
  const { ended } = await deployAtAzure(a, target, `resources:\n${identity("mine")}`);
  expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "target_not_shared" } });
  expect(scene.cloud.ledger).toEqual([]);
});

describe("an object of another tenant", () => {
  beforeAll(async () => {
    expect((await deploy(a, victim)).state).toBe("SUCCEEDED");
  });

  it.each([
    ["a child of it", subnet(`${at}/Microsoft.Network/virtualNetworks/victim`)],
    ["a child of it, in capitals", subnet(`${at}/MICROSOFT.NETWORK/virtualNetworks/VICTIM`)],
    [
      "a right on it",
      `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { scope: "${at}/Microsoft.Network/virtualNetworks/victim", properties: { principalId: ${principal}, roleDefinitionId: "${role}" } } }\n`,
    ],
    [
      "a right on everything in the group",
      `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { properties: { principalId: ${principal}, roleDefinitionId: "/subscriptions/${SUBSCRIPTION}${role}" }, scope: "/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}" } }\n`,
    ],
    [
      "a right that names no scope, on everything in the target's group",
      `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { properties: { principalId: ${principal}, roleDefinitionId: "${role}" } } }\n`,
    ],
    [
      "a right on everything in the target's group, by its name",
      `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { resourceGroup: ${GROUP}, properties: { principalId: ${principal}, roleDefinitionId: "${role}" } } }\n`,
    ],
    [
      "its identity, as the key of a map",
      `  app: { type: "azure:Microsoft.Web/sites", properties: { name: spy, identity: { type: UserAssigned, userAssignedIdentities: { "${at}/Microsoft.ManagedIdentity/userAssignedIdentities/victim-identity": {} } }, properties: { httpsOnly: true } } }\n`,
    ],
    [
      "its identity, in a list",
      `  app: { type: "azure:Microsoft.Web/sites", properties: { name: spy, identity: { type: UserAssigned, userAssignedIdentities: ["${at}/microsoft.managedidentity/userassignedidentities/victim-identity"] }, properties: { httpsOnly: true } } }\n`,
    ],
    [
      "a part of it, in a text that is no id here",
      `  app: { type: "azure:Microsoft.Web/sites", properties: { name: spy, properties: { httpsOnly: true, virtualNetworkSubnetId: "https://management.azure.com${at}/Microsoft.Network/virtualNetworks/victim/subnets/x" } } }\n`,
    ],
    [
      "its resource group, by its name",
      `  ip: { type: azure:Microsoft.Network/publicIPAddresses, properties: { resourceGroup: victims-group, name: spy, sku: { name: Standard } } }\n`,
    ],
  ])("is not named by %s", async (_, resource) => {
    const before = scene.cloud.ledger.length;
    const { error } = await deploy(b, resource);
    expect(error).toMatchObject({ code: "reference_not_allowed" });
    expect(scene.cloud.ledger).toHaveLength(before);
  });

  it("is neither imported nor read under another spelling of its id", async () => {
    const id = `${at}/microsoft.network/VIRTUALNETWORKS/Victim`;
    const { error } = await deploy(b, network("victim", `, options: { import: "${id}" }`));
    expect(error).toMatchObject({ code: "claimed" });
    const read = await deploy(
      b,
      `  net: { type: azure:Microsoft.Network/virtualNetworks, get: { id: "${id}" } }\n`,
    );
    expect(read.error).toMatchObject({ code: "get_not_allowed" });
    expect(scene.cloud.ledger.filter(({ verb }) => verb !== "create")).toEqual([]);
  });

  it("is not reached by a type without a row, whose reach nobody knows", async () => {
    const before = scene.cloud.ledger.length;
    const made = await deploy(b, thing("Microsoft.Fake/things"));
    expect(made.error).toMatchObject({ code: "type_not_allowed" });
    scene.cloud.put(`${at}/Microsoft.Fake/things/theirs`, { location: REGION });
    const imported = `, options: { import: "${at}/Microsoft.Fake/things/theirs" }`;
    const { state } = await deploy(b, thing("Microsoft.Fake/things", imported));
    expect(state).toBe("FAILED");
    expect(scene.cloud.ledger).toHaveLength(before);
  });

  it("is not taken over by a create of its name", async () => {
    const { error } = await deploy(b, network("VICTIM"));
    expect(error).toMatchObject({ code: "claimed" });
  });
});

it("a template inside a template, which no check sees, is deployed nowhere", async () => {
  const { error } = await deploy(
    b,
    `  all: { type: azure:Microsoft.Resources/deployments@2025-04-01, properties: { name: x, properties: { mode: Complete, template: {} } } }\n`,
  );
  expect(error).toMatchObject({ code: "type_not_allowed" });
});

it("an object of the tenant's own may be named in any spelling", async () => {
  const id = `${at}/Microsoft.Network/virtualNetworks/Victim`;
  const grant = `  grant: { type: azure:Microsoft.Authorization/roleAssignments, properties: { scope: "${id}", properties: { principalId: ${principal}, roleDefinitionId: "${role}" } } }\n`;
  const { error, state } = await deploy(a, grant);
  expect(state, JSON.stringify(error)).toBe("SUCCEEDED");
});

it("an object that another instance of the tenant manages is read by the id that the portal shows", async () => {
  const { error } = await deploy(
    a,
    `  net: { type: azure:Microsoft.Network/virtualNetworks, get: { id: "${at.replace("/resourceGroups/", "/resourcegroups/")}/Microsoft.Network/virtualNetworks/Victim" } }\n`,
  );
  expect(error).toBeNull();
});

it("a free object at a target of one's own is imported in any spelling, and is then one instance's in all", async () => {
  scene.cloud.put(`${at}/Microsoft.Network/virtualNetworks/Free`, {
    location: REGION,
    properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
  });
  const secret = `TARGET_${a.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
  const target = await a.post("/cloud/targets", azureTarget({ credentialRef: `env://${secret}` }));
  const deployOwn = async (resources: string) => {
    const settings = { [secret]: CLIENT_SECRET };
    const source = `resources:\n${resources}`;
    return (await deployAtAzure(a, target.body.id, source, { settings })).ended.body;
  };
  const imported = (id: string) => network("Free", `, options: { import: "${id}" }`);
  const first = await deployOwn(imported(`${at}/Microsoft.Network/virtualNetworks/FREE`));
  expect(first.state, JSON.stringify(first.error)).toBe("SUCCEEDED");
  const again = await deployOwn(imported(`${at}/microsoft.network/virtualNetworks/free`));
  expect(again.error).toMatchObject({ code: "claimed" });
  scene.cloud.put(`${at}/Microsoft.ManagedIdentity/userAssignedIdentities/both`, {});
  const one = (name: string, id: string) =>
    `  ${name}: { type: azure:Microsoft.ManagedIdentity/userAssignedIdentities, properties: { name: both }, options: { import: "${at}/${id}" } }\n`;
  const own = await deployOwn(thing("Microsoft.Fake/things"));
  expect(own.state, JSON.stringify(own.error)).toBe("SUCCEEDED");
  const other = `, options: { import: "${at}/Microsoft.Fake/things/thing" }`;
  for (const options of ["", other]) {
    const { error } = await deployOwn(thing("microsoft.FAKE/Things", options));
    expect(error).toMatchObject({ code: "claimed" });
  }
  const twice =
    one("x", "Microsoft.ManagedIdentity/userAssignedIdentities/both") +
    one("y", "Microsoft.ManagedIdentity/userAssignedIdentities/BOTH");
  expect((await deployOwn(twice)).error).toMatchObject({ code: "import_in_use" });
});
