import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Behaviour, RealCloud, Words } from "./behaviour.ts";

const PATCH = /^PATCH$/;
const inNamespace = /^\/apis?\/.*\/namespaces\/[^/]+\/[a-z]+\/[^/]+$/;
const NAMESPACE = /^\/api\/v1\/namespaces\/[^/]+$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a namespace of this name still goes",
    source: "https://github.com/kubernetes/kubernetes/issues/38612",
    does: "refuse",
    method: PATCH,
    at: inNamespace,
    status: 403,
    says: {
      code: "Forbidden:NamespaceTerminating",
      message:
        'secrets "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
    },
  },
  {
    what: "a new namespace is not found",
    source: "https://github.com/kubernetes/kubernetes/issues/97294",
    does: "refuse",
    method: PATCH,
    at: inNamespace,
    fresh: NAMESPACE,
    status: 404,
    says: { code: "NotFound", message: 'namespaces "{name}" not found' },
  },
  {
    what: "an object was changed meanwhile",
    source: "https://github.com/loft-sh/kiosk/issues/62",
    does: "refuse",
    method: PATCH,
    at: /^\/apis?\//,
    status: 409,
    says: {
      code: "Conflict",
      message:
        'Operation cannot be fulfilled on namespaces "shop": the object has been modified; please apply your changes to the latest version and try again',
    },
  },
  {
    what: "the contents of a namespace are still removed",
    source: "https://github.com/kubernetes/kubernetes/issues/60807",
    does: "refuse",
    method: /^DELETE$/,
    at: NAMESPACE,
    status: 409,
    says: {
      code: "Conflict",
      message:
        'Operation cannot be fulfilled on namespaces "shop": The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.',
    },
  },
  {
    what: "the store of a cluster changes its leader",
    source: "https://github.com/carvel-dev/kapp/issues/106",
    does: "refuse",
    at: /^\/apis?\//,
    status: 500,
    says: { code: "", message: "etcdserver: leader changed" },
    times: 1,
  },
  {
    what: "a webhook of a cluster fails",
    source: "https://github.com/oracle/cluster-api-provider-oci/issues/345",
    does: "refuse",
    method: PATCH,
    at: /^\/apis\//,
    status: 500,
    says: {
      code: "InternalError",
      message:
        'Internal error occurred: failed calling webhook "validate.example": connect: connection refused',
    },
    times: 1,
  },
  {
    what: "a cluster throttles calls",
    source: "https://kubernetes.io/docs/concepts/cluster-administration/flow-control/",
    does: "refuse",
    at: /^\/apis?\//,
    status: 429,
    says: { code: "TooManyRequests", message: "Too many requests, please try again later." },
    headers: { "retry-after": "1" },
    times: 1,
  },
  {
    what: "a deployment shows defaults of its own",
    source: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",
    does: "show",
    method: /^GET$/,
    at: /\/deployments\//,
    as: (object) => ({
      ...object,
      spec: {
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        ...(isJsonMap(object["spec"]) ? object["spec"] : {}),
      },
    }),
  },
  {
    what: "a deleted network is still shown",
    source: "https://github.com/coreweave/terraform-provider-coreweave/pull/87",
    does: "keep",
    method: /^DELETE$/,
    at: /\/(?:vpcs|clusters)\//,
    forMs: 30_000,
  },
  {
    what: "a network is still in use",
    source: "https://docs.coreweave.com/docs/products/networking/vpc",
    does: "refuse",
    method: /^DELETE$/,
    at: /\/networking\/vpcs\//,
    status: 400,
    says: { code: "9", message: "the VPC is still in use" },
  },
];

function refusal(at: string, status: number, { code, message }: Words): Response {
  if (!/^\/apis?\//.test(at)) return Response.json({ code: 9, message }, { status });
  const [reason = "", cause] = code.split(":");
  const name = /"([^"]*)"/.exec(message)?.[1] ?? "";
  const details: JsonMap = {
    ...(reason === "NotFound" ? { name, kind: "namespaces" } : {}),
    ...(cause === undefined ? {} : { causes: [{ reason: cause, message }] }),
  };
  return Response.json(
    { kind: "Status", status: "Failure", code: status, reason, message, details },
    { status },
  );
}

/** CoreWeave's own API, and that of its clusters. */
export const realCoreweave: RealCloud = {
  callOf: (request, text) => {
    const { origin, pathname } = new URL(request.url);
    const at = decodeURIComponent(pathname);
    return { method: request.method, origin, at, text: `${at} ${text}` };
  },
  reads: ({ method, at }) => method === "GET" && !/(?:vpcs|clusters|access-key)$/.test(at),
  lists: ({ method, at }) => method === "GET" && /(?:vpcs|clusters|access-key)$/.test(at),
  deletes: ({ method }) => method === "DELETE",
  madeBy: ({ method, at }) =>
    method === "PATCH" && at.startsWith("/api")
      ? { at, names: [at.slice(at.lastIndexOf("/") + 1)] }
      : undefined,
  refuse: ({ at }, { status, says }) => refusal(at, status, says),
  missing: ({ at }) => refusal(at, 404, { code: "NotFound", message: `"${at}" not found` }),
  behaviours,
};
