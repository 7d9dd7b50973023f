import { isJsonMap, type Json } from "#platform/json.ts";
import type { Behaviour, RealCloud } from "./behaviour.ts";

const POST = /^POST$/;
const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new network is not found by what is made in it",
    source: "https://github.com/oracle/terraform-provider-oci/issues/745",
    does: "refuse",
    method: POST,
    at: /\/(?:subnets|internetGateways|routeTables|networkSecurityGroups|loadBalancers|dbSystems)$/,
    fresh: /\/(?:vcns|subnets|compartments)\/[^/]+$/,
    status: 404,
    says: {
      code: "NotAuthorizedOrNotFound",
      message: "Authorization failed or requested resource not found.",
    },
    times: 3,
  },
  {
    what: "a new compartment is not in the tree",
    source: "https://github.com/oracle/terraform-provider-oci/issues/1901",
    does: "refuse",
    method: POST,
    at: /\/(?:policies|vcns|loadBalancers|zones)$/,
    fresh: /\/compartments\/[^/]+$/,
    status: 400,
    says: {
      code: "InvalidParameter",
      message: "Ocid '{name}' not found in Compartment Tree!",
    },
    times: 3,
  },
  {
    what: "an object's state does not allow the call yet",
    source: "https://github.com/oracle/oci-cli/issues/1108",
    does: "refuse",
    method: DELETE,
    at: /\/vcns\//,
    status: 409,
    says: { code: "IncorrectState", message: "{at} is associated with Gateway that is in use" },
  },
  {
    what: "a subnet is still referenced by an address",
    source: "https://github.com/oracle/terraform-provider-oci/issues/2185",
    does: "refuse",
    method: DELETE,
    at: /\/(?:subnets|networkSecurityGroups|routeTables)\//,
    status: 409,
    says: {
      code: "Conflict",
      message:
        "The Subnet {at} references the service VNIC ocid1.vnic.oc1.x. You must remove the reference to proceed with this operation.",
    },
  },
  {
    what: "a user makes too many calls",
    source: "https://github.com/oracle/terraform-provider-oci/issues/678",
    does: "refuse",
    at: /./,
    status: 429,
    says: { code: "TooManyRequests", message: "User-rate limit exceeded." },
    times: 1,
  },
  {
    what: "a load balancer is being changed",
    source: "https://github.com/oracle/terraform-provider-oci/issues/414",
    does: "refuse",
    method: /^(?:PUT|DELETE)$/,
    at: /\/loadBalancers\//,
    status: 409,
    says: {
      code: "IncorrectState",
      message: "The load balancer is in the UPDATING state, which does not allow this request.",
    },
    times: 1,
  },
  {
    what: "two changes of one object collide",
    source: "https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm",
    does: "refuse",
    method: /^(?:PUT|DELETE)$/,
    at: /./,
    status: 409,
    says: {
      code: "ConcurrentModification",
      message: "The resource is being modified concurrently.",
    },
    times: 1,
  },
  {
    what: "the service meets an internal error at a read",
    source: "https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm",
    does: "refuse",
    method: /^GET$/,
    at: /./,
    status: 500,
    says: { code: "InternalServerError", message: "An internal server error occurred." },
    times: 1,
  },
  {
    what: "a new object is not read yet",
    source: "https://github.com/oracle/terraform-provider-oci/issues/745",
    does: "hide",
    from: "reads",
    at: /./,
    forMs: 20_000,
  },
  {
    what: "a new object is not listed yet",
    source: "https://github.com/oracle/terraform-provider-oci/issues/745",
    does: "hide",
    from: "lists",
    at: /./,
    forMs: 20_000,
  },
  {
    what: "objects show tags of their own",
    source: "https://github.com/oracle/terraform-provider-oci/issues/1397",
    does: "show",
    method: /^GET$/,
    at: /\/(?:vcns|subnets|routeTables|internetGateways)\//,
    as: (object) => ({
      ...object,
      definedTags: {
        "Oracle-Tags": { CreatedBy: "default/deployer", CreatedOn: "2026-06-01T00:00:00.000Z" },
      },
    }),
  },
];

const ID = /\/ocid1\.[^/]+$/;

function idIn(answer: Json): string | undefined {
  return isJsonMap(answer) && typeof answer["id"] === "string" ? answer["id"] : undefined;
}

/** Oracle's services; sign-ins pass, and what belongs to work requests. */
export const realOci: RealCloud = {
  callOf: (request, text) => {
    const { hostname, origin, pathname } = new URL(request.url);
    if (hostname.startsWith("idcs-") || /workrequests/i.test(pathname)) return undefined;
    const at = decodeURIComponent(pathname);
    const token = request.headers.get("opc-retry-token");
    const of = { method: request.method, origin, at, text: `${at} ${text}` };
    return token === null ? of : { ...of, token };
  },
  reads: ({ method, at }) => method === "GET" && ID.test(at),
  lists: ({ method, at }) => method === "GET" && !ID.test(at),
  deletes: ({ method }) => method === "DELETE",
  madeBy: ({ method, at }, answer) => {
    const id = method === "POST" ? idIn(answer) : undefined;
    return id === undefined ? undefined : { at: `${at}/${id}`, names: [id] };
  },
  refuse: (_, { status, says }) =>
    Response.json({ ...says }, { status, headers: { "opc-request-id": crypto.randomUUID() } }),
  missing: () =>
    Response.json(
      {
        code: "NotAuthorizedOrNotFound",
        message: "Authorization failed or requested resource not found.",
      },
      { status: 404, headers: { "opc-request-id": crypto.randomUUID() } },
    ),
  behaviours,
};
