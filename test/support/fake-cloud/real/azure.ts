import { changedAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Behaviour, RealCloud } from "./behaviour.ts";

/** ARM's paths in lower case. */
const inGroup = /\/resourcegroups\/[^/]+\/providers\//;
const GROUP = /\/resourcegroups\/[^/]+$/;
const PUT = /^PUT$/;
const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new resource group is not found",
    source: "https://github.com/hashicorp/terraform-provider-azurerm/issues/18268",
    does: "refuse",
    method: PUT,
    at: inGroup,
    fresh: GROUP,
    status: 404,
    says: { code: "ResourceGroupNotFound", message: "Resource group '{name}' could not be found." },
    times: 3,
  },
  {
    what: "a new parent is not found",
    source: "https://github.com/Azure/azure-service-operator/issues/2203",
    does: "refuse",
    method: PUT,
    at: /\/flexibleservers\/[^/]+\/|\/dnszones\/[^/]+\/|\/vaults\/[^/]+\//,
    fresh: /\/(?:flexibleservers|dnszones|vaults)\/[^/]+$/,
    status: 404,
    says: {
      code: "ParentResourceNotFound",
      message:
        "Failed to write resource(s) of type 'x', because the parent resource '{name}' could not be found.",
    },
  },
  {
    what: "a new identity is not in the directory",
    source: "https://learn.microsoft.com/en-us/azure/role-based-access-control/troubleshooting",
    does: "refuse",
    method: PUT,
    at: /\/roleassignments\/[^/]+$/,
    fresh: /\/userassignedidentities\/[^/]+$/,
    status: 400,
    says: {
      code: "PrincipalNotFound",
      message:
        "Principal 8a93f2b1 does not exist in the directory 22222222-2222-4222-8222-222222222222.",
    },
    times: 3,
  },
  {
    what: "an app's identity may not read a secret yet",
    source: "https://github.com/microsoft/azure-container-apps/issues/722",
    does: "end failed",
    leaves: true,
    method: PUT,
    at: /\/containerapps\/[^/]+$/,
    fresh: /\/roleassignments\/[^/]+$|\/userassignedidentities\/[^/]+$/,
    says: {
      code: "InvalidParameterValueInContainerTemplate",
      message:
        "The following field(s) are either invalid or missing. Field 'configuration.secrets' is invalid with details: 'Invalid value: \"database-password\": Unable to get value using Managed identity /subscriptions/1/identities/app for secret database-password'.",
    },
  },
  {
    what: "the operation of a create ends retryable",
    source: "https://github.com/hashicorp/terraform-provider-azurerm/issues/30197",
    does: "end failed",
    leaves: true,
    method: PUT,
    at: /\/(?:virtualnetworks|networkinterfaces|privateendpoints|managedenvironments|flexibleservers)\/[^/]+$/,
    says: {
      code: "RetryableError",
      message: "A retryable error occurred.",
    },
    times: 1,
  },
  {
    what: "a referenced object is still updating",
    source: "https://github.com/hashicorp/terraform/issues/7986",
    does: "refuse",
    method: PUT,
    at: /\/(?:networkinterfaces|subnets|containerapps)\/[^/]+$/,
    status: 429,
    says: { code: "RetryableError", message: "A retryable error occured." },
  },
  {
    what: "another operation is in progress",
    source: "https://github.com/pulumi/pulumi-azure-native/issues/699",
    does: "refuse",
    method: PUT,
    at: /\/(?:subnets|virtualnetworks|dnszones|workspaces)\/[^/]+$/,
    status: 409,
    says: {
      code: "AnotherOperationInProgress",
      message:
        "Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: https://management.azure.com/x.",
    },
  },
  {
    what: "a database server is busy",
    source: "https://github.com/Azure/bicep-registry-modules/issues/4451",
    does: "refuse",
    method: /^(?:PUT|DELETE)$/,
    at: /\/flexibleservers\/[^/]+\/(?:databases|firewallrules|configurations)\/[^/]+$/,
    status: 409,
    says: {
      code: "ServerBusy",
      message: "Server 'shop' is busy with another operation. Please try again later.",
    },
  },
  {
    what: "an environment for apps is not provisioned yet",
    source: "https://github.com/microsoft/azure-container-apps/issues/1208",
    does: "refuse",
    method: PUT,
    at: /\/containerapps\/[^/]+$/,
    fresh: /\/managedenvironments\/[^/]+$/,
    status: 400,
    says: {
      code: "ManagedEnvironmentNotProvisioned",
      message: "The environment '{name}' has not been provisioned successfully.",
    },
  },
  {
    what: "an environment for apps is being changed",
    source: "https://github.com/microsoft/azure-container-apps/issues/1112",
    does: "refuse",
    method: /^(?:PUT|DELETE)$/,
    at: /\/managedenvironments\/[^/]+$/,
    status: 409,
    says: {
      code: "ManagedEnvironmentOperationInProgress",
      message: "Cannot modify Container Apps environment because another operation is in progress.",
    },
    times: 1,
  },
  {
    what: "writes are throttled",
    source:
      "https://learn.microsoft.com/en-us/azure/azure-resource-manager/management/request-limits-and-throttling",
    does: "refuse",
    method: PUT,
    at: /./,
    status: 429,
    says: {
      code: "SubscriptionRequestsThrottled",
      message:
        "Number of write requests for subscription '11111111' exceeded the limit. Please try again after '7' seconds.",
    },
    headers: { "retry-after": "7", "x-ms-ratelimit-remaining-subscription-writes": "0" },
    times: 1,
  },
  {
    what: "a subnet is still in use",
    source: "https://github.com/Azure-Samples/Copilot-Studio-with-Azure-AI-Search/issues/99",
    does: "refuse",
    method: DELETE,
    at: /\/subnets\/[^/]+$/,
    status: 400,
    says: {
      code: "InUseSubnetCannotBeDeleted",
      message:
        "Subnet shop is in use by /subscriptions/1/networkInterfaces/shop/ipConfigurations/one and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet.",
    },
  },
  {
    what: "a server is busy at the end of an operation",
    source: "https://github.com/hashicorp/terraform-provider-azurerm/pull/28319",
    does: "end failed",
    method: PUT,
    at: /\/flexibleservers\/[^/]+\/(?:databases|firewallrules)\/[^/]+$/,
    says: {
      code: "ConflictingServerOperation",
      message: "Server 'shop' is busy with another operation. Please try your operation later.",
    },
    times: 1,
  },
  {
    what: "a new object is not read yet",
    source: "https://github.com/Azure/terraform-provider-azapi/issues/587",
    does: "hide",
    from: "reads",
    at: /./,
    forMs: 20_000,
  },
  {
    what: "a new object is missing from the contents of its group",
    source: "https://github.com/Azure/azure-cli/issues/17910",
    does: "hide",
    from: "lists",
    at: /./,
    forMs: 30_000,
  },
  {
    what: "a deleted object is still read",
    source: "https://github.com/Azure/azure-rest-api-specs/issues/10148",
    does: "keep",
    method: DELETE,
    at: /./,
    forMs: 20_000,
  },
  {
    what: "ids are shown in upper case",
    source:
      "https://learn.microsoft.com/en-us/azure/azure-resource-manager/management/resource-name-rules",
    does: "show",
    method: /^GET$/,
    at: inGroup,
    as: (object) =>
      typeof object["id"] === "string" ? { ...object, id: shoutedGroup(object["id"]) } : object,
  },
];

