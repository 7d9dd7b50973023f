import type { Diagnostic } from "#engine/diagnostics.ts";
import {
  allowsRegionOf,
  regionAt,
  type ResourceRegion,
  type TargetRegions,
} from "#engine/template/regions-of.ts";
import { diagnosticAt } from "#engine/template/report.ts";
import type { Template } from "#engine/template/template.ts";
import { escapePointer } from "#platform/json.ts";
import { providerInTypeName } from "#providers/type-name.ts";
import { type ProviderName, providerNames } from "#schema/lists/provider-names.ts";

/** The facts about a tenant that the check needs. */
export interface TenantFacts {
  /** The providers that the tenant can deploy to, and its targets there. */
  targets: ReadonlyMap<ProviderName, readonly TargetRegions[]>;
  limits: readonly { name: string; used: number; limit: number | null }[];
}

const MAX_WARNINGS = 100;

/**
 * The obstacles to a deployment of a valid template by this tenant. Warnings, not errors: targets, regions and limits
 * can change. A provider without a target is reported once.
 */
export function checkForTenant(
  resources: Template["resources"],
  regions: readonly ResourceRegion[],
  { targets, limits }: TenantFacts,
): Diagnostic[] {
  const warnings: Diagnostic[] = [];
  const warned = new Set<string>();
  for (const [name, { type, place, places }] of Object.entries(resources)) {
    const provider = providerOf(type);
    if (provider === undefined || targets.has(provider) || warned.has(provider)) continue;
    warned.add(provider);
    warnings.push(
      diagnosticAt(
        "warning",
        "no_target",
        `${JSON.stringify(name)} needs a target at ${provider}, and the tenant has none.`,
        places?.get("/type") ?? { ...place, path: `/resources/${escapePointer(name)}/type` },
        `Register a cloud target with the provider ${provider}.`,
      ),
    );
  }
  for (const wanted of regions) {
    const provider = providerOf(wanted.type);
    const there = provider === undefined ? undefined : targets.get(provider);
    if (there === undefined || there.some((target) => allowsRegionOf(wanted, target))) continue;
    if (warnings.length >= MAX_WARNINGS) break;
    warnings.push(regionWarning(wanted, `${provider}`, there));
  }
  for (const { name, used, limit } of limits)
    if (limit !== null && used >= limit)
      warnings.push(
        diagnosticAt(
          "warning",
          "limit_reached",
          `The tenant has used ${used} of ${limit} of its limit ${JSON.stringify(name)}: deploying this template with a new instance would be refused.`,
          { path: "", line: 0, column: 0 },
          "Delete what is not needed, or ask an operator for a higher limit.",
        ),
      );
  return warnings;
}

function regionWarning(
  wanted: ResourceRegion,
  provider: string,
  targets: readonly TargetRegions[],
): Diagnostic {
  const name = JSON.stringify(wanted.resource);
  if (typeof wanted.region === "string")
    return diagnosticAt(
      "warning",
      "region_not_allowed",
      `${name} uses the region ${JSON.stringify(wanted.region.slice(0, 80))}, which none of the tenant's targets at ${provider} allows.`,
      wanted.place,
      "Choose an allowed region, refer to `${control.target.region}`, or add the region to a target.",
    );
  const places = targets.map((target) => regionAt(wanted, target) ?? "");
  return diagnosticAt(
    "warning",
    "region_not_allowed",
    `${name} leaves its region to the target, and none of the tenant's targets at ${provider} allows its own: ${[...new Set(places)].slice(0, 5).join(", ").slice(0, 200)}.`,
    wanted.place,
    "Write a region that a target allows, or correct the target's config.",
  );
}

function providerOf(type: string): ProviderName | undefined {
  return providerNames.find((known) => known === providerInTypeName(type));
}
