import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { azureProvider } from "#providers/azure/azure-provider.ts";
import { spelledId } from "#providers/azure/place.ts";
import { partOf } from "#test/support/depth.ts";
import { ArmCloud, GROUP, REGION, SUBSCRIPTION } from "./azure/arm-cloud.ts";
import { addParents, parents } from "./azure/samples.ts";
import { conformanceCloud, foreignName } from "./conformance-cloud.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";

const said = (code: string, message: string): JsonMap => ({ error: { code, message } });

const refusals: readonly Refusal[] = [
  { on: "create", status: 403, body: said("AuthorizationFailed", "no"), means: "denied" },
  { on: "create", status: 403, body: said("RequestDisallowedByPolicy", "no"), means: "invalid" },
  { on: "create", status: 404, body: said("ResourceGroupNotFound", "none"), means: "invalid" },
  { on: "create", status: 404, body: said("SubscriptionNotFound", "none"), means: "denied" },
  {
    on: "create",
    status: 409,
    body: said("MissingSubscriptionRegistration", "not registered"),
    means: "invalid",
  },
  {
    on: "create",
    status: 409,
    body: said("OperationNotAllowed", "exceeding approved cores quota"),
    means: "quota",
  },
  { on: "create", status: 409, body: said("AnotherOperationInProgress", "wait"), means: "busy" },
  { on: "create", status: 409, body: said("SkuNotAvailable", "not here"), means: "invalid" },
  { on: "create", status: 400, body: said("InvalidRequestContent", "bad"), means: "invalid" },
  { on: "create", status: 429, body: said("TooManyRequests", "rate"), means: "throttled" },
  { on: "delete", status: 409, body: said("Conflict", "busy"), means: "busy" },
  { on: "delete", status: 409, body: said("ScopeLocked", "locked"), means: "denied" },
  { on: "delete", status: 404, body: said("ResourceNotFound", "none"), means: "gone" },
  { on: "delete", status: 404, body: said("ResourceGroupNotFound", "none"), means: "gone" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals" | "missingId"> & {
  idOf: (name: string) => string;
};

function cloudOf({ type, idOf, properties }: Subject, script: ConformanceScript): ConformanceCloud {
  const collection = type.replace("azure:", "");
  return conformanceCloud(collection, script, (options) => {
    const cloud = new ArmCloud(options);
    addParents(cloud);
    return {
      context: (more) => cloud.context(more),
      fetch: cloud.fetch,
      living: () => cloud.living(collection).map(({ id }) => spelledId(id)),
      finish: () => cloud.finish(),
      put: (name, at) => {
        const { parent: _, name: __, ...body } = properties(name);
        cloud.put(idOf(foreignName(name, at, true)), body);
      },
      isSignIn: ({ pathname }) => pathname.endsWith("/oauth2/v2.0/token"),
    };
  });
}

const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers`;
const here = { location: REGION };
const prefix = (address: string) => ({ addressSpace: { addressPrefixes: [address] } });
const range = (end: string) => ({ startIpAddress: "203.0.113.1", endIpAddress: end });
const storage = (tier: string, location = REGION) => ({
  location,
  sku: { name: "Standard_LRS" },
  kind: "StorageV2",
  properties: { accessTier: tier },
});

const subjects: readonly Subject[] = [
  {
    type: "azure:Microsoft.Network/virtualNetworks",
    idOf: (name) => `${group}/Microsoft.Network/virtualNetworks/${name}`,
    properties: (name) => ({ ...here, name, properties: prefix("10.0.0.0/16"), tags: { a: "b" } }),
    changed: (name) => ({ ...here, name, properties: prefix("10.1.0.0/16"), tags: { a: "c" } }),
    immutableChanged: (name) => ({
      location: "northeurope",
      name,
      properties: prefix("10.0.0.0/16"),
    }),
  },
  {
    // Changes are answered without a body, by the URL of a result.
    type: "azure:Microsoft.Storage/storageAccounts",
    idOf: (name) => `${group}/Microsoft.Storage/storageAccounts/${name}`,
    properties: (name) => ({ ...storage("Hot"), name }),
    changed: (name) => ({ ...storage("Cool"), name }),
    immutableChanged: (name) => ({ ...storage("Hot", "northeurope"), name }),
  },
  {
    // Nothing but the object's own state says when a change is over.
    type: "azure:Microsoft.OperationalInsights/workspaces",
    idOf: (name) => `${group}/Microsoft.OperationalInsights/workspaces/${name}`,
    properties: (name) => ({ ...here, name, properties: { retentionInDays: 30 } }),
    changed: (name) => ({ ...here, name, properties: { retentionInDays: 60 } }),
  },
  {
    // It takes no tags, so it has no mark.
    type: "azure:Microsoft.DBforPostgreSQL/flexibleServers/firewallRules",
    idOf: (name) => `${parents.server}/firewallRules/${name}`,
    properties: (name) => ({
      parent: spelledId(parents.server),
      name,
      properties: range("203.0.113.9"),
    }),
    changed: (name) => ({
      parent: spelledId(parents.server),
      name,
      properties: range("203.0.113.12"),
    }),
    readyAtOnce: true,
  },
  {
    // The cloud itself refuses a create where something is.
    type: "azure:Microsoft.Network/dnsZones/A",
    idOf: (name) => `${parents.zone}/A/${name}`,
    properties: (name) => ({ parent: spelledId(parents.zone), name, properties: { TTL: 300 } }),
    changed: (name) => ({ parent: spelledId(parents.zone), name, properties: { TTL: 600 } }),
    readyAtOnce: true,
  },
];

/** Those that an ordinary run takes: each way of Azure's in turn. */
for (const subject of partOf(subjects, 3))
  describe(`the conformance of ${subject.type}`, () => {
    const { idOf: _, ...rest } = subject;
    providerConformance({
      ...rest,
      missingId: spelledId(subject.idOf("missing")),
      provider: azureProvider(),
      uniqueNames: true,
      placed: true,
      refusals,
      cloud: (script) => cloudOf(subject, script),
    });
  });