function shoutedGroup(id: string): string {
  return id.replace(/(?<=\/resourcegroups\/)[^/]+/i, (name) => name.toUpperCase());
}

function failedOf(answer: Json | undefined): JsonMap {
  return isJsonMap(answer) ? answer : {};
}

let number = 0;

/** ARM; sign-ins and operations of the cloud itself pass. */
export const realAzure: RealCloud = {
  callOf: (request, text) => {
    const { origin, pathname } = new URL(request.url);
    if (!/\/subscriptions\//i.test(pathname) && !pathname.startsWith("/real-operations/"))
      return undefined;
    const at = decodeURIComponent(pathname).toLowerCase();
    return { method: request.method, origin, at, text: `${at} ${text}`.toLowerCase() };
  },
  reads: ({ method, at }) => method === "GET" && !at.endsWith("/resources"),
  lists: ({ method, at }) => method === "GET" && at.endsWith("/resources"),
  deletes: ({ method }) => method === "DELETE",
  madeBy: ({ method, at }, answer) => {
    const name = at.slice(at.lastIndexOf("/") + 1);
    const { name: shown, properties } = failedOf(answer);
    const principal = isJsonMap(properties) ? properties["principalId"] : undefined;
    return method === "PUT"
      ? {
          at,
          names: [
            ...(GROUP.test(at) ? [name] : [at]),
            ...[shown, principal].filter((one) => typeof one === "string"),
          ],
        }
      : undefined;
  },
  refuse: (_, { status, says }) => Response.json({ error: { ...says } }, { status }),
  missing: ({ at }) =>
    Response.json(
      { error: { code: "ResourceNotFound", message: `The Resource '${at}' was not found.` } },
      { status: 404 },
    ),
  failed: ({ origin, at }, says, accepted) => {
    const place = `/real-operations/${(number += 1)}`;
    return {
      answer: new Response(accepted?.body ?? null, {
        status: accepted?.status ?? 202,
        headers: {
          "content-type": "application/json",
          "azure-asyncoperation": `${origin}${place}?api-version=2020-01-01`,
        },
      }),
      polledAt: place,
      polled: () => Response.json({ status: "Failed", error: { ...says } }),
      left: {
        at,
        as: (object) => changedAt(object, "properties.provisioningState", () => "Failed"),
      },
    };
  },
  behaviours,
};
