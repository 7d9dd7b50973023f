import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { ociProvider } from "#providers/oci/oci-provider.ts";
import { partOf } from "#test/support/depth.ts";
import { conformanceCloud, foreignName } from "./conformance-cloud.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { COMPARTMENT, OracleCloud } from "./oci/oracle-cloud.ts";
import { addParents, parents } from "./oci/samples.ts";
import { providerConformance } from "./provider-conformance.ts";

const says = (code: string, message = "said"): JsonMap => ({ code, message });

const refusals: readonly Refusal[] = [
  { on: "create", status: 404, body: says("NotAuthorizedOrNotFound"), means: "denied" },
  { on: "delete", status: 404, body: says("NotAuthorizedOrNotFound"), means: "denied" },
  { on: "create", status: 401, body: says("NotAuthenticated"), means: "denied" },
  { on: "create", status: 400, body: says("LimitExceeded"), means: "quota" },
  { on: "create", status: 400, body: says("QuotaExceeded"), means: "quota" },
  {
    on: "create",
    status: 500,
    body: says("InternalError", "Out of host capacity."),
    means: "quota",
  },
  { on: "create", status: 429, body: says("TooManyRequests"), means: "throttled" },
  { on: "create", status: 400, body: says("InvalidParameter"), means: "invalid" },
  { on: "create", status: 409, body: says("InvalidatedRetryToken"), means: "invalid" },
  { on: "create", status: 409, body: says("IncorrectState"), means: "busy" },
  { on: "delete", status: 409, body: says("Conflict"), means: "busy" },
  { on: "delete", status: 412, body: says("NoEtagMatch"), means: "stale" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals">;

function cloudOf(
  { type, properties, uniqueNames }: Subject,
  script: ConformanceScript,
): ConformanceCloud {
  const own = type.replace("oci:", "");
  return conformanceCloud(own, script, (options) => {
    const cloud = new OracleCloud(options);
    addParents(cloud);
    return {
      context: (more) => cloud.context(more),
      fetch: cloud.fetch,
      living: () => cloud.living(own).map(({ id }) => id.replace(/^b\//, "")),
      finish: () => cloud.finish(),
      put: (name, at) => cloud.put(own, properties(foreignName(name, at, uniqueNames))),
    };
  });
}

const missing = (entity: string) => `ocid1.${entity}.oc1.eu-frankfurt-1.missing`;
const placed = (more: JsonMap) => (name: string) => ({
  compartmentId: COMPARTMENT,
  displayName: name,
  ...more,
});

const secret = {
  compartmentId: COMPARTMENT,
  vaultId: parents.vault,
  keyId: parents.key,
  secretContent: { contentType: "BASE64", content: "Y2FuYXJ5LXNlY3JldA==" },
};

const subjects: readonly Subject[] = [
  {
    // Answered with the object, which can be read after it was deleted.
    type: "oci:Subnet",
    properties: placed({ vcnId: parents.vcn, cidrBlock: "10.0.1.0/24" }),
    changed: placed({ vcnId: parents.vcn, cidrBlock: "10.0.1.0/23" }),
    missingId: missing("subnet"),
    readyAtOnce: true,
  },
  {
    // Answered with a work request, as is each change.
    type: "oci:LoadBalancer",
    properties: placed({ shapeName: "flexible", subnetIds: [parents.subnet] }),
    changed: placed({
      shapeName: "flexible",
      subnetIds: [parents.subnet],
      networkSecurityGroupIds: [parents.group],
    }),
    missingId: missing("loadbalancer"),
  },
  {
    // Answered with the object, changed by work requests, listed as `items`.
    type: "oci:ContainerInstance",
    properties: placed({
      availabilityDomain: "AD-1",
      shape: "CI.Standard.E4.Flex",
      shapeConfig: { ocpus: 1 },
      containers: [{ imageUrl: "web:1" }],
      vnics: [{ subnetId: parents.subnet }],
    }),
    changed: (name) => ({
      ...placed({
        availabilityDomain: "AD-1",
        shape: "CI.Standard.E4.Flex",
        shapeConfig: { ocpus: 1 },
        containers: [{ imageUrl: "web:1" }],
        vnics: [{ subnetId: parents.subnet }],
      })(name),
      freeformTags: { app: "shop" },
    }),
    missingId: missing("computecontainerinstance"),
  },
  {
    // Deleted by a date; until then it can be read, and keeps its name.
    type: "oci:Secret",
    properties: (secretName) => ({ ...secret, secretName, description: "one" }),
    changed: (secretName) => ({ ...secret, secretName, description: "two" }),
    missingId: missing("vaultsecret"),
    uniqueNames: true,
  },
  {
    // Without tokens; its id is its name.
    type: "oci:Bucket",
    properties: (name) => ({ compartmentId: COMPARTMENT, name, versioning: "Enabled" }),
    changed: (name) => ({ compartmentId: COMPARTMENT, name, versioning: "Suspended" }),
    missingId: "missing",
    readyAtOnce: true,
    uniqueNames: true,
  },
];

/** An ordinary run takes one of them: each request is signed and checked, which takes its time. */
for (const subject of partOf(subjects, subjects.length))
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: ociProvider(),
      refusals,
      cloud: (script) => cloudOf(subject, script),
    });
  });
