import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { namedObjects } from "./named-objects.ts";

const at = "projects/shop-project";
const account = `web@shop-project.iam.gserviceaccount.com`;
const accountId = `gcp:iam/ServiceAccount ${at}/serviceAccounts/${account}`;

/** Who may name what these properties name: `nobody`, or types with ids. */
function owners(type: string, properties: JsonMap): string[] {
  const context = { config: { project: "shop-project" } };
  return namedObjects(context, { type: `gcp:${type}`, properties }).map((one) =>
    one.owners.length === 0
      ? "nobody"
      : one.owners.map((owner) => `${owner.type} ${owner.id}`).join(", "),
  );
}

it.each<[string, JsonMap]>([
  ["a snapshot", { disks: [{ initializeParams: { sourceSnapshot: `${at}/global/snapshots/x` } }] }],
  ["a snapshot by its short name", { disks: [{ initializeParams: { sourceSnapshot: "x" } }] }],
  ["an image", { disks: [{ initializeParams: { sourceImage: "global/images/victim" } }] }],
  ["an address", { networkInterfaces: [{ accessConfigs: [{ natIP: "203.0.113.7" }] }] }],
  ["a property that the row does not list", { sourceMachineImage: null }],
  ["something in another project", { disks: [{ source: "projects/other/zones/z/disks/d" }] }],
  ["something by the project's number", { disks: [{ source: "projects/123/zones/z/disks/d" }] }],
  [
    "an account of another project",
    { serviceAccounts: [{ email: "a@o.iam.gserviceaccount.com" }] },
  ],
  ["the project's account", { serviceAccounts: [{ email: "default" }] }],
  ["the project's account by leaving it out", { serviceAccounts: [{ scopes: [] }] }],
  [
    "an object of a kind that no row has",
    { resourcePolicies: [`${at}/regions/r/resourcePolicies/p`] },
  ],
  ["a URL of an API", { hostname: "https://compute.googleapis.com/compute/beta/projects/p/x" }],
  ["an encoded name", { hostname: "projects%2Fshop-project%2Fsecrets%2Fx" }],
  ["a path with dots", { disks: [{ source: `${at}/zones/z/disks/own/../victim` }] }],
  ["a kind and a name", { hostname: "disks/victim" }],
  ["an old registry", { hostname: "eu.gcr.io/shop-project/image" }],
])("names what nobody may name: %s", (_, properties) => {
  expect(owners("compute/Instance", properties)).toEqual(["nobody"]);
});

it.each<[string, string, JsonMap, string]>([
  [
    "an account by its address",
    "compute/Instance",
    { serviceAccounts: [{ email: account }] },
    accountId,
  ],
  [
    "a version of a secret, or its secret",
    "artifactregistry/Repository",
    { remoteRepositoryConfig: { passwordSecretVersion: `${at}/secrets/s/versions/1` } },
    `gcp:secretmanager/Secret ${at}/secrets/s, gcp:secretmanager/SecretVersion ${at}/secrets/s/versions/1`,
  ],
  [
    "a disk by a URL",
    "compute/Instance",
    { disks: [{ source: `https://www.googleapis.com/compute/v1/${at}/zones/z/disks/d` }] },
    `gcp:compute/Disk ${at}/zones/z/disks/d`,
  ],
  [
    "a backend by a part of its name",
    "compute/UrlMap",
    {
      defaultRouteAction: {
        weightedBackendServices: [{ backendService: "global/backendServices/b" }],
      },
    },
    `gcp:compute/BackendService ${at}/global/backendServices/b`,
  ],
  [
    "a bucket",
    "pubsub/Topic",
    { ingestionDataSourceSettings: { cloudStorage: { bucket: "b" } } },
    "gcp:storage/Bucket b",
  ],
  [
    "a repository by an image",
    "run/Job",
    {
      template: {
        template: {
          serviceAccount: account,
          containers: [{ image: "europe-west1-docker.pkg.dev/shop-project/r/web:1" }],
        },
      },
    },
    `${accountId}; gcp:artifactregistry/Repository ${at}/locations/europe-west1/repositories/r`,
  ],
])("names %s", (_, type, properties, named) => {
  expect(owners(type, properties)).toEqual(named.split("; "));
});

it.each<[string, JsonMap]>([
  [
    "compute/Instance",
    {
      name: "web",
      description: `Runs as ${account}`,
      machineType: "zones/europe-west1-b/machineTypes/e2-micro",
      labels: { owner: account },
      metadata: {
        items: [{ key: "startup-script", value: `gcloud secrets describe ${at}/secrets/x` }],
      },
      disks: [
        {
          initializeParams: { sourceImage: "projects/debian-cloud/global/images/family/debian-12" },
        },
      ],
      networkInterfaces: [{}],
    },
  ],
  ["secretmanager/SecretVersion", { secret: "", payload: { data: `${at}/secrets/x` } }],
  ["dns/ResourceRecordSet", { name: "x.", type: "TXT", rrdatas: [account] }],
  [
    "secretmanager/SecretIamMember",
    { secret: "", role: `${at}/roles/x`, member: `serviceAccount:${account}` },
  ],
])("names nothing in what %s has of texts and of Google's own", (type, properties) => {
  expect(owners(type, properties)).toEqual([]);
});

it.each<[string, JsonMap, string[]]>([
  [
    "run/Service",
    { template: { containers: [{ image: "us-docker.pkg.dev/cloudrun/container/hello" }] } },
    ["nobody"],
  ],
  ["run/Job", { template: { template: { serviceAccount: "" } } }, ["nobody"]],
  ["container/NodePool", { config: {} }, ["nobody"]],
  ["container/Cluster", {}, ["nobody"]],
  ["container/Cluster", { autopilot: { enabled: true } }, ["nobody"]],
  [
    "container/Cluster",
    { autoscaling: { enableNodeAutoprovisioning: true } },
    ["nobody", "nobody"],
  ],
  ["container/Cluster", { nodeConfig: { serviceAccount: account } }, [accountId]],
  ["cloudresourcemanager/ProjectIamMember", { role: "", member: "" }, ["nobody"]],
])("says what %s would run as, and what leads to everything (%j)", (type, properties, named) => {
  expect(owners(type, properties)).toEqual(named);
});

it("tells no value of what it cannot read: it may be a secret", () => {
  const call = {
    type: "gcp:sql/Instance",
    properties: { settings: { x: "tr0ub4dor projects/a/b" } },
  };
  expect(namedObjects({ config: {} }, call)).toEqual([
    { what: "what settings.x names", owners: [] },
  ]);
});
