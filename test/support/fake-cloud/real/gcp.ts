import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Behaviour, RealCall, RealCloud, Words } from "./behaviour.ts";
import { reversed } from "./rest-shape.ts";

const POST = /^POST$/;
const DELETE = /^DELETE$/;
const ACCOUNTS = /^iam \/v1\/projects\/[^/]+\/serviceAccounts/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new service account does not exist for a policy",
    source: "https://github.com/hashicorp/vault-plugin-secrets-gcp/issues/237",
    does: "refuse",
    at: /:setIamPolicy$/,
    fresh: ACCOUNTS,
    status: 400,
    says: { code: "INVALID_ARGUMENT", message: "Service account {name} does not exist." },
    times: 3,
  },
  {
    what: "nobody may act as a new service account yet",
    source: "https://github.com/GoogleCloudPlatform/cloud-run-mcp/issues/6",
    does: "refuse",
    method: POST,
    at: /^run \/v2\/.*\/services$/,
    fresh: ACCOUNTS,
    status: 403,
    says: {
      code: "PERMISSION_DENIED",
      message:
        "Permission 'iam.serviceaccounts.actAs' denied on service account {name} (or it may not exist).",
    },
  },
  {
    what: "a revision may not read its secret yet",
    source: "https://github.com/sourcegraph/sourcegraph-public-snapshot/pull/59045",
    does: "end failed",
    leaves: true,
    method: POST,
    at: /^run \/v2\/.*\/services$/,
    fresh: ACCOUNTS,
    says: {
      code: "13",
      message:
        "Revision 'shop-00001-8m6' is not ready and cannot serve traffic. spec.template.spec.containers[0].env[3].value_from.secret_key_ref.name: Permission denied on secret: projects/1/secrets/db/versions/latest for Revision service account {name}.",
    },
    times: 1,
  },
  {
    what: "an object is not ready for what uses it",
    source: "https://github.com/GoogleCloudPlatform/magic-modules/pull/13881",
    does: "refuse",
    method: POST,
    at: /^compute \/compute\/v1\//,
    fresh: /^compute /,
    status: 400,
    says: { code: "resourceNotReady", message: "The resource '{name}' is not ready" },
  },
  {
    what: "the operation of a create ends not ready",
    source: "https://github.com/hashicorp/terraform-provider-google/issues/10972",
    does: "end failed",
    method: POST,
    at: /^compute \/compute\/v1\//,
    says: {
      code: "RESOURCE_NOT_READY",
      message: "The resource 'projects/p/regions/r/subnetworks/default' is not ready",
    },
    times: 1,
  },
  {
    what: "another operation of the database server is under way",
    source: "https://github.com/hashicorp/terraform-provider-google/issues/4370",
    does: "refuse",
    at: /^sqladmin .*\/instances\/[^/]+\/(?:databases|users)/,
    method: /^(?:POST|PUT|DELETE)$/,
    status: 409,
    says: {
      code: "operationInProgress",
      message: "Operation failed because another operation was already in progress.",
    },
  },
  {
    what: "another operation of the database server is under way, said with 403",
    source: "https://github.com/forseti-security/forseti-security/issues/1493",
    does: "refuse",
    at: /^sqladmin .*\/instances\/[^/]+\/(?:databases|users)/,
    method: POST,
    status: 403,
    says: {
      code: "operationInProgress",
      message: "Operation failed because another operation was already in progress.",
    },
    times: 1,
  },
  {
    what: "a policy was changed by others meanwhile",
    source: "https://github.com/genevieve/leftovers/issues/83",
    does: "refuse",
    at: /:setIamPolicy$/,
    status: 409,
    says: {
      code: "aborted",
      message:
        "There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.",
    },
  },
  {
    what: "a deleted object still uses another",
    source: "https://github.com/terraform-google-modules/terraform-google-lb-http/issues/159",
    does: "refuse",
    method: DELETE,
    at: /^compute .*\/(?:backendServices|urlMaps|addresses|sslCertificates|networkEndpointGroups|networks|subnetworks)\//,
    status: 400,
    says: {
      code: "resourceInUseByAnotherResource",
      message: "The resource '{at}' is already being used by 'projects/p/global/urlMaps/shop'",
    },
  },
  {
    what: "a quota of calls is used up for the moment",
    source: "https://github.com/hashicorp/terraform-provider-google/issues/15042",
    does: "refuse",
    at: /^(?:run|secretmanager|dns|iam) /,
    status: 429,
    says: {
      code: "RESOURCE_EXHAUSTED",
      message:
        "Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute' of service.",
    },
    times: 1,
  },
  {
    what: "compute counts calls and says 403",
    source: "https://cloud.google.com/compute/docs/api/rate-limits",
    does: "refuse",
    at: /^compute /,
    status: 403,
    says: { code: "rateLimitExceeded", message: "Rate Limit Exceeded" },
    times: 1,
  },
  {
    what: "a service of Google is unavailable",
    source: "https://github.com/hashicorp/terraform/issues/5231",
    does: "refuse",
    method: /^GET$/,
    at: /^(?:sqladmin|run|compute) /,
    status: 503,
    says: { code: "serverException", message: "Service temporarily unavailable." },
    times: 1,
  },
  {
    what: "a new object is not read yet",
    source: "https://github.com/hashicorp/terraform-provider-google/issues/6377",
    does: "hide",
    from: "reads",
    at: /^(?:iam|secretmanager|compute|sqladmin|dns) /,
    forMs: 20_000,
  },
  {
    what: "a deleted object is still read",
    source: "https://cloud.google.com/iam/docs/overview#consistency",
    does: "keep",
    method: DELETE,
    at: /^(?:iam|secretmanager|run|dns) /,
    forMs: 20_000,
  },
  {
    what: "lists are shown in another order",
    source: "https://github.com/hashicorp/terraform-provider-google/issues/20360",
    does: "show",
    method: /^GET$/,
    at: /^(?:run|compute|dns) /,
    as: (object) => reversed(object, "rrdatas", "domains", "sslCertificates", "volumes"),
  },
];

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

