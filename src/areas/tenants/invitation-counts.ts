import { type SQL, sql } from "drizzle-orm";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations, members } from "#schema/tenants.ts";

/**
 * Holds for an invitation that has not expired and that whoever made it could still make: the member, or the member
 * behind the key. Otherwise one who was removed could leave the way back open, to the role they had. What an operator
 * made, by a key of the tenant's too, holds until it expires.
 */
export function invitationCounts(nowMs: number): SQL {
  const { tenantId, role, invitedBy, expiresAtMs } = invitations;
  const mayGive = (userId: SQL) => sql`EXISTS (SELECT 1 FROM ${members} m
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND (m.role = 'CustomerOwner'
      OR m.role = 'CustomerAdmin' AND ${role} IN ('CustomerViewer', 'CustomerDeveloper')))`;
  return sql`${expiresAtMs} > ${nowMs} AND CASE substr(${invitedBy}, 1, instr(${invitedBy}, ':'))
    WHEN 'member:' THEN ${mayGive(sql`substr(${invitedBy}, 8)`)}
    WHEN 'key:' THEN EXISTS (SELECT 1 FROM ${apiKeys} k
      WHERE k.tenant_id = ${tenantId} AND k.id = substr(${invitedBy}, 5)
        AND (k.creator_user_id IS NULL OR ${mayGive(sql`k.creator_user_id`)}))
    ELSE 1 END`;
}
