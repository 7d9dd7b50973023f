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
import type { ValidateTemplateBody, ValidateTemplateSourceBody } from "./contract.ts";
import { catalogueOf } from "./describe-source.ts";
import { findTemplate, findTemplateVersion } from "./store.ts";

/** Faults of the source are results, not errors; so is a template without a source. */
export async function validateTemplate(
  call: Call,
  id: string,
  body: z.output<typeof ValidateTemplateBody>,
): Promise<TemplateDescription> {
  const { limits } = await currentStanding(call.env, call.now);
  const [, [latest], , targets, [usage]] = await call.read(
    one(findTemplate(call, id), "template"),
    findTemplateVersion(call, body.source === undefined ? id : "", "latest"),
    namedTenant(call, body.tenantId),
    findTargetPlaces(call, body.tenantId ?? ""),
    findUsage(call, body.tenantId ?? "", limits),
  );
  const types = body.source === undefined ? frozenTypes(latest?.resources ?? []) : {};
  const source = body.source ?? latest?.source;
  if (source === undefined) return withoutSource();
  const read = readSource(source, types);
  return checked(call, read, body.tenantId === undefined ? undefined : { targets, usage });
}

/** Like `validateTemplate`, for a source without a template. */
export async function validateTemplateSource(
  call: Call,
  { source, tenantId }: z.output<typeof ValidateTemplateSourceBody>,
): Promise<TemplateDescription> {
  const { limits } = await currentStanding(call.env, call.now);
  const [, targets, [usage]] = await call.read(
    namedTenant(call, tenantId),
    findTargetPlaces(call, tenantId ?? ""),
    findUsage(call, tenantId ?? "", limits),
  );
  return checked(call, readSource(source), tenantId === undefined ? undefined : { targets, usage });
}

interface TenantReads {
  targets: readonly (TargetRegions & { provider: ProviderName })[];
  usage: Readonly<Record<string, number | null>> | undefined;
}

/** The description of the source; for a tenant, with the obstacles to its deployment. */
async function checked(
  { env }: Call,
  read: ReadSource,
  tenant: TenantReads | undefined,
): Promise<TemplateDescription> {
  const { template } = read;
  const known = await catalogueOf(env.ASSETS, read.types);
  const description = describeRead(read, known);
  if (tenant === undefined || template === undefined) return description;
  const { targets, usage } = tenant;
  const warnings = checkForTenant(template.resources, regionsOf(template, known), {
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

function withoutSource(): TemplateDescription {
  return {
    ...describeTemplate("", catalogue()),
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
