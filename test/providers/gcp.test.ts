import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { gcpTypes } from "#providers/gcp/types.ts";
import { gcpProblems } from "./gcp/all-lives.ts";
import { gcpDescription } from "./gcp/description.ts";
import { GoogleCloud } from "./gcp/google-cloud.ts";
import { addParents, samples } from "./gcp/samples.ts";
import { diagnosticsOf, expectTopLevelChecked } from "./type-mutations.ts";

describe("the types of Google Cloud", () => {
  it("are those that have a sample and a description", () => {
    const types = gcpTypes.types().map((type) => type.replace("gcp:", ""));
    expect(types.toSorted()).toEqual(Object.keys(samples).toSorted());
    const objects = types.filter((type) => !type.endsWith("IamMember"));
    expect(objects.toSorted()).toEqual(Object.keys(gcpDescription).toSorted());
    expect(objects.length).toBeGreaterThanOrEqual(38);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await gcpProblems();
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});

it.each([
  ["gcp:kubernetesengine/Cluster", 'There are for example "gcp:container/Cluster".'],
  [
    "gcp:dns/Everything",
    'There are for example "gcp:dns/ManagedZone", "gcp:dns/ResourceRecordSet".',
  ],
  ["gcp:compute/Instanc", 'Did you mean "gcp:compute/Instance"?'],
])("the unknown type %s is told which there are", (type, hint) => {
  expect(diagnosticsOf(gcpTypes, type, {})).toMatchObject([{ code: "unknown_type", hint }]);
});

describe("a mistake", () => {
  it.for(Object.keys(samples))("in the top level of %s is found by the check", (name) => {
    const type = `gcp:${name}`;
    const { properties } = samples[name] ?? { properties: {} };
    expectTopLevelChecked(gcpTypes, type, properties, ["gcp"]);
  });

  it.each<[string, JsonMap]>([
    ["unknown_property", { versioning: { enabeld: true } }],
    ["unknown_property", { iamConfiguration: { uniformBucketLevelAccess: { enable: true } } }],
    ["unknown_property", { lifecycle: { rule: [{ conditions: { age: 3 } }] } }],
    ["property_type", { versioning: { enabled: "yes" } }],
  ])("that is nested in a bucket, which Google may ignore, is %s: %j", (code, mistake) => {
    const { properties } = samples["storage/Bucket"] ?? { properties: {} };
    const wrong = { ...properties, ...mistake };
    const found = diagnosticsOf(gcpTypes, "gcp:storage/Bucket", wrong, ["gcp"]);
    expect(found).toMatchObject([{ code, line: 1 }]);
  });

  it.for(Object.keys(gcpDescription))("of %s never becomes an object", async (name) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const { properties } = samples[name] ?? { properties: {} };
    const call = {
      type: `gcp:${name}`,
      name: "chosen-1",
      properties: { ...properties, labelz: { a: "b" } },
      token: "t-1",
    };
    const outcome = await gcpProvider().create(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", means: "invalid", retryable: false });
    expect(cloud.ledger).toEqual([]);
  });
});
