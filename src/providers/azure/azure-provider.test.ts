import { beforeEach, describe, expect, it } from "vitest";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Outcome, ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import {
  ArmCloud,
  CLIENT_SECRET,
  GROUP,
  REGION,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { addParents, parents, samples } from "#test/providers/azure/samples.ts";
import { Lives, untilFinal } from "#test/providers/type-cycle.ts";
import { azureProvider } from "./azure-provider.ts";
import { azureTypes } from "./types.ts";

const provider = azureProvider();

const NETWORK = "azure:Microsoft.Network/virtualNetworks";
const SUBNET = "azure:Microsoft.Network/virtualNetworks/subnets";
const GROUPS = "azure:Microsoft.Resources/resourceGroups";
const VAULT = "azure:Microsoft.KeyVault/vaults";
const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
const spelledGroup = group.toLowerCase().replace("resourcegroups", "resourceGroups");
const OTHER = "99999999-9999-4999-8999-999999999999";
const network = {
  location: REGION,
  properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
};

function cloudWithParents(options: ConstructorParameters<typeof ArmCloud>[0] = {}): ArmCloud {
  const cloud = new ArmCloud(options);
  addParents(cloud);
  return cloud;
}

async function create(
  context: ProviderContext,
  type: string,
  properties: JsonMap,
  token = "token-1",
): Promise<Outcome> {
  const call = { type, name: "chosen-name-1", properties };
  const outcome = await provider.create(context, { ...call, token });
  return untilFinal(provider, context, outcome, { ...call, verb: "create" });
}

const read = (context: ProviderContext, type: string, id: string, properties: JsonMap = {}) =>
  provider.read(context, { type, id, properties });

beforeEach(() => sessions.clear());

describe("a place", () => {
  it("is the target's resource group, the template's, a parent or a scope", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    cloud.put(`/subscriptions/${SUBSCRIPTION}/resourceGroups/other`, { location: REGION });
    const ids = [];
    for (const [type, properties] of [
      [NETWORK, { ...network, name: "Net" }],
      [NETWORK, { ...network, name: "Net", resourceGroup: "other" }],
      [
        SUBNET,
        { parent: parents.network, name: "s", properties: { addressPrefix: "10.0.0.0/24" } },
      ],
      [
        "azure:Microsoft.Authorization/roleAssignments",
        samples["Microsoft.Authorization/roleAssignments"]?.properties ?? {},
      ],
    ] as const) {
      const made = await create(context, type, properties);
      expect(made, JSON.stringify(made)).toMatchObject({ kind: "done" });
      ids.push(made.kind === "done" ? made.id : "");
    }
    const rg = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`;
    expect(ids.slice(0, 3)).toEqual([
      `${rg("shop")}/providers/Microsoft.Network/virtualNetworks/net`,
      `${rg("other")}/providers/Microsoft.Network/virtualNetworks/net`,
      `${rg("shop")}/providers/Microsoft.Network/virtualNetworks/parent-network/subnets/s`,
    ]);
    expect(ids[3]).toMatch(
      /\/vaults\/parent-vault\/providers\/Microsoft\.Authorization\/roleAssignments\/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    // Names are written as the template has them.
    expect(cloud.requests.find((one) => one.startsWith("PUT"))).toContain(
      "/resourceGroups/Shop/providers/Microsoft.Network/virtualNetworks/Net?",
    );
  });

  const elsewhere = `/subscriptions/${OTHER}/resourceGroups/Shop`;
  it.each<[string, string, JsonMap]>([
    ["a name with a slash", NETWORK, { ...network, name: "a/subnets/b" }],
    ["a name that leaves the path", NETWORK, { ...network, name: ".." }],
    ["a name that ends the path", NETWORK, { ...network, name: "a?api-version=1" }],
    ["an encoded name", NETWORK, { ...network, name: "a%2fb" }],
    ["a name that is no text", NETWORK, { ...network, name: 7 }],
    ["a resource group with a slash", NETWORK, { ...network, resourceGroup: "a/b" }],
    ["a resource group that leaves the path", NETWORK, { ...network, resourceGroup: ".." }],
    ["a parent where there is none", NETWORK, { ...network, parent: group }],
    ["no parent", SUBNET, { name: "s", properties: {} }],
    ["a parent of another type", SUBNET, { parent: parents.vault, name: "s", properties: {} }],
    ["a parent's name alone", SUBNET, { parent: "parent-network", name: "s", properties: {} }],
    [
      "a parent in another subscription",
      SUBNET,
      { parent: parents.network.replace(SUBSCRIPTION, OTHER), name: "s", properties: {} },
    ],
    [
      "a parent that leaves the path",
      SUBNET,
      { parent: `${parents.network}/../other`, name: "s", properties: {} },
    ],
    [
      "a scope in another subscription",
      "azure:Microsoft.Authorization/roleAssignments",
      { scope: elsewhere, properties: {} },
    ],
    [
      "the scope of the tenant",
      "azure:Microsoft.Authorization/roleAssignments",
      { scope: "/", properties: {} },
    ],
    [
      "two places",
      "azure:Microsoft.Authorization/roleAssignments",
      { scope: group, resourceGroup: "Shop", properties: {} },
    ],
    [
      "a role assignment whose name is no UUID",
      "azure:Microsoft.Authorization/roleAssignments",
      { name: "mine", properties: {} },
    ],
    ["a resource group in a resource group", GROUPS, { location: REGION, resourceGroup: "a" }],
    ["a region as people read it", NETWORK, { ...network, location: "West Europe" }],
  ])("of %s is refused before anything is asked", async (_, type, properties) => {
    const cloud = cloudWithParents();
    const refused = await create(cloud.context(), type, properties);
    expect(refused).toMatchObject({ kind: "failed", means: "invalid", retryable: false });
    expect(cloud.requests).toEqual([]);
  });

  it("needs the target's subscription", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context({ config: {} });
    const lacking = {
      kind: "failed",
      code: "invalid_config",
      message: expect.stringContaining("subscriptionId"),
    };
    expect(await create(context, NETWORK, network)).toMatchObject(lacking);
    expect(await read(context, NETWORK, parents.network)).toMatchObject(lacking);
    expect(await provider.verify(context)).toMatchObject({
      ok: false,
      code: "invalid_config",
    });
    expect(cloud.requests).toEqual([]);
  });

  it("beyond the subscription needs the word of the target's owner", async () => {
    const cloud = cloudWithParents();
    const { config } = cloud.context();
    const context = cloud.context({ config: { ...config, otherScopes: true } });
    const type = "azure:Microsoft.Authorization/roleAssignments";
    const scope = `/subscriptions/${OTHER}/resourceGroups/there`;
    cloud.put(scope, { location: REGION });
    const { properties } = samples["Microsoft.Authorization/roleAssignments"]?.properties ?? {};
    const made = await create(context, type, { scope, properties: properties ?? {} });
    expect(made).toMatchObject({ kind: "done", id: expect.stringContaining(OTHER) });
  });
});

describe("an id", () => {
  it("in any spelling is one object, told in one spelling", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const made = await create(context, NETWORK, { ...network, name: "Net" });
    const id = `${spelledGroup}/providers/Microsoft.Network/virtualNetworks/net`;
    const written = `${group}/providers/Microsoft.Network/virtualNetworks/Net`;
    expect(made).toMatchObject({ kind: "done", id, outputs: { id: written, name: "Net" } });
    for (const spelling of [id, id.toUpperCase(), id.toLowerCase()]) {
      const properties = { ...network, name: "Net" };
      expect(await read(context, NETWORK, spelling)).toMatchObject({ kind: "done", id });
      expect(await read(context, NETWORK, spelling, properties)).toMatchObject({
        id,
        outputs: { id: written },
      });
    }
  });

  it.each([
    ["of another type", parents.vault],
    ["of what stands in it", parents.subnet],
    ["in another subscription", parents.network.replace(SUBSCRIPTION, OTHER)],
    ["with a query", `${parents.network}?x=y`],
    ["that leaves the path", `${group}/providers/Microsoft.Network/virtualNetworks/..`],
    ["without a slash before it", parents.network.slice(1)],
  ])("%s is refused, for a read, an update and a delete", async (_, id) => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const call = { type: NETWORK, id, name: "n", properties: network };
    for (const outcome of [
      await read(context, NETWORK, id),
      await provider.update(context, { ...call, before: network, token: "t" }),
      await provider.delete(context, { ...call, token: "t" }),
      await provider.poll(context, { ...call, verb: "delete", handle: { sinceMs: 0 } }),
    ])
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_place" });
    expect(cloud.requests).toEqual([]);
  });

  it("of a type in another spelling is of no type: it would lack what is known of it", async () => {
    const cloud = cloudWithParents();
    const type = "azure:microsoft.network/virtualnetworks@2025-09-01";
    expect(azureTypes.facts(type)).toBeUndefined();
    expect(await create(cloud.context(), type, network)).toMatchObject({ code: "unknown_type" });
    expect(cloud.requests).toEqual([]);
  });
});

describe("what Azure shows", () => {
  it("is told in the words of the template: ids, regions, roles, lists of identities", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const card = parents.card.replace("parent-card", "PARENT-Card");
    const machine = samples["Microsoft.Compute/virtualMachines"]?.properties ?? {};
    const { properties } = machine;
    const inside = isJsonMap(properties) ? properties : {};
    const sent: JsonMap = {
      ...machine,
      identity: { type: "UserAssigned", userAssignedIdentities: [parents.vault] },
      properties: { ...inside, networkProfile: { networkInterfaces: [{ id: card }] } },
    };
    const made = await create(context, "azure:Microsoft.Compute/virtualMachines", sent);
    expect(made).toMatchObject({
      kind: "done",
      outputs: {
        identity: { userAssignedIdentities: [parents.vault] },
        properties: { networkProfile: { networkInterfaces: [{ id: card }] } },
      },
    });
    const [stored] = cloud.living("Microsoft.Compute/virtualMachines");
    expect(stored?.body["identity"]).toEqual({
      type: "UserAssigned",
      userAssignedIdentities: { [parents.vault]: {} },
    });
    const site = await create(
      context,
      "azure:Microsoft.Web/sites",
      samples["Microsoft.Web/sites"]?.properties ?? {},
    );
    expect(site).toMatchObject({ kind: "done", outputs: { location: REGION } });
  });

  it("names every secret of its types", async () => {
    for (const [name, { properties }] of Object.entries(samples)) {
      const cloud = cloudWithParents();
      const type = `azure:${name}`;
      const made = await create(cloud.context(), type, properties);
      expect(made.kind, name).toBe("done");
      const outputs = made.kind === "done" ? made.outputs : {};
      const secret = new Set(azureTypes.facts(type)?.secretOutputs);
      const shown = canaries(outputs).filter((path) => !secret.has(path));
      expect(shown, name).toEqual([]);
    }
  });

  it("has the keys of a registry only while its admin user is on", async () => {
    const cloud = cloudWithParents();
    const type = "azure:Microsoft.ContainerRegistry/registries";
    const off = { location: REGION, name: "off", sku: { name: "Basic" }, properties: {} };
    const made = await create(cloud.context(), type, off);
    expect(made).toMatchObject({ kind: "done" });
    expect(cloud.requests.some((one) => one.includes("listCredentials"))).toBe(false);
  });
});

/** The paths of texts that only a secret may have. */
function canaries(value: Json, path = ""): string[] {
  if (typeof value === "string") return value.startsWith("canary") ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item) => canaries(item, `${path}[*]`));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    canaries(item, path === "" ? key : `${path}.${key}`),
  );
}

describe("a resource group", () => {
  it("is not deleted with what others put into it", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const made = await create(context, GROUPS, { location: REGION, name: "mine" });
    const id = made.kind === "done" ? made.id : "";
    const inside = `/subscriptions/${SUBSCRIPTION}/resourceGroups/mine/providers/Microsoft.Network/virtualNetworks/theirs`;
    const theirs = cloud.put(inside, network);
    const call = { type: GROUPS, id, name: "mine", properties: {}, token: "t" };
    expect(await provider.delete(context, call)).toMatchObject({
      kind: "failed",
      code: "not_empty",
      means: "busy",
      retryable: true,
      message: expect.stringContaining(inside),
    });
    expect(cloud.requests.some((one) => one.startsWith("DELETE"))).toBe(false);
    cloud.remove(theirs);
    const lives = new Lives(provider, context);
    await lives.remove(GROUPS, id, {});
    expect(await provider.delete(context, call)).toMatchObject({ kind: "gone" });
  });
});

describe("a deleted vault", () => {
  const vault = {
    location: REGION,
    name: "gone",
    properties: { tenantId: TENANT_ID, sku: { family: "A", name: "standard" } },
  };

  it("is recovered by a create of its name, in an account of the tenant's own", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const made = await create(context, VAULT, vault);
    const id = made.kind === "done" ? made.id : "";
    await new Lives(provider, context).remove(VAULT, id, vault);
    expect(await create(context, VAULT, vault, "token-2")).toMatchObject({ kind: "done", id });
    expect(cloud.violations).toEqual([]);
  });

  it("stays deleted at a target that tenants share, also when the template asks for it", async () => {
    const cloud = cloudWithParents();
    const context = cloud.context();
    const made = await create(context, VAULT, vault);
    await new Lives(provider, context).remove(VAULT, made.kind === "done" ? made.id : "", vault);
    const { ownAccount: _, ...shared } = context;
    const asking = { ...vault, properties: { ...vault.properties, createMode: "Recover" } };
    for (const properties of [vault, asking])
      expect(await create(shared, VAULT, properties, "token-2")).toMatchObject({
        kind: "failed",
        code: "already_exists",
      });
    expect(cloud.living("Microsoft.KeyVault/vaults")).toHaveLength(1);
  });
});

describe("a type without a row", () => {
  const type = "azure:Microsoft.Fake/things@2026-01-01";
  const body = {
    "id-": "s",
    name: "s",
    "type-": "s",
    location: "s",
    tags: { "*": "s" },
    properties: "*",
  };
  const types = {
    "Microsoft.Fake/things": { version: "2026-01-01", style: "operation", body },
    "Microsoft.Fake/things/parts": {
      version: "2026-01-01",
      style: "at once",
      body: { "id-": "s", name: "s", "type-": "s", properties: "*", "systemData-": "*" },
      set: { systemData: { createdAt: "{now}" } },
    },
  } as const;

  it("lives like any other, with a mark where it takes tags", async () => {
    const cloud = cloudWithParents({ types });
    const context = cloud.context();
    const properties = { location: REGION, name: "One", properties: { a: 1 } };
    const made = await create(context, type, properties);
    const id = `${spelledGroup}/providers/microsoft.fake/things/one`;
    expect(made).toMatchObject({ kind: "done", id, outputs: { properties: { a: 1 } } });
    expect(made.kind === "done" && made.outputs["tags"]).toEqual({});
    expect(await create(context, type, properties)).toMatchObject({ kind: "done", id });
    expect(await create(context, type, properties, "token-2")).toMatchObject({
      code: "already_exists",
    });
    const part = await create(context, "azure:Microsoft.Fake/things/parts@2026-01-01", {
      parent: id,
      name: "p",
      properties: {},
    });
    expect(part).toMatchObject({ kind: "done", id: `${id}/parts/p` });
    expect(cloud.living("Microsoft.Fake/things/parts")[0]?.body).toEqual({ properties: {} });
    await new Lives(provider, context).remove(type, id, properties);
    expect(cloud.violations).toEqual([]);
  });

  it("needs its version, and replaces what changes its place", () => {
    expect(provider.facts("azure:Microsoft.Fake/things")).toBeUndefined();
    expect(azureTypes.facts(type)).toBeUndefined();
    expect(provider.facts(type)?.immutable).toEqual([
      "name",
      "resourceGroup",
      "parent",
      "scope",
      "location",
    ]);
  });

  it("at another version of a type with a row keeps what is known of it", () => {
    const older = azureTypes.facts("azure:Microsoft.Storage/storageAccounts@2023-01-01");
    expect(older).toMatchObject({ version: "2023-01-01", secretOutputs: ["keys[*].value"] });
  });
});

describe("secrets", () => {
  it("are in no outcome, whatever fails", async () => {
    const cloud = cloudWithParents();
    for (const status of [401, 403, 409, 500] as const) {
      const echo = {
        error: { code: "Echo", message: `Bearer ${cloud.tokens.at(-1)} ${CLIENT_SECRET}` },
      };
      cloud.script({ on: "create", status, effect: "before", body: echo, times: 2 });
      const outcome = await create(cloud.context(), NETWORK, { ...network, name: `n${status}` });
      expect(JSON.stringify(outcome)).not.toContain("canary");
    }
  });
});
