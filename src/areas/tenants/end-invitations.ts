import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { RowWrite } from "#kernel/call/unit-of-work.ts";
import { PLATFORM } from "#platform/ids.ts";
import { invitations } from "#schema/tenants.ts";

/** Deletes the invitations that the API key made. An operator's key, of the platform, made them in all tenants. */
export function endInvitations(call: Call, key: { id: string; tenantId: string }): RowWrite {
  const { tenantId, invitedBy } = invitations;
  const made =
    key.tenantId === PLATFORM
      ? sql`${tenantId} IS NOT NULL AND ${invitedBy} = ${`operator:${key.id}`}`
      : sql`${tenantId} = ${key.tenantId} AND ${invitedBy} = ${`key:${key.id}`}`;
  return call.write(key.tenantId, call.db.delete(invitations).where(made));
}
