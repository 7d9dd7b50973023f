import { type Behaviour } from "./behaviour.ts";
import { restShape } from "./rest-shape.ts";

const POST = /^POST$/;
const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a locked server is not deleted, said with 500",
    source: "https://github.com/vultr/ansible-collection-vultr/issues/113",
    does: "refuse",
    method: DELETE,
    at: /\/v2\/instances\//,
    status: 500,
    says: {
      code: "",
      message: "Unable to destroy server: Unable to remove VM: Server is currently locked",
    },
  },
  {
    what: "a volume cannot be attached to a locked server",
    source: "https://github.com/vultr/terraform-provider-vultr/issues/482",
    does: "refuse",
    method: POST,
    at: /\/v2\/blocks\/[^/]+\/attach$/,
    status: 400,
    says: { code: "", message: "Unable to attach volume: Server is currently locked" },
  },
  {
    what: "a load balancer is not ready for its delete",
    source: "https://github.com/vultr/terraform-provider-vultr/issues/398",
    does: "refuse",
    method: DELETE,
    at: /\/v2\/load-balancers\//,
    status: 400,
    says: { code: "", message: "Cannot remove load balancer: Load balancer is not ready." },
  },
  {
    what: "a network is still attached",
    source: "https://github.com/vultr/terraform-provider-vultr/issues/355",
    does: "refuse",
    method: DELETE,
    at: /\/v2\/vpcs\//,
    status: 400,
    says: {
      code: "",
      message: "VPC is attached to 139.84.195.171, 139.84.195.133, 139.84.195.124",
    },
    times: 4,
  },
  {
    what: "a network is not attached at the first attempt",
    source: "https://github.com/dstackai/dstack/pull/2132",
    does: "refuse",
    method: POST,
    at: /\/v2\/instances\/[^/]+\/vpcs\/attach$/,
    status: 400,
    says: { code: "", message: "Unable to attach VPC: Server is currently locked" },
  },
  {
    what: "a new load balancer shows no address",
    source: "https://github.com/vultr/terraform-provider-vultr/issues/635",
    does: "show",
    method: /^(?:GET|POST)$/,
    at: /\/v2\/load-balancers/,
    youngMs: 60_000,
    as: (object) => (object["ipv4"] === undefined ? object : { ...object, ipv4: "", ipv6: "" }),
  },
  {
    what: "calls are throttled",
    source: "https://www.vultr.com/api/#section/Introduction/Rate-Limit",
    does: "refuse",
    at: /\/v2\//,
    status: 429,
    says: { code: "", message: "Rate limit reached - please slow down" },
    times: 1,
  },
  {
    what: "the API is unavailable at a read",
    source: "https://www.vultr.com/api/#section/Introduction/Rate-Limit",
    does: "refuse",
    method: /^GET$/,
    at: /\/v2\//,
    status: 503,
    says: { code: "", message: "Service Temporarily Unavailable" },
    times: 1,
  },
  {
    what: "a deleted server is still shown",
    source: "https://github.com/vultr/terraform-provider-vultr/issues/395",
    does: "keep",
    method: DELETE,
    at: /\/v2\/(?:instances|load-balancers)\/[^/]+$/,
    forMs: 30_000,
  },
];

export const realVultr = restShape({
  error: (status, { message }) => ({ error: message, status }),
  missing: { code: "", message: "Not found" },
  ignores: /\/v2\/account$/,
  behaviours,
});
