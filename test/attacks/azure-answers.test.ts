/** What a template, a config or an odd answer of Azure can bring about in the provider alone. */
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { azureProvider } from "#providers/azure/azure-provider.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { ArmCloud, GROUP, REGION, SUBSCRIPTION } from "#test/providers/azure/arm-cloud.ts";
import { addParents, parents } from "#test/providers/azure/samples.ts";
import { untilFinal } from "#test/providers/type-cycle.ts";

const provider = azureProvider();
const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
const NETWORK = "azure:Microsoft.Network/virtualNetworks";
const VAULT = "azure:Microsoft.KeyVault/vaults";

/** A cloud some of whose answers are replaced. `shared`: the account is not the tenant's own. */
function scene(answer: (request: Request) => Response | undefined, shared = false) {
  const cloud = new ArmCloud();
  addParents(cloud);
  const sent: string[] = [];
  const context = cloud.context({
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      sent.push(`${request.method} ${pathname}${search}`);
      return answer(request) ?? cloud.fetch(request);
    },
  });
  const { ownAccount: _, ...others } = context;
  return { cloud, sent, context: (shared ? others : context) as ProviderContext };
}
const none = () => undefined;
const create = (context: ProviderContext, type: string, properties: JsonMap) =>
  provider.create(context, { type, name: "chosen-name-1", token: "token-1", properties });

beforeEach(() => sessions.clear());

describe("a deleted vault, which may be another tenant's", () => {
  it.each<[string, JsonMap]>([
    ["CreateMode", { properties: { CreateMode: "recover" } }],
    ["Properties", { Properties: { createMode: "recover" } }],
  ])("is not recovered by %s, which ARM takes as well", async (_, properties) => {
    const { context, sent } = scene(none, true);
    await create(context, VAULT, { name: "victim", location: REGION, ...properties });
    expect(sent.filter((one) => one.startsWith("PUT"))).toEqual([]);
  });
});

it("a deleted account of another tenant is not recovered by a flag that is a text", async () => {
  const { context, sent } = scene(
    (request) =>
      request.url.includes("/accounts/victim")
        ? Response.json({ error: { code: "ResourceNotFound", message: "no" } }, { status: 404 })
        : undefined,
    true,
  );
  await create(context, "azure:Microsoft.CognitiveServices/accounts@2024-10-01", {
    name: "victim",
    location: REGION,
    properties: { restore: "true" },
  });
  expect(sent.filter((one) => one.startsWith("PUT"))).toEqual([]);
});

describe("a resource group is not deleted with what is in it", () => {
  const next = `https://management.azure.com${group}/resources?api-version=2025-04-01&$skiptoken=1`;
  it.each<[string, unknown]>([
    ["an empty page that has a next one", { value: [], nextLink: next }],
    ["an answer without a list", {}],
    ["what is listed without an id", { value: [{ name: "database" }] }],
  ])("after %s", async (_, body) => {
    const { context, sent } = scene((request) =>
      new URL(request.url).pathname.endsWith("/resources") ? Response.json(body) : undefined,
    );
    await provider.delete(context, {
      type: "azure:Microsoft.Resources/resourceGroups",
      id: group,
      properties: { location: REGION },
      token: "t",
    });
    expect(sent.filter((one) => one.startsWith("DELETE"))).toEqual([]);
  });
});

it("an empty page of a resource group is followed to the next one, so that an empty group can go", async () => {
  const page = (more: object) => Response.json({ value: [], ...more });
  const next = `https://management.azure.com${group}/resources?api-version=2025-04-01&%24skiptoken=a%2Fb%3D`;
  const { context, sent } = scene((request) => {
    const url = new URL(request.url);
    if (!url.pathname.endsWith("/resources")) return undefined;
    return page(url.searchParams.get("$skiptoken") === "a/b=" ? {} : { nextLink: next });
  });
  await provider.delete(context, {
    type: "azure:Microsoft.Resources/resourceGroups",
    id: group,
    properties: { location: REGION },
    token: "t",
  });
  expect(sent.filter((one) => one.includes("/resources?"))).toHaveLength(2);
  expect(sent.filter((one) => one.startsWith("DELETE"))).toHaveLength(1);
});

