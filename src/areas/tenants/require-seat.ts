import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { limitSql } from "#kernel/limits/limits.ts";
import { enforcePlanLimitWhere } from "./enforce-plan-limit.ts";
import { seatsTaken } from "./store.ts";

/** The writes of a commit that adds a member or an invitation. They enforce the tenant's limit of both together. */
export function requireSeat(call: Call, tenantId: string): Promise<Write[]> {
  return enforcePlanLimitWhere(call, "members", tenantId, (place) =>
    seatsTaken(tenantId, call.now, limitSql(place)),
  );
}
