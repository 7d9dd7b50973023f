import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { magaluProvider } from "#providers/magalu/magalu-provider.ts";
import { partOf } from "#test/support/depth.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { magaluDocument } from "./magalu/description.ts";
import { magaluCloud, magaluDescription } from "./magalu/magalu-cloud.ts";
import { providerConformance } from "./provider-conformance.ts";

const HOUR_MS = 3_600_000;
const description = magaluDescription(magaluDocument);
const region = "br-se1";

const said = (slug: string, message: string): JsonMap => ({ slug, message });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("unauthorized", "Unauthorized"), means: "denied" },
  { on: "create", status: 403, body: said("forbidden", "Forbidden"), means: "denied" },
  { on: "create", status: 409, body: said("quota", "Quota exceeded"), means: "quota" },
  { on: "create", status: 429, body: said("too_many", "slow down"), means: "throttled" },
  { on: "create", status: 422, body: said("invalid", "no such zone"), means: "invalid" },
  { on: "create", status: 404, body: said("not_found", "VPC not found"), means: "invalid" },
  { on: "delete", status: 409, body: said("conflict", "in conflict"), means: "busy" },
  { on: "delete", status: 404, body: said("not_found", "Not Found"), means: "gone" },
  { on: "read", status: 403, body: said("forbidden", "Forbidden"), means: "denied" },
  { on: "read", status: 404, body: { message: "no Route matched" }, means: "invalid" },
];

/** Each call gets its own cloud, empty, at its own time. */
function cloudOf(
  collection: string,
  script: ConformanceScript,
  foreign: (name: string, at: number) => JsonMap,
): ConformanceCloud {
  let aheadMs = 0;
  const cloud = magaluCloud(description, {
    now: () => Date.now() + aheadMs,
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
      for (let at = 0; at < count; at += 1)
        cloud.fake.put(collection, foreign(name, at), { region });
    },
    advance: (ms) => {
      aheadMs += ms;
    },
    origins: () => origins,
  };
}

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals" | "missingId"> & {
  collection: string;
};

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const database = {
  region,
  engine_id: id(1),
  instance_type_id: id(2),
  user: "shop",
  password: "canary",
  volume: { size: 20 },
};
const machine = {
  region,
  machine_type: { name: "BV1-1-40" },
  image: { name: "debian" },
  network: { associate_public_ip: false },
};
const type = { name: "cloud_nvme1k" };

const subjects: readonly Subject[] = [
  {
    type: "magalu:Vm",
    collection: "/{region}/compute/v1/instances",
    properties: (name) => ({ ...machine, name }),
    changed: (name) => ({ ...machine, name, machine_type: { name: "BV2-2-40" } }),
    immutableChanged: (name) => ({ ...machine, name, image: { name: "ubuntu" } }),
  },
  {
    type: "magalu:Volume",
    collection: "/{region}/volume/v1/volumes",
    properties: (name) => ({ region, name, size: 10, type }),
    changed: (name) => ({ region, name, size: 20, type }),
    immutableChanged: (name) => ({ region, name, size: 10, type, encrypted: true }),
    uniqueNames: true,
  },
  {
    type: "magalu:Database",
    collection: "/{region}/database/v2/instances",
    properties: (name) => ({ ...database, name }),
    changed: (name) => ({ ...database, name, volume: { size: 40 } }),
    immutableChanged: (name) => ({ ...database, name, engine_id: id(3) }),
  },
];

for (const { collection, ...subject } of partOf(subjects, 3))
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      missingId: id(9),
      provider: magaluProvider(),
      refusals,
      cloud: (script) =>
        cloudOf(collection, script, (name, at) => ({
          ...subject.properties(name),
          name: at === 0 ? name : subject.uniqueNames ? `${name}-${at}` : name,
        })),
    });
  });
