import { currentStanding } from "#areas/license/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { ownLimit } from "#kernel/limits/own-limit.ts";
import { quotaLimits } from "#schema/lists/plans.ts";
import type { Tenant } from "#schema/tenants.ts";

/**
 * Counts the call against the quota that its endpoint declares; throws `rate_limited` if the tenant's quota
 * is used up. Call it before the work, once the caller is authorized. A repeated request is counted once;
 * calls without an endpoint (triggers) are not counted.
 */
export async function spendQuota(call: Call, tenant: Pick<Tenant, "id" | "limits">): Promise<void> {
  const { quota } = call;
  if (quota === undefined) return;
  const { limits } = await currentStanding(call.env, call.now);
  const limit = ownLimit(tenant.limits, quotaLimits[quota.name], limits);
  if (limit !== null) await quota.spend(tenant.id, limit);
}