function refusal(status: number, { code, message }: Words): Response {
  const isRpc = /^[A-Z_]+$/.test(code);
  return Response.json(
    {
      error: {
        code: status,
        message,
        ...(isRpc ? { status: code } : { errors: [{ reason: code, message, domain: "global" }] }),
      },
    },
    { status },
  );
}

let number = 0;

/** Google's services, each by the name of its host. Sign-ins pass, and what the fake asks by itself. */
export const realGcp: RealCloud = {
  callOf: (request, sent) => {
    const url = new URL(request.url);
    const isOwn = url.hostname.endsWith(".googleapis.com");
    const host = isOwn
      ? url.hostname.replace(".googleapis.com", "")
      : (url.pathname.split("/")[1] ?? "");
    const path = decodeURIComponent(isOwn ? url.pathname : url.pathname.slice(host.length + 1));
    if (/^(?:oauth2|sts|iamcredentials)$/.test(host) || path.endsWith(":getIamPolicy"))
      return undefined;
    if (/^\/v3\/projects\/[^/]+$/.test(path)) return undefined;
    const at = `${host} ${path}`;
    const token = url.searchParams.get("requestId");
    const of = { method: request.method, origin: url.origin, at, text: `${at} ${sent}` };
    return token === null ? of : { ...of, token };
  },
  reads: ({ method, at }) => method === "GET" && !at.includes("/operations/"),
  lists: () => false,
  deletes: ({ method }) => method === "DELETE",
  madeBy: ({ method, at }, answer) => {
    if (method !== "POST" || !isJsonMap(answer) || at.includes(":")) return undefined;
    const [host = "", path = ""] = at.split(" ");
    const link = text(answer["targetLink"]);
    const made = link === "" ? "" : (URL.parse(link)?.pathname ?? "");
    if (made !== "") return { at: `${host} ${made}`, names: [lastTwo(made)] };
    const name = text(answer["name"]);
    if (name === "" || name.includes("/operations/")) return undefined;
    const email = text(answer["email"]);
    const base = /^\/[^/]+(?:\/v\d)?/.exec(path)?.[0] ?? "";
    const own = name.startsWith("projects/") ? `${base}/${name}` : `${path}/${name}`;
    return { at: `${host} ${own}`, names: [email === "" ? name : email] };
  },
  refuse: (_, { status, says }) => refusal(status, says),
  missing: ({ at }) =>
    refusal(404, {
      code: "notFound",
      message: `The resource '${at.split(" ")[1] ?? ""}' was not found`,
    }),
  failed: (call, says) => failedOperation(call, says),
  behaviours,
};

function lastTwo(path: string): string {
  return path.split("/").slice(-2).join("/");
}

/** Compute's operations and those of newer services. */
function failedOperation({ at }: RealCall, { code, message }: Words) {
  const [host = "", path = ""] = at.split(" ");
  const name = `operation-real-${(number += 1)}`;
  const scope = /^(.*?\/projects\/[^/]+(?:\/(?:global|(?:zones|regions|locations)\/[^/]+))?)/.exec(
    path,
  )?.[1];
  const place = `${scope ?? ""}/operations/${name}`;
  const older: JsonMap = {
    kind: "compute#operation",
    name,
    operationType: "insert",
    selfLink: `https://www.googleapis.com${place}`,
    status: "RUNNING",
  };
  const isOlder = host === "compute" || host === "sqladmin";
  const newer: JsonMap = { name: place.replace(/^\/v\d\//, "") };
  return {
    answer: Response.json(isOlder ? older : newer),
    polledAt: `${host} ${place}`,
    polled: () =>
      Response.json(
        isOlder
          ? { ...older, status: "DONE", error: { errors: [{ code, message }] } }
          : { ...newer, done: true, error: { code: Number(code), message } },
      ),
  };
}
