import type * as z from "zod";
import { findTargetPlaces } from "#areas/cloud-targets/public.ts";
import { currentStanding } from "#areas/license/public.ts";
import { findUsage, namedTenant } from "#areas/tenants/public.ts";
import { frozenTypes } from "#engine/frozen-types.ts";
import {
  describeRead,
  describeTemplate,
  type ReadSource,
  readSource,
  type TemplateDescription,
} from "#engine/template/describe.ts";
import { regionsOf, type TargetRegions } from "#engine/template/regions-of.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import { checkForTenant, type TenantFacts } from "./check-for-tenant.ts";
import { findComponents, ofTemplate, ofTenant } from "./components/find-components.ts";
import {
  noPins,
  type Resolution,
  resolveComponents,
  storedComponents,
} from "./components/resolve-components.ts";
import { resourcesInside } from "./components/resources-inside.ts";
import { findPinnedSources } from "./components/stored-sources.ts";
import { readOnce, wantedComponents } from "./components/wanted-components.ts";
import type { ValidateTemplateBody, ValidateTemplateSourceBody } from "./contract.ts";
import { catalogueOf } from "./describe-source.ts";
import { findTemplate, findTemplateVersion } from "./store.ts";

/** Faults of the source are results, not errors; so is a template without a source. */
export async function validateTemplate(
  call: Call,
  id: string,
  body: z.output<typeof ValidateTemplateBody>,
): Promise<Validation> {
  const { limits } = await currentStanding(call.env, call.now);
  const { source, tenantId } = body;
  const stored = source === undefined ? id : "";
  const wanted = await wantedComponents(call, body, source);
  const [, [latest], sources, , targets, [usage], ...found] = await call.read(
    one(findTemplate(call, id), "template"),
    findTemplateVersion(call, stored, "latest"),
    findPinnedSources(call, stored),
    namedTenant(call, tenantId),
    findTargetPlaces(call, tenantId ?? ""),
    findUsage(call, tenantId ?? "", limits),
    ...findComponents(call, wanted, { ...ofTemplate(call, id), pins: { of: "last" } }),
  );
  const tenant = tenantId === undefined ? undefined : { targets, usage };
  if (source !== undefined)
    return checked(
      call,
      readOnce(body, source),
      tenant,
      await resolveComponents(wanted, found, source.length),
    );
  if (latest === undefined) return withoutSource();
  const read = readSource(latest.source, frozenTypes(latest.resources));
  return checked(call, read, tenant, storedComponents(latest.components, sources));
}

/** Like `validateTemplate`, for a source without a template. */
export async function validateTemplateSource(
  call: Call,
  body: z.output<typeof ValidateTemplateSourceBody>,
): Promise<Validation> {
  const { limits } = await currentStanding(call.env, call.now);
  const { source, tenantId } = body;
  const wanted = await wantedComponents(call, body, source);
  const [, targets, [usage], ...found] = await call.read(
    namedTenant(call, tenantId),
    findTargetPlaces(call, tenantId ?? ""),
    findUsage(call, tenantId ?? "", limits),
    ...findComponents(call, wanted, ofTenant(call, tenantId)),
  );
  const tenant = tenantId === undefined ? undefined : { targets, usage };
  const components = await resolveComponents(wanted, found, source.length);
  return checked(call, readOnce(body, source), tenant, components);
}

type CheckedComponents = Pick<Resolution, "resolved" | "types" | "pinned" | "newer">;

/** The description of a source, with its components. */
export interface Validation extends TemplateDescription, Pick<Resolution, "pinned" | "newer"> {}

interface TenantReads {
  targets: readonly (TargetRegions & { provider: ProviderName })[];
  usage: Readonly<Record<string, number | null>> | undefined;
}

/** The description of the source; for a tenant, with the obstacles to its deployment. */
async function checked(
  { env }: Call,
  read: ReadSource,
  tenant: TenantReads | undefined,
  components: CheckedComponents,
): Promise<Validation> {
  const { template } = read;
  const { resolved, types, pinned, newer } = components;
  const known = await catalogueOf(env.ASSETS, [...read.types, ...types]);
  const description = { ...describeRead(read, known, resolved), pinned, newer };
  if (tenant === undefined || template === undefined) return description;
  const { targets, usage } = tenant;
  const resources = { ...template.resources, ...resourcesInside(template, resolved) };
  const warnings = checkForTenant(resources, regionsOf(template, known), {
    targets: reachOf(targets),
    limits: limitsOfDeploying.map((name) => ({
      name,
      used: usage?.[name] ?? 0,
      limit: usage?.[`${name}_limit`] ?? null,
    })),
  });
  return { ...description, diagnostics: [...description.diagnostics, ...warnings] };
}

/** The limits that a deployment with a new instance counts against. */
const limitsOfDeploying = ["instances", "deploymentsPerMonth"] as const;

function reachOf(targets: TenantReads["targets"]): TenantFacts["targets"] {
  return Map.groupBy(targets, ({ provider }) => provider);
}

function withoutSource(): Validation {
  return {
    ...describeTemplate("", catalogue()),
    pinned: noPins,
    newer: {},
    valid: false,
    diagnostics: [
      {
        severity: "error",
        code: "no_source",
        message: "The template has no version yet, so there is no source to check.",
        path: "",
        line: 0,
        column: 0,
        hint: "Send `source` with the request, or add a version.",
      },
    ],
  };
}
