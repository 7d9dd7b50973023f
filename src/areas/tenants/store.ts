import { sql } from "drizzle-orm";
import type { Call } from "#platform/call.ts";
import { tenants } from "./tables.ts";

/** The tenant with this id, if the caller may see it. */
export function findTenant(call: Call, tenantId: string) {
  return call.db
    .select()
    .from(tenants)
    .where(sql`${tenants.id} = ${tenantId} AND ${call.mine(tenants.id)}`);
}
