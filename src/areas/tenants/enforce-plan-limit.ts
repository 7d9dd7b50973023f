import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { currentStanding } from "#areas/license/public.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Guard, Write } from "#kernel/call/unit-of-work.ts";
import {
  enforceBytes,
  enforceLimit,
  enforceMonthlyLimit,
  enforceRowLimit,
  type LimitPlace,
} from "#kernel/limits/limits.ts";
import type { ByteBudget } from "#schema/lists/byte-budgets.ts";
import type { LimitName } from "#schema/lists/plans.ts";

/**
 * The writes of a commit that adds a row under a tenant's limit. They enforce the limit. `counted`: a condition on the
 * rows that count.
 */
export async function enforcePlanLimit(
  call: Call,
  name: LimitName,
  tenantId: string,
  table: SQLiteTable & { tenantId: SQLiteColumn },
  counted?: SQL,
): Promise<Write[]> {
  return enforceRowLimit(call, await placeOf(call, name, tenantId), table, counted);
}

/** As `enforcePlanLimit`, for rows that are counted in another way. */
export async function enforcePlanLimitWhere(
  call: Call,
  name: LimitName,
  tenantId: string,
  used: (place: LimitPlace) => SQL,
): Promise<Write[]> {
  const place = await placeOf(call, name, tenantId);
  return enforceLimit(call, place, used(place));
}

/** The statements of a commit that counts against a monthly limit. */
export async function enforceMonthlyPlanLimit(
  call: Call,
  name: LimitName,
  tenantId: string,
): Promise<Write[]> {
  return enforceMonthlyLimit(call, await placeOf(call, name, tenantId));
}

/** The guard of a commit that adds to what the tenant stores. */
export async function requireBytes(
  call: Call,
  name: ByteBudget,
  tenantId: string,
): Promise<Guard[]> {
  return enforceBytes({ ...(await placeOf(call, name, tenantId)), name });
}

async function placeOf(call: Call, name: LimitName, tenantId: string): Promise<LimitPlace> {
  const { limits } = await currentStanding(call.env, call.now);
  return { tenantId, name, planLimit: limits[name] };
}
