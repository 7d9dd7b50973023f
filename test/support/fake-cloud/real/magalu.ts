import { type Behaviour } from "./behaviour.ts";
import { restShape, reversed } from "./rest-shape.ts";

const POST = /^POST$/;
const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a volume is still in use",
    source: "https://github.com/MagaluCloud/terraform-provider-mgc/issues/1",
    does: "refuse",
    method: DELETE,
    at: /\/volumes\//,
    status: 409,
    says: { code: "delete.volume.in_use", message: "Volume is in use" },
    times: 3,
  },
  {
    what: "a cluster is still provisioned when its node pool is made",
    source: "https://github.com/MagaluCloud/terraform-provider-mgc/issues/11",
    does: "refuse",
    method: POST,
    at: /\/clusters\/[^/]+\/node_pools$/,
    status: 400,
    says: { code: "unknown", message: "cluster in provisioning" },
  },
  {
    what: "a subnet shows a zone of its own",
    source: "https://github.com/MagaluCloud/terraform-provider-mgc/issues/251",
    does: "show",
    method: /^GET$/,
    at: /\/subnets\//,
    as: (object) => ({ ...object, zone: "br-ne1-a" }),
  },
  {
    what: "calls are throttled",
    source: "https://docs.magalu.cloud/docs/api/",
    does: "refuse",
    at: /./,
    status: 429,
    says: { code: "too_many_requests", message: "API rate limit exceeded" },
    headers: { "retry-after": "2" },
    times: 1,
  },
  {
    what: "the gateway has no answer at a read",
    source: "https://docs.magalu.cloud/docs/api/",
    does: "refuse",
    method: /^GET$/,
    at: /./,
    status: 504,
    says: { code: "timeout", message: "The upstream server is timing out" },
    times: 1,
  },
  {
    what: "security groups are shown in another order",
    source: "https://github.com/MagaluCloud/terraform-provider-mgc/issues/102",
    does: "show",
    method: /^GET$/,
    at: /\/instances\//,
    as: (object) => reversed(object, "security_groups"),
  },
  {
    what: "a deleted machine is still shown",
    source: "https://github.com/MagaluCloud/terraform-provider-mgc/issues/1",
    does: "keep",
    method: DELETE,
    at: /\/(?:instances|volumes)\//,
    forMs: 30_000,
  },
];

export const realMagalu = restShape({
  error: (_, { code, message }) => ({ slug: code, message }),
  missing: { code: "not_found", message: "The resource was not found." },
  behaviours,
});