it("pages of a resource group that never end are given up", async () => {
  const next = `https://management.azure.com${group}/resources?$skiptoken=1`;
  const { context, sent } = scene((request) =>
    new URL(request.url).pathname.endsWith("/resources")
      ? Response.json({ value: [], nextLink: next })
      : undefined,
  );
  const outcome = await provider.delete(context, {
    type: "azure:Microsoft.Resources/resourceGroups",
    id: group,
    properties: { location: REGION },
    token: "t",
  });
  expect(outcome).toMatchObject({ kind: "failed", code: "not_empty" });
  expect(sent.filter((one) => one.includes("/resources?"))).toHaveLength(10);
});

describe("a deleted workspace, which a PUT of its name recovers with its logs", () => {
  const type = "azure:Microsoft.OperationalInsights/workspaces";
  const properties = { name: "Victim-Logs", location: REGION, properties: {} };
  it.each<[string, (cloud: ArmCloud) => unknown, () => Response | undefined]>([
    ["that may be another tenant's", (cloud) => cloud.deletedWorkspaces.push("victim-logs"), none],
    ["that an odd answer may hide", none, () => Response.json({})],
    ["that an error hides", none, () => new Response(null, { status: 403 })],
  ])("%s is not recovered", async (_, prepare, answer) => {
    const { cloud, context, sent } = scene(
      (request) => (request.url.includes("/deletedWorkspaces") ? answer() : undefined),
      true,
    );
    prepare(cloud);
    expect(await create(context, type, properties)).toMatchObject({ kind: "failed" });
    expect(sent.filter((one) => one.startsWith("PUT"))).toEqual([]);
  });

  it("of another name keeps no one from a new workspace", async () => {
    const { cloud, context, sent } = scene(none, true);
    cloud.deletedWorkspaces.push("others");
    await create(context, type, properties);
    expect(sent.filter((one) => one.startsWith("PUT"))).toHaveLength(1);
  });
});

describe("a 404 that says nothing of the object", () => {
  it.each<[string, () => Response]>([
    [
      "a page of a gateway",
      () =>
        new Response("<html>404</html>", { status: 404, headers: { "content-type": "text/html" } }),
    ],
    ["an empty answer", () => new Response(null, { status: 404 })],
    [
      "JSON of something else",
      () => Response.json({ message: "no Route matched with those values" }, { status: 404 }),
    ],
    [
      "a hidden management group",
      () =>
        Response.json(
          { error: { code: "ManagementGroupNotFound", message: "x" } },
          { status: 404 },
        ),
    ],
    [
      "a feature",
      () => Response.json({ error: { code: "FeatureNotFound", message: "x" } }, { status: 404 }),
    ],
  ])("is not that it is gone: %s", async (_, answer) => {
    const { context } = scene((request) =>
      request.url.includes("/virtualNetworks/") ? answer() : undefined,
    );
    const outcome = await provider.read(context, {
      type: NETWORK,
      id: parents.network,
      properties: {},
    });
    expect(outcome.kind).toBe("failed");
  });
});

describe("a create whose answer was lost does not adopt", () => {
  it("an old network without the mark, at the name that the engine chose", async () => {
    const { cloud, context } = scene(none);
    cloud.put(`${group}/providers/Microsoft.Network/virtualNetworks/chosen-name-1`, {
      location: REGION,
    });
    const outcome = await provider.lookUp(context, {
      type: NETWORK,
      name: "chosen-name-1",
      token: "token-1",
      known: [],
      sentMs: Date.now() + 3_600_000,
      properties: {
        location: REGION,
        properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
      },
    });
    expect(outcome).not.toMatchObject({ kind: "done" });
  });
});

describe("a firewall rule that was made where a lost create would make it", () => {
  const lookUp = (context: ProviderContext, end: string) =>
    provider.lookUp(context, {
      type: "azure:Microsoft.DBforPostgreSQL/flexibleServers/firewallRules",
      name: "chosen-name-1",
      token: "token-1",
      known: [],
      sentMs: Date.now() - 60_000,
      properties: {
        parent: parents.server,
        name: "office",
        properties: { startIpAddress: "10.0.0.1", endIpAddress: end },
      },
    });
  const withRule = () => {
    const made = scene(none);
    made.cloud.put(`${parents.server}/firewallRules/office`, {
      properties: { startIpAddress: "10.0.0.1", endIpAddress: "10.0.0.9" },
    });
    return made.context;
  };
  it("is not adopted with other addresses", async () => {
    expect(await lookUp(withRule(), "10.0.0.1")).toMatchObject({
      kind: "failed",
      code: "cannot_tell",
      unknownOutcome: true,
    });
  });
  it("is adopted with all that was sent", async () => {
    expect(await lookUp(withRule(), "10.0.0.9")).toMatchObject({ kind: "done" });
  });
});

