import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";
import { vultrDocument } from "./vultr/description.ts";
import { vultrCloud, vultrDescription } from "./vultr/vultr-cloud.ts";

const HOUR_MS = 3_600_000;
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

/** Each call gets its own cloud, empty, at its own time. */
function cloudOf(
  collection: string,
  script: ConformanceScript,
  foreign: (name: string) => JsonMap,
): ConformanceCloud {
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const cloud = vultrCloud(description, {
    now,
    readyAfterMs: script.slow ? HOUR_MS : 0,
    endsFailed: script.endsFailed ?? false,
    listLagMs: script.listLagMs ?? 0,
    faults: (script.faults ?? []).map((fault) => ({ collection, ...fault })),
  });
  const origins = new Set<string>();
  return {
    context: cloud.context({
      fetch: (request) => {
        origins.add(new URL(request.url).origin);
        return cloud.fetch(request);
      },
    }),
    existing: async () => cloud.fake.living(collection).map(({ key }) => key),
    finish: async () => cloud.fake.finish(),
    addForeign: (name, count) => {
      for (let at = 0; at < count; at += 1) cloud.fake.put(collection, foreign(name));
    },
    advance: (ms) => {
      aheadMs += ms;
    },
    origins: () => origins,
  };
}

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals"> & { collection: string };

const region = "ewr";
const instance = { region, plan: "vc2-1c-1gb", os_id: 2136 };
const database = { region, plan: "small", database_engine: "pg", database_engine_version: "16" };
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
];

for (const { collection, ...subject } of subjects)
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: vultrProvider(),
      refusals,
      cloud: (script) => cloudOf(collection, script, (name) => subject.properties(name)),
    });
  });
