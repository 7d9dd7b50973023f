import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";
import { vercelDocument } from "./vercel/description.ts";
import { vercelCloud, vercelDescriptions } from "./vercel/vercel-cloud.ts";

const HOUR_MS = 3_600_000;
const descriptions = vercelDescriptions(vercelDocument);
const said = (code: string, message = "No."): JsonMap => ({ error: { code, message } });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("unauthorized"), means: "denied" },
  { on: "create", status: 402, body: said("payment_required"), means: "quota" },
  { on: "create", status: 403, body: said("forbidden"), means: "denied" },
  {
    on: "create",
    status: 409,
    body: said("conflict", "transferred now: in progress"),
    means: "busy",
  },
  { on: "create", status: 400, body: said("ENV_ALREADY_EXISTS"), means: "exists" },
  { on: "create", status: 429, body: said("rate_limited"), means: "throttled" },
  { on: "create", status: 400, body: said("bad_request"), means: "invalid" },
  { on: "delete", status: 409, body: said("conflict"), means: "busy" },
  { on: "delete", status: 404, body: said("not_found"), means: "gone" },
  { on: "delete", status: 404, body: said("team_not_found"), means: "denied" },
  { on: "delete", status: 403, body: said("forbidden"), means: "denied" },
  { on: "read", status: 404, body: {}, means: "denied" },
  { on: "read", status: 403, body: said("forbidden"), means: "denied" },
];

/** Each call gets its own cloud, empty, at its own time. */
function cloudOf(
  collection: string,
  script: ConformanceScript,
  foreign: (name: string, at: number) => JsonMap,
): ConformanceCloud {
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const cloud = vercelCloud(descriptions, {
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
      for (let at = 0; at < count; at += 1) cloud.fake.put(collection, foreign(name, at));
    },
    advance: (ms) => {
      aheadMs += ms;
    },
    origins: () => origins,
  };
}

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals"> & { collection: string };

const subjects: readonly Subject[] = [
  {
    type: "vercel:Project",
    collection: "/projects",
    properties: (name) => ({ name, framework: "nextjs" }),
    changed: (name) => ({ name, framework: "astro" }),
    missingId: "prj_0",
    uniqueNames: true,
    readyAtOnce: true,
  },
  {
    type: "vercel:EdgeConfig",
    collection: "/edge-config",
    properties: (slug) => ({ slug }),
    changed: (slug) => ({ slug: `${slug}-2` }),
    missingId: "ecfg_0",
    readyAtOnce: true,
  },
];

for (const { collection, ...subject } of subjects)
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: vercelProvider(),
      refusals,
      cloud: (script) =>
        cloudOf(collection, script, (name, at) =>
          subject.properties(at > 0 && subject.uniqueNames ? `${name}-${at}` : name),
        ),
    });
  });
