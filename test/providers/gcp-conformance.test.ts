import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { conformanceCloud, foreignName } from "./conformance-cloud.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { GoogleCloud } from "./gcp/google-cloud.ts";
import { addParents } from "./gcp/samples.ts";
import { PROJECT, REGION, ZONE } from "./gcp/shown.ts";
import { providerConformance } from "./provider-conformance.ts";

/** As services say it that are older, and as newer ones do. */
const older = (reason: string, message: string): JsonMap => ({
  error: { code: 400, message, errors: [{ reason, message, domain: "global" }] },
});
const newer = (status: string, message: string, reason?: string): JsonMap => ({
  error: {
    code: 400,
    message,
    status,
    ...(reason === undefined
      ? {}
      : { details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }] }),
  },
});

const refusals: readonly Refusal[] = [
  {
    on: "create",
    status: 403,
    body: newer("PERMISSION_DENIED", "Permission 'run.services.create' denied on resource"),
    means: "denied",
  },
  {
    on: "create",
    status: 403,
    body: newer("PERMISSION_DENIED", "API has not been used", "SERVICE_DISABLED"),
    means: "invalid",
  },
  {
    on: "create",
    status: 403,
    body: older("quotaExceeded", "Quota 'CPUS' exceeded."),
    means: "quota",
  },
  {
    on: "create",
    status: 403,
    body: older("rateLimitExceeded", "Rate Limit Exceeded"),
    means: "throttled",
  },
  {
    on: "create",
    status: 429,
    body: newer(
      "RESOURCE_EXHAUSTED",
      "Quota exceeded for quota metric 'Writes' and limit 'Writes per minute'",
    ),
    means: "throttled",
  },
  {
    on: "create",
    status: 429,
    body: newer("RESOURCE_EXHAUSTED", "The quota of services has been reached"),
    means: "quota",
  },
  {
    on: "create",
    status: 404,
    body: older("notFound", "The resource 'projects/p/global/networks/n' was not found"),
    means: "invalid",
  },
  {
    on: "create",
    status: 400,
    body: older("resourceNotReady", "The resource is not ready"),
    means: "busy",
  },
  {
    on: "delete",
    status: 400,
    body: older("resourceInUseByAnotherResource", "is already being used by"),
    means: "busy",
  },
  {
    on: "delete",
    status: 412,
    body: older("conditionNotMet", "Precondition Failed"),
    means: "stale",
  },
  { on: "delete", status: 409, body: newer("ABORTED", "Concurrent changes"), means: "stale" },
  { on: "delete", status: 404, body: newer("NOT_FOUND", "not found"), means: "gone" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals" | "missingId"> & {
  idOf: (name: string) => string;
};

function cloudOf({ type, idOf, properties }: Subject, script: ConformanceScript): ConformanceCloud {
  const collection = type.replace("gcp:", "");
  return conformanceCloud(collection, script, (options) => {
    const cloud = new GoogleCloud(options);
    addParents(cloud);
    return {
      context: (more) => cloud.context(more),
      fetch: cloud.fetch,
      living: () => cloud.living(collection).map(({ id }) => id.replace(/^b\//, "")),
      finish: () => cloud.finish(),
      put: (name, at) => {
        const own = foreignName(name, at, true);
        const key = collection === "storage/Bucket" ? `b/${own}` : idOf(own);
        cloud.put(collection, key, { ...properties(own), name: own });
      },
      isSignIn: ({ hostname }) => hostname === "oauth2.googleapis.com",
    };
  });
}

const at = `projects/${PROJECT}`;
const service = (image: string, location = REGION) => ({
  location,
  template: { containers: [{ image }] },
  labels: { app: "shop" },
});

const subjects: readonly Subject[] = [
  {
    // Operations by name, masks in the query, the id of the project as its number.
    type: "gcp:run/Service",
    idOf: (name) => `${at}/locations/${REGION}/services/${name}`,
    properties: (name) => ({ ...service("web:1"), name }),
    changed: (name) => ({ ...service("web:2"), name }),
  },
  {
    // Operations with links, tokens, methods of single fields.
    type: "gcp:compute/Disk",
    idOf: (name) => `${at}/zones/${ZONE}/disks/${name}`,
    properties: (name) => ({ name, zone: ZONE, sizeGb: 10, labels: { a: "b" } }),
    changed: (name) => ({ name, zone: ZONE, sizeGb: 20, labels: { a: "c" } }),
    immutableChanged: (name) => ({ name, zone: ZONE, sizeGb: 10, architecture: "ARM64" }),
  },
  {
    // No labels, so no mark.
    type: "gcp:compute/Subnetwork",
    idOf: (name) => `${at}/regions/${REGION}/subnetworks/${name}`,
    properties: (name) => ({
      name,
      region: REGION,
      network: `${at}/global/networks/base`,
      ipCidrRange: "10.1.0.0/24",
    }),
    changed: (name) => ({
      name,
      region: REGION,
      network: `${at}/global/networks/base`,
      ipCidrRange: "10.1.0.0/20",
    }),
    readyAtOnce: true,
  },
  {
    // Labels, and the mark, by a call after the create.
    type: "gcp:compute/Address",
    idOf: (name) => `${at}/regions/${REGION}/addresses/${name}`,
    properties: (name) => ({ name, region: REGION, labels: { a: "b" } }),
    changed: (name) => ({ name, region: REGION, labels: { a: "c" } }),
    immutableChanged: (name) => ({ name, region: REGION, addressType: "INTERNAL" }),
    readyAtOnce: true,
    createUpdates: true,
  },
  {
    // Made by a PUT, changed by a mask in the body.
    type: "gcp:pubsub/Topic",
    idOf: (name) => `${at}/topics/${name}`,
    properties: (name) => ({ name, labels: { a: "b" } }),
    changed: (name) => ({ name, labels: { a: "c" } }),
    readyAtOnce: true,
  },
  {
    // Changed on the condition of its generation.
    type: "gcp:storage/Bucket",
    idOf: (name) => name,
    properties: (name) => ({ name, location: "EU", labels: { a: "b" } }),
    changed: (name) => ({ name, location: "EU", labels: { a: "c" } }),
    readyAtOnce: true,
  },
  {
    type: "gcp:sql/Instance",
    idOf: (name) => `${at}/instances/${name}`,
    properties: (name) => ({
      name,
      region: REGION,
      databaseVersion: "POSTGRES_18",
      settings: { tier: "db-f1-micro" },
    }),
    changed: (name) => ({
      name,
      region: REGION,
      databaseVersion: "POSTGRES_18",
      settings: { tier: "db-g1-small" },
    }),
  },
];

for (const subject of subjects)
  describe(`the conformance of ${subject.type}`, () => {
    const { idOf: _, ...rest } = subject;
    providerConformance({
      ...rest,
      missingId: subject.idOf("missing"),
      provider: gcpProvider(),
      uniqueNames: true,
      refusals,
      cloud: (script) => cloudOf(subject, script),
    });
  });
