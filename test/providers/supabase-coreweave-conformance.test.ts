import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { supabaseProvider } from "#providers/supabase/supabase-provider.ts";
import { conformanceCloud, describedConformanceCloud, foreignName } from "./conformance-cloud.ts";
import type { Refusal } from "./conformance-subject.ts";
import { CoreweaveCloud, ZONE } from "./coreweave/coreweave-cloud.ts";
import { providerConformance } from "./provider-conformance.ts";
import { supabaseDocument } from "./supabase/description.ts";
import { ORGANIZATION } from "./supabase/rules.ts";
import { supabaseCloud, supabaseDescription } from "./supabase/supabase-cloud.ts";

const description = supabaseDescription(supabaseDocument);
const PROJECTS = "/v1/projects";
const VPCS = "/v1beta1/networking/vpcs";

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

describe("the conformance of supabase:Project", () => {
  providerConformance({
    provider: supabaseProvider(),
    type: "supabase:Project",
    properties: (name) => project(name),
    changed: (name) => project(name, { name: "changed" }),
    immutableChanged: (name) => project(name, { region: "us-east-1" }),
    missingId: "aaaaaaaaaaaaaaaaaaaa",
    refusals,
    cloud: (script) =>
      describedConformanceCloud(
        PROJECTS,
        script,
        (options) => supabaseCloud(description, options),
        (name) => project(name),
      ),
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
    cloud: (script) =>
      conformanceCloud("vpcs", script, (options) => {
        const cloud = new CoreweaveCloud(options);
        return {
          context: (more) => cloud.context(more),
          fetch: cloud.fetch,
          living: () => cloud.living("/vpcs").map(({ path }) => path.split("/").at(-1) ?? ""),
          finish: () => cloud.finish(),
          put: (name, at) => cloud.put(VPCS, vpc(foreignName(name, at, true))),
        };
      }),
  });
});
