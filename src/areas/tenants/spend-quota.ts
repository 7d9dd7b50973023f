import { currentStanding } from "#areas/license/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { quotaLimits } from "#schema/plans.ts";
import type { Tenant } from "#schema/tenants.ts";

/**
 * Uses one of the quota that the call's endpoint declares, before the work: throws `rate_limited` when the tenant
 * has none left. Ask it when the caller may do what is asked. A repetition of the same request uses nothing more,
 * and what no endpoint asked for (a trigger) uses nothing.
 */
export async function spendQuota(call: Call, tenant: Pick<Tenant, "id" | "limits">): Promise<void> {
  const { quota } = call;
  if (quota === undefined) return;
  const name = quotaLimits[quota.name];
  const own = Object.hasOwn(tenant.limits, name) ? tenant.limits[name] : undefined;
  const { limits } = await currentStanding(call.env, call.now);
  const limit = own === null || Number.isSafeInteger(own) ? (own as number | null) : limits[name];
  if (limit !== null) await quota.spend(tenant.id, limit);
}