it("a type whose objects this provider cannot delete is not made: a group as part of its subscription", async () => {
  const { context, sent } = scene((request) =>
    new URL(request.url).pathname.endsWith("/resourceGroups/hidden") && request.method === "GET"
      ? Response.json({ error: { code: "ResourceGroupNotFound", message: "no" } }, { status: 404 })
      : undefined,
  );
  await create(context, "azure:Microsoft.Resources/subscriptions/resourceGroups@2025-04-01", {
    parent: `/subscriptions/${SUBSCRIPTION}`,
    name: "hidden",
    location: REGION,
  });
  expect(sent.filter((one) => one.startsWith("PUT"))).toEqual([]);
});

describe("a name of which the letter case means something", () => {
  const type = "azure:Microsoft.DBforPostgreSQL/flexibleServers/databases";
  const properties = { parent: parents.server, name: "Shop", properties: {} };
  const made = async (context: ProviderContext) => {
    const outcome = await untilFinal(provider, context, await create(context, type, properties), {
      type,
      name: "chosen-name-1",
      properties,
      verb: "create",
    });
    if (outcome.kind !== "done") throw new Error(JSON.stringify(outcome));
    return outcome;
  };

  it("is sent as the template has it, also by a read, an update and a delete", async () => {
    const { context, sent } = scene(none);
    const { id } = await made(context);
    expect(id).toContain("/databases/shop");
    sent.length = 0;
    await provider.read(context, { type, id, properties });
    await provider.update(context, {
      type,
      id,
      name: "chosen-name-1",
      properties,
      before: properties,
      unsure: true,
      token: "t",
    });
    await provider.delete(context, { type, id, properties, token: "t" });
    const databases = sent.filter((one) => /\/databases\//i.test(one));
    expect(databases.map((one) => one.split(" ")[0])).toEqual(
      expect.arrayContaining(["GET", "PUT", "DELETE"]),
    );
    expect(databases.filter((one) => !one.includes("/databases/Shop?"))).toEqual([]);
  });

  it("is told, so that what stands in the object is sent so too", async () => {
    const { context, sent } = scene(none);
    const { outputs } = await made(context);
    expect(outputs["id"]).toMatch(/\/parent-server\/databases\/Shop$/);
    const inside = "azure:Microsoft.DBforPostgreSQL/flexibleServers/databases/parts@2024-08-01";
    await create(context, inside, { parent: outputs["id"] ?? "", name: "Part" });
    expect(sent.at(-1)).toContain("/databases/Shop/parts/Part?");
  });
});

it("an object that Azure shows under another id is not taken for the one that was asked for", async () => {
  const alias = `${group}/providers/Microsoft.Network/virtualNetworks/alias`;
  const { context, sent } = scene((request) =>
    request.url.includes("/virtualNetworks/alias")
      ? Response.json({
          id: parents.network,
          name: "parent-network",
          location: REGION,
          properties: { provisioningState: "Succeeded" },
        })
      : undefined,
  );
  const call = { type: NETWORK, id: alias, name: "alias", properties: {}, token: "t" };
  const other = { kind: "failed", code: "other_id" };
  expect(await provider.read(context, call)).toMatchObject(other);
  expect(await provider.update(context, { ...call, before: {}, unsure: true })).toMatchObject(
    other,
  );
  expect(sent.filter((one) => one.startsWith("PUT"))).toEqual([]);
  const handle = { sinceMs: Date.now() };
  const polled = await provider.poll(context, {
    ...call,
    verb: "create",
    properties: { name: "alias", location: REGION },
    handle,
  });
  expect(polled).toMatchObject({ ...other, id: expect.stringContaining("/alias") });
});
