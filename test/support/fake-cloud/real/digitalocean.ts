import { type Behaviour } from "./behaviour.ts";
import { restShape, reversed } from "./rest-shape.ts";

const POST = /^POST$/;
const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new Droplet is not found",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/issues/378",
    does: "hide",
    from: "reads",
    at: /\/v2\/droplets\//,
    forMs: 20_000,
  },
  {
    what: "a new database is not found",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/issues/361",
    does: "hide",
    from: "reads",
    at: /\/v2\/databases\/[^/]+$/,
    forMs: 20_000,
  },
  {
    what: "a new replica is not found or listed",
    source: "https://github.com/digitalocean/api-v2/issues/200",
    does: "hide",
    from: "reads",
    at: /\/v2\/databases\/[^/]+\/(?:replicas|dbs|users)\/[^/]+$/,
    forMs: 60_000,
  },
  {
    what: "the name of a deleted database is still taken",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/pull/198",
    does: "refuse",
    method: POST,
    at: /\/v2\/databases$/,
    gone: /\/v2\/databases\/[^/]+$/,
    status: 422,
    says: { code: "unprocessable_entity", message: "cluster name is not available" },
  },
  {
    what: "a new load balancer is not found",
    source: "https://github.com/hashicorp/terraform/pull/14897",
    does: "hide",
    from: "reads",
    at: /\/v2\/load_balancers\//,
    forMs: 20_000,
  },
  {
    what: "a VPC still has members",
    source: "https://github.com/pulumi/pulumi-digitalocean/issues/753",
    does: "refuse",
    method: DELETE,
    at: /\/v2\/vpcs\//,
    status: 409,
    says: { code: "conflict", message: "Can not delete VPC with members" },
    times: 4,
  },
  {
    what: "a load balancer processes previous actions",
    source: "https://github.com/digitalocean/openapi/issues/1173",
    does: "refuse",
    method: /^(?:PUT|DELETE)$/,
    at: /\/v2\/load_balancers\//,
    status: 403,
    says: {
      code: "forbidden",
      message: "Load Balancer can't be updated while it processes previous actions",
    },
  },
  {
    what: "a Droplet has a pending event",
    source: "https://github.com/hashicorp/packer/issues/1814",
    does: "refuse",
    method: /^(?:POST|DELETE)$/,
    at: /\/v2\/droplets\/./,
    status: 422,
    says: { code: "unprocessable_entity", message: "Droplet already has a pending event." },
  },
  {
    what: "a database is not ready for what is made in it",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/pull/907",
    does: "refuse",
    method: POST,
    at: /\/v2\/databases\/[^/]+\/(?:dbs|users|pools|replicas)$/,
    status: 412,
    // The report names the status alone.
    says: { code: "precondition_failed", message: "" },
  },
  {
    what: "a pool of connections ends with an internal error",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/issues/381",
    does: "refuse",
    method: /^GET$/,
    at: /\/v2\/databases\/./,
    status: 500,
    says: { code: "server_error", message: "Unexpected server-side error" },
    times: 1,
  },
  {
    what: "calls are throttled",
    source: "https://docs.digitalocean.com/reference/api/digitalocean/",
    does: "refuse",
    at: /\/v2\//,
    status: 429,
    says: { code: "too_many_requests", message: "API Rate limit exceeded." },
    headers: { "retry-after": "3", "ratelimit-remaining": "0", "ratelimit-limit": "5000" },
    times: 1,
  },
  {
    what: "a deleted load balancer is still shown",
    source: "https://github.com/digitalocean/terraform-provider-digitalocean/issues/1368",
    does: "keep",
    method: DELETE,
    at: /\/v2\/(?:load_balancers|databases)\/[^/]+$/,
    forMs: 40_000,
  },
  {
    what: "lists of Droplets are shown in another order",
    source:
      "https://registry.terraform.io/providers/digitalocean/digitalocean/latest/docs/resources/loadbalancer",
    does: "show",
    method: /^GET$/,
    at: /\/v2\/load_balancers\//,
    as: (object) => reversed(object, "droplet_ids"),
  },
];

export const realDigitalocean = restShape({
  error: (_, { code, message }) => ({ id: code, message }),
  missing: { code: "not_found", message: "The resource you requested could not be found." },
  ignores: /\/v2\/account$/,
  behaviours,
});
