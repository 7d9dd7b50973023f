import { type SQL, sql } from "drizzle-orm";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations, members } from "#schema/tenants.ts";

/**
 * Holds for an invitation that has not expired and whose creator (a member, or the member behind an API key)
 * could still make it. Otherwise a removed member could return to their former role through an invitation.
 * Invitations by operators, also through a key that an operator created, hold until they expire.
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
