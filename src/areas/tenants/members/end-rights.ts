import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations } from "#schema/tenants.ts";

/**
 * Revokes the keys that the user created in the tenant, and deletes the invitations that the user or those keys made,
 * for good: a later membership does not bring them back. Runs when a membership ends and again when one begins, for a
 * key whose creation was under way at the end.
 */
export function endRights(call: Call, tenantId: string, userId: string): Write[] {
  const [k, i] = [apiKeys, invitations];
  const theirs = sql`${k.tenantId} = ${tenantId} AND ${k.creatorUserId} = ${userId}`;
  return [
    call.write(
      tenantId,
      call.db.delete(i).where(
        sql`${i.tenantId} = ${tenantId} AND (${i.invitedBy} = ${`member:${userId}`}
            OR ${i.invitedBy} IN (SELECT 'key:' || ${k.id} FROM ${k} WHERE ${theirs}))`,
      ),
    ),
    call.write(
      tenantId,
      call.db
        .update(k)
        .set({ revokedAtMs: call.now, updatedAtMs: call.now, version: sql`${k.version} + 1` })
        .where(sql`${theirs} AND ${k.revokedAtMs} IS NULL`),
    ),
  ];
}
