import { currentStanding } from "#areas/license/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { monthOf } from "#kernel/limits/limits.ts";
import { type LimitName, limitNames, type PlanName } from "#schema/lists/plans.ts";
import { findUsage } from "./store.ts";

export interface Usage {
  tenantId: string;
  plan: PlanName;
  month: string;
  uses: Record<LimitName, { used: number; limit: number | null }>;
}

export async function getUsage(call: Call, tenantId: string): Promise<Usage> {
  const { plan, limits } = await currentStanding(call.env, call.now);
  const [row] = await call.read(
    one(findUsage(call, tenantId, limits), "tenant", { tenantOf: () => tenantId }),
  );
  const uses = limitNames.map((name) => [
    name,
    { used: row[name] ?? 0, limit: row[`${name}_limit`] ?? null },
  ]);
  return {
    tenantId,
    plan,
    month: monthOf(call.now),
    uses: Object.fromEntries(uses) as Usage["uses"],
  };
}
