import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { supabaseProvider } from "#providers/supabase/supabase-provider.ts";
import type { ConformanceCloud, ConformanceScript, Refusal } from "./conformance-subject.ts";
import { CoreweaveCloud, ZONE } from "./coreweave/coreweave-cloud.ts";
import { providerConformance } from "./provider-conformance.ts";
import { supabaseDocument } from "./supabase/description.ts";
import { ORGANIZATION } from "./supabase/rules.ts";
import { supabaseCloud, supabaseDescription } from "./supabase/supabase-cloud.ts";

const HOUR_MS = 3_600_000;
const description = supabaseDescription(supabaseDocument);
const PROJECTS = "/v1/projects";

const said = (message: string): JsonMap => ({ message });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("Unauthorized"), means: "denied" },
  { on: "create", status: 403, body: said("lacks privileges"), means: "denied" },
  { on: "create", status: 402, body: said("Upgrade to Pro"), means: "quota" },
  { on: "create", status: 429, body: said("Too many requests"), means: "throttled" },
  { on: "create", status: 400, body: said("region is wrong"), means: "invalid" },
  { on: "delete", status: 404, body: said("Project not found"), means: "gone" },
  { on: "read", status: 404, body: "a page", means: "busy" },
];

const project = (name: string, more: JsonMap = {}): JsonMap => ({
  name,
  organization_slug: ORGANIZATION,
  region: "eu-central-1",
  db_pass: "canary-of-the-password",
  ...more,
});

function supabase(script: ConformanceScript): ConformanceCloud {
  let aheadMs = 0;
  const cloud = supabaseCloud(description, {
    now: () => Date.now() + aheadMs,
    readyAfterMs: script.slow ? HOUR_MS : 0,
    endsFailed: script.endsFailed ?? false,
    listLagMs: script.listLagMs ?? 0,
    faults: (script.faults ?? []).map((fault) => ({ collection: PROJECTS, ...fault })),
  });
  return {
    context: cloud.context({ now: () => Date.now() + aheadMs }),
    existing: async () => cloud.fake.living(PROJECTS).map(({ key }) => key),
    finish: async () => cloud.fake.finish(),
    addForeign: (name, count) => {
      for (let at = 0; at < count; at += 1) cloud.fake.put(PROJECTS, project(name));
    },
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}

function coreweave(script: ConformanceScript): ConformanceCloud {
  const cloud = new CoreweaveCloud({
    readyAfterMs: script.slow ? HOUR_MS : 0,
    endsFailed: script.endsFailed ?? false,
    faults: (script.faults ?? []).map((fault) => ({ collection: "vpcs", ...fault })),
  });
  return {
    context: cloud.context(),
    existing: async () => cloud.living("/vpcs").map(({ path }) => path.split("/").at(-1) ?? ""),
    finish: async () => cloud.finish(),
  };
}

describe("the conformance of supabase:Project", () => {
  providerConformance({
    provider: supabaseProvider(),
    type: "supabase:Project",
    properties: (name) => project(name),
    changed: (name) => project(name, { name: "changed" }),
    immutableChanged: (name) => project(name, { region: "us-east-1" }),
    missingId: "aaaaaaaaaaaaaaaaaaaa",
    refusals,
    cloud: supabase,
  });
});

describe("the conformance of coreweave:Vpc", () => {
  const vpc = (name: string, more: JsonMap = {}): JsonMap => ({ name, zone: ZONE, ...more });
  providerConformance({
    provider: coreweaveProvider(),
    type: "coreweave:Vpc",
    properties: (name) => vpc(name),
    changed: (name) => vpc(name, { egress: { disablePublicAccess: true } }),
    missingId: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
    uniqueNames: true,
    cloud: coreweave,
  });
});
