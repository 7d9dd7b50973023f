import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { Answered } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import { googleError, operationMeans } from "./meaning.ts";

const answer = (status: number, json?: Json): Answer => ({
  ok: true,
  status,
  headers: new Headers(),
  ...(json === undefined ? {} : { json }),
});
const of = (verb: Answered["verb"]): Answered => ({ verb });
const older = (reason: string, message: string): Json => ({
  error: { code: 400, message, errors: [{ reason, message }] },
});
const newer = (status: string, message: string, details: Json = []): Json => ({
  error: { code: 400, message, status, details },
});

describe("a refusal", () => {
  it.each<[number, Json, Answered["verb"], string | undefined]>([
    [
      404,
      older("notFound", "The resource 'projects/p/global/networks/n' was not found"),
      "read",
      "gone",
    ],
    [
      404,
      older("notFound", "The resource 'projects/my-project/zones/z/disks/project' was not found"),
      "read",
      "gone",
    ],
    [404, older("notFound", "The resource 'projects/p' was not found"), "read", "denied"],
    [404, newer("NOT_FOUND", "Project p has been deleted."), "read", "denied"],
    [404, newer("NOT_FOUND", "Requested project not found or is invalid"), "read", "denied"],
    [
      404,
      newer("NOT_FOUND", "Location europe-west99 is not found or access is unauthorized."),
      "read",
      "denied",
    ],
    [404, newer("NOT_FOUND", "Secret [projects/1/secrets/s] not found."), "delete", "gone"],
    [404, older("notFound", "The specified bucket does not exist."), "read", "gone"],
    [404, older("instanceDoesNotExist", "The Cloud SQL instance does not exist."), "read", "gone"],
    [
      404,
      newer(
        "NOT_FOUND",
        "Resource 'w' of kind 'SERVICE' in region 'r' in project 'p' does not exist.",
      ),
      "read",
      "gone",
    ],
    [404, newer("NOT_FOUND", "Requested entity was not found."), "read", "gone"],
    [404, newer("NOT_FOUND", "Resource not found (resource=access-project)."), "read", "gone"],
    [
      404,
      older("notFound", "The resource 'projects/p/global/networks/permission' was not found"),
      "read",
      "gone",
    ],
    [404, newer("NOT_FOUND", "The topic was not found."), "create", "invalid"],
    [403, newer("PERMISSION_DENIED", "Permission denied"), "read", "denied"],
    [403, older("rateLimitExceeded", "Rate Limit Exceeded"), "create", "throttled"],
    [
      403,
      older("quotaExceeded", "Quota 'CPUS' exceeded. Limit: 8.0 in region europe-west1."),
      "create",
      "quota",
    ],
    [409, older("alreadyExists", "already exists"), "create", "exists"],
    [409, older("conflict", "You already own this bucket."), "create", "exists"],
    [409, older("conflict", "The bucket you tried to delete is not empty."), "delete", "invalid"],
    [
      409,
      older(
        "operationInProgress",
        "Operation failed because another operation was already in progress.",
      ),
      "create",
      "busy",
    ],
    [409, newer("ABORTED", "There were concurrent policy changes."), "update", "stale"],
    [412, older("conditionNotMet", "Invalid fingerprint."), "update", "stale"],
    [
      400,
      newer("FAILED_PRECONDITION", "Cluster is running incompatible operation operation-1."),
      "update",
      "busy",
    ],
    [400, newer("FAILED_PRECONDITION", "Enable billing."), "create", "invalid"],
    [
      400,
      older("resourceInUseByAnotherResource", "is already being used by 'x'"),
      "delete",
      "busy",
    ],
    [503, older("backendError", "Backend Error"), "create", undefined],
    [500, newer("INTERNAL", "Internal error encountered."), "create", undefined],
    [
      429,
      newer(
        "RESOURCE_EXHAUSTED",
        "Quota exceeded for quota metric 'Reads' and limit 'Reads per minute per user'",
      ),
      "read",
      "throttled",
    ],
  ])("%i %j of a %s means %s", (status, json, verb, means) => {
    expect(googleError(answer(status, json), of(verb)).means).toBe(means);
  });

  it.each([
    [
      newer(
        "PERMISSION_DENIED",
        "Permission 'run.services.create' denied on resource 'x' (or it may not exist).",
      ),
      "run.services.create",
    ],
    [
      older(
        "forbidden",
        "Required 'compute.networks.create' permission for 'projects/p/global/networks/n'",
      ),
      "compute.networks.create",
    ],
    [
      older(
        "forbidden",
        "a@b.iam.gserviceaccount.com does not have storage.buckets.create access to the project.",
      ),
      "storage.buckets.create",
    ],
    [
      newer("PERMISSION_DENIED", "no", [
        { reason: "IAM_PERMISSION_DENIED", metadata: { permission: "dns.zones.get" } },
      ]),
      "dns.zones.get",
    ],
  ])("%j names the permission %s", (json, permission) => {
    expect(googleError(answer(403, json), of("create"))).toMatchObject({
      means: "denied",
      permission,
    });
  });

  const activationUrl =
    "https://console.developers.google.com/apis/api/run.googleapis.com/overview?project=123";
  const notEnabled = (metadata: Json): Json =>
    newer("PERMISSION_DENIED", "Cloud Run Admin API has not been used in project 123 before.", [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED", metadata },
    ]);

  it("of an API that is not enabled says where to enable it", () => {
    const metadata = { service: "run.googleapis.com", consumer: "projects/123", activationUrl };
    const error = googleError(answer(403, notEnabled(metadata)), of("create"));
    expect(error).toMatchObject({ code: "SERVICE_DISABLED", means: "invalid" });
    expect(error.message).toBe(
      `The API run.googleapis.com is not enabled in project 123. Enable it at ${activationUrl}, wait a few minutes, then try again.`,
    );
  });

  it("sends nobody to a link that is not Google's console", () => {
    const metadata = { service: "run.googleapis.com", activationUrl: "https://evil.example/x" };
    const { message } = googleError(answer(403, notEnabled(metadata)), of("create"));
    expect(message).not.toContain("evil");
    expect(message).toContain("https://console.cloud.google.com/apis/library/run.googleapis.com");
  });

  it("without Google's words leaves the meaning to the status", () => {
    expect(googleError(answer(502), of("create"))).toEqual({
      code: "http_502",
      message: "no body",
    });
    expect(googleError(answer(404, [1]), of("update")).means).toBeUndefined();
    // A proxy does not know whether an object is there.
    expect(googleError(answer(404, [1]), of("read")).means).toBe("busy");
  });
});

it.each([
  ["6", "exists", "create", "exists"],
  ["RESOURCE_ALREADY_EXISTS", "exists", "create", "exists"],
  ["8", "Quota exceeded for CPUS", "create", "quota"],
  ["ZONE_RESOURCE_POOL_EXHAUSTED", "no room", "create", "quota"],
  ["RESOURCE_IN_USE_BY_ANOTHER_RESOURCE", "used", "delete", "busy"],
  ["9", "Failed to delete connection; Producer services are still using this.", "delete", "busy"],
  ["RESOURCE_NOT_FOUND", "gone", "delete", "gone"],
  ["5", "no image", "create", "invalid"],
  ["7", "no", "update", "denied"],
  ["13", "internal", "create", undefined],
] as const)("the operation's code %s (%s) of a %s means %s", (code, message, verb, means) => {
  expect(operationMeans(code, message, verb)).toBe(means);
});
