import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import { ProgramError } from "./program-error.ts";

/**
 * Providers for which this service's checks keep tenants of one account apart. At all others, properties name objects,
 * rights and identities in more ways than the checks cover. Tenants could then reach objects of each other or of the
 * operator.
 */
const separating: ReadonlySet<string> = new Set<ProviderName>(["digitalocean", "mock"]);

/**
 * Whether properties of the provider's types may name only what their rows list. The mock is exempt: it stores its
 * properties, and no name in them leads anywhere.
 */
export function separatesByRows(provider: string, config: Readonly<object>): boolean {
  return provider === "digitalocean" && !tenantsTrustEachOther(config);
}

function tenantsTrustEachOther(config: Readonly<object>): boolean {
  return "tenantsTrustEachOther" in config && config.tenantsTrustEachOther === true;
}

/** Operations that only remove or read objects stay possible after an operator withdraws the permission. */
const harmless: ReadonlySet<DeploymentOperation> = new Set(["destroy", "drift_check"]);

/**
 * Throws `ProgramError` at another tenant's or the platform's target of any other provider, unless the operator's
 * config says that the tenants trust each other (decision 0050).
 */
export function requireShareable(
  target: { tenantId: string; name: string; provider: string; config: Readonly<object> },
  { tenantId, operation }: { tenantId: string; operation: DeploymentOperation },
): void {
  if (target.tenantId === tenantId || separating.has(target.provider) || harmless.has(operation))
    return;
  if (tenantsTrustEachOther(target.config)) return;
  throw new ProgramError(
    "target_not_shared",
    `${target.provider} cannot keep the objects of several tenants apart, so the platform target ${target.name} takes no deployments of tenants. Use a target of your own. If all tenants of the installation trust each other, an operator can set \`tenantsTrustEachOther: true\` in the target's config.`,
  );
}
