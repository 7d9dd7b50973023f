import { type SQL, sql } from "drizzle-orm";
import { endedAncestor } from "#kernel/authn/key-lineage.ts";
import { PLATFORM } from "#platform/ids.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations, members } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";

/**
 * Holds for an invitation that has not expired and whose creator could still make it: the member, or the API key
 * together with the member behind it. Otherwise a removed member, or the thief of a revoked key, could enter through an
 * invitation. Invitations by operators in a session and by `BOOTSTRAP_API_KEY` hold until they expire: D1 has no record
 * of operators.
 */
export function invitationCounts(nowMs: number): SQL {
  const { tenantId, role, invitedBy, expiresAtMs } = invitations;
  const isLesser = sql`${role} IN ('CustomerViewer', 'CustomerDeveloper')`;
  const mayGive = (userId: SQL) => sql`EXISTS (SELECT 1 FROM ${members} m
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND (m.role = 'CustomerOwner'
      OR m.role = 'CustomerAdmin' AND ${isLesser}))`;
  const liveKey = (id: SQL, ofTenant: SQL, creator: SQL) => sql`EXISTS (SELECT 1 FROM ${apiKeys} k
    WHERE k.id = ${id} AND k.tenant_id = ${ofTenant}
      AND k.revoked_at_ms IS NULL AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${nowMs})
      AND ${endedAncestor(sql`k.ancestors`, nowMs)} IS NULL
      AND EXISTS (SELECT 1 FROM json_each(k.scopes) s
        WHERE s.value = '*' OR s.value = 'members:write' AND ${isLesser})
      AND ${creator})`;
  const creatorMayGive = sql`(k.creator_user_id IS NULL OR ${mayGive(sql`k.creator_user_id`)})`;
  const operator = sql`substr(${invitedBy}, 10)`;
  return sql`${expiresAtMs} > ${nowMs} AND CASE substr(${invitedBy}, 1, instr(${invitedBy}, ':'))
    WHEN 'member:' THEN ${mayGive(sql`substr(${invitedBy}, 8)`)}
    WHEN 'key:' THEN ${liveKey(sql`substr(${invitedBy}, 5)`, sql`${tenantId}`, creatorMayGive)}
    WHEN 'operator:' THEN ${operator} = 'bootstrap'
      OR EXISTS (SELECT 1 FROM ${users} u WHERE u.id = ${operator})
      OR ${liveKey(operator, sql`${PLATFORM}`, sql`1`)}
    ELSE 1 END`;
}
