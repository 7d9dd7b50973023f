import type { Diagnostic } from "#engine/diagnostics.ts";
import type { ResourceRegion } from "#engine/template/regions-of.ts";
import { diagnosticAt } from "#engine/template/report.ts";
import type { Template } from "#engine/template/template.ts";
import { escapePointer } from "#platform/json.ts";
import { providerInTypeName } from "#providers/type-name.ts";
import { type ProviderName, providerNames } from "#schema/provider-names.ts";

/** What the check has to know of a tenant. */
export interface TenantFacts {
  /** The providers it has targets at, its own or the platform's, and whether one of them allows a region. */
  targets: ReadonlyMap<ProviderName, (region: string) => boolean>;
  limits: readonly { name: string; used: number; limit: number | null }[];
}

const MAX_WARNINGS = 100;

/**
 * What keeps this tenant from deploying a template that is sound in itself: warnings, since targets, regions
 * and limits change and the template does not. Each provider without a target is told once.
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
        `The tenant has no target at ${provider}, which ${JSON.stringify(name)} needs.`,
        places?.get("/type") ?? { ...place, path: `/resources/${escapePointer(name)}/type` },
        `Register a cloud target with the provider ${provider}.`,
      ),
    );
  }
  for (const { resource, type, region, place } of regions) {
    const provider = providerOf(type);
    const allows = provider === undefined ? undefined : targets.get(provider);
    if (provider === undefined || allows === undefined || allows(region)) continue;
    if (warnings.length >= MAX_WARNINGS) break;
    warnings.push(
      diagnosticAt(
        "warning",
        "region_not_allowed",
        `${JSON.stringify(resource)} is to be in the region ${JSON.stringify(region.slice(0, 80))}, which no target of the tenant's at ${provider} allows.`,
        place,
        "Choose an allowed region, refer to `${control.target.region}`, or add the region to a target.",
      ),
    );
  }
  for (const { name, used, limit } of limits)
    if (limit !== null && used >= limit)
      warnings.push(
        diagnosticAt(
          "warning",
          "limit_reached",
          `The tenant has ${used} of ${limit} under its limit ${JSON.stringify(name)}: a deployment of this template to a new instance would be refused.`,
          { path: "", line: 0, column: 0 },
          "Free some, or ask for a higher limit.",
        ),
      );
  return warnings;
}

function providerOf(type: string): ProviderName | undefined {
  return providerNames.find((known) => known === providerInTypeName(type));
}
