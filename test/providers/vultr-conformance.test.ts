import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { describedConformanceCloud } from "./conformance-cloud.ts";
import type { ConformanceSubject, Refusal } from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";
import { vultrDocument } from "./vultr/description.ts";
import { vultrCloud, vultrDescription } from "./vultr/vultr-cloud.ts";

const description = vultrDescription(vultrDocument);

const said = (error: string): JsonMap => ({ error, status: 400 });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("Invalid API token."), means: "denied" },
  { on: "create", status: 401, body: said("Unauthorized IP address: 192.0.2.1"), means: "denied" },
  { on: "create", status: 403, body: said("You may not do this."), means: "denied" },
  { on: "create", status: 400, body: said("Fee limit reached."), means: "quota" },
  { on: "create", status: 429, body: said("Rate limit reached."), means: "throttled" },
  { on: "create", status: 400, body: said("Invalid plan."), means: "invalid" },
  { on: "create", status: 404, body: said("Invalid VPC."), means: "invalid" },
  { on: "delete", status: 400, body: said("The server is currently locked."), means: "busy" },
  { on: "delete", status: 404, body: said("Not found."), means: "gone" },
  { on: "read", status: 401, body: said("Unauthorized IP address: 192.0.2.1"), means: "denied" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals"> & { collection: string };

const region = "ewr";
const instance = { region, plan: "vc2-1c-1gb", os_id: 2136 };
const database = { region, plan: "small", database_engine: "pg", database_engine_version: "16" };
const primary = "7c6a2b1e-53c4-4b53-8a0e-4f1f5b2d9a10";
const missingId = "5a4981aa-9653-4bd1-bef5-d6bff52042e4";

const subjects: readonly Subject[] = [
  {
    type: "vultr:Vpc",
    collection: "/v2/vpcs",
    properties: (description) => ({ description, region }),
    changed: () => ({ description: "changed", region }),
    missingId,
    readyAtOnce: true,
  },
  {
    type: "vultr:Instance",
    collection: "/v2/instances",
    properties: (label) => ({ ...instance, label, tags: ["a"] }),
    changed: (label) => ({ ...instance, label, tags: ["b"] }),
    missingId,
  },
  {
    type: "vultr:Block",
    collection: "/v2/blocks",
    properties: (label) => ({ region, size_gb: 10, label }),
    changed: (label) => ({ region, size_gb: 20, label }),
    missingId,
    readyAtOnce: true,
  },
  {
    type: "vultr:Database",
    collection: "/v2/databases",
    properties: (label) => ({ ...database, label }),
    changed: (label) => ({ ...database, label, trusted_ips: ["192.0.2.1/32"] }),
    missingId,
    readyAtOnce: true,
  },
  {
    type: "vultr:DatabaseReplica",
    collection: "/v2/databases",
    properties: (label) => ({ database_id: primary, region, label }),
    changed: (label) => ({ database_id: primary, region, label, tag: "b" }),
    missingId,
    readyAtOnce: true,
  },
];

for (const { collection, ...subject } of subjects) {
  const { type } = subject;
  describe(`the conformance of ${type}`, () => {
    providerConformance({
      ...subject,
      provider: vultrProvider(),
      refusals,
      cloud: (script) =>
        describedConformanceCloud(
          collection,
          script,
          (options) => {
            const cloud = vultrCloud(description, options);
            if (type === "vultr:DatabaseReplica")
              cloud.fake.put(collection, { ...database, id: primary, label: "primary" });
            return cloud;
          },
          (name) => subject.properties(name),
        ),
    });
  });
}
