/**
 * The invitations that a person may accept. The caller's own address is the authorization, so tenants are not
 * restricted to theirs.
 */
import { eq, type SQL, sql } from "drizzle-orm";
import { invitationCounts } from "#areas/tenants/public.ts";
import type { Call } from "#kernel/call/call.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import {
  invitations,
  members,
  removedMembers,
  tenantEmailDomains,
  tenants,
} from "#schema/tenants.ts";
import { users } from "#schema/users.ts";

export interface MyInvitation {
  /** For an offer by domain, the tenant's id. */
  id: string;
  tenantId: string;
  tenantName: string;
  tenantSlug: string;
  role: TenantRole;
  via: "invitation" | "domain";
  /** Null: the offer ends with the tenant's setting. */
  expiresAtMs: number | null;
  createdAtMs: number;
  /** 1: the invitation that the token is for. */
  byToken: number;
}

interface Asked {
  afterId?: string | undefined;
  limit: number;
  /** Undefined: both. */
  via?: MyInvitation["via"] | undefined;
}

/** At most `limit`, newest first. `digest`: of a token, whose invitation is found too. */
export function findMyInvitations(
  call: Call,
  { afterId, limit, via }: Asked,
  digest: string | undefined,
) {
  const later = (id: SQL) => (afterId === undefined ? sql`1` : sql`${id} < ${afterId}`);
  return found(call, digest, via, later, sql`ORDER BY id DESC LIMIT ${limit}`);
}

export function findMyInvitation(call: Call, id: string, digest: string | undefined) {
  return found(call, digest, undefined, (its) => sql`${its} = ${id}`, sql`LIMIT 1`);
}

/** The invitation as it is stored, for the audit log; no row for an offer by domain. */
export function findStored(call: Call, id: string) {
  return call.db
    .select()
    .from(invitations)
    .where(sql`${invitations.id} = ${id} AND ${invitations.tenantId} IS NOT NULL`);
}

/** Holds while the invitation is open. */
export function isOpen(call: Call, { id, tenantId }: { id: string; tenantId: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.id} = ${id}
    AND ${invitations.tenantId} = ${tenantId} AND ${invitationCounts(call.now)})`;
}

/** Holds while the tenant offers membership to this user because of the domain of their address. */
export function isOffered(call: Call, tenantId: string): SQL {
  return sql`EXISTS (${offers(call, sql`${tenants.id} = ${tenantId}`)})`;
}

function found(
  call: Call,
  digest: string | undefined,
  via: MyInvitation["via"] | undefined,
  which: (id: SQL) => SQL,
  order: SQL,
) {
  const i = invitations;
  const invited = sql`SELECT ${i.id} AS id, ${i.tenantId} AS tenantId, t.name AS tenantName, t.slug AS tenantSlug,
      ${i.role} AS role, 'invitation' AS via, ${i.expiresAtMs} AS expiresAtMs, ${i.createdAtMs} AS createdAtMs,
      ${i.digest} = ${digest ?? ""} AS byToken
    FROM ${i} JOIN ${tenants} t ON t.id = ${i.tenantId}
    WHERE ${i.tenantId} IS NOT NULL AND (${i.email} = ${myAddress(call)} OR ${i.digest} = ${digest ?? ""})
      AND ${invitationCounts(call.now)} AND ${which(sql`${i.id}`)}`;
  const offered = offers(call, which(sql`${tenants.id}`));
  const both = { invitation: invited, domain: offered };
  const parts = via === undefined ? Object.values(both) : [both[via]];
  return call.db.all<MyInvitation>(sql`${sql.join(parts, sql` UNION ALL `)} ${order}`);
}

/**
 * A user who was removed, left or declined gets no further offer, and neither does a later user with the same verified
 * address.
 */
function offers(call: Call, which: SQL): SQL {
  const t = tenants;
  return sql`SELECT ${t.id} AS id, ${t.id} AS tenantId, ${t.name} AS tenantName, ${t.slug} AS tenantSlug,
      'CustomerViewer' AS role, 'domain' AS via, NULL AS expiresAtMs, ${t.createdAtMs} AS createdAtMs, 0 AS byToken
    FROM ${tenantEmailDomains} d JOIN ${t} ON ${t.id} = d.tenant_id
    WHERE d.tenant_id IS NOT NULL
      AND (d.method = 'operator' OR d.method = 'dns' AND d.verified_until_ms > ${call.now})
      AND d.domain = (SELECT substr(email, instr(email, '@') + 1) FROM ${users} WHERE id = ${call.me()} AND email_trusted = 1)
      AND NOT EXISTS (SELECT 1 FROM ${members} m WHERE m.tenant_id = d.tenant_id AND m.user_id = ${call.me()})
      AND NOT EXISTS (SELECT 1 FROM ${removedMembers} r WHERE r.tenant_id = d.tenant_id
        AND (r.user_id = ${call.me()} OR r.email = ${myAddress(call)}))
      AND ${which}`;
}

/** The caller's verified address; otherwise NULL, which no invitation has. */
function myAddress(call: Call): SQL {
  return sql`(SELECT email FROM ${users} WHERE id = ${call.me()} AND email_trusted = 1)`;
}

export function removeInvitation(call: Call, { id, tenantId }: { id: string; tenantId: string }) {
  return call.write(
    tenantId,
    call.db
      .delete(invitations)
      .where(sql`${eq(invitations.id, id)} AND ${eq(invitations.tenantId, tenantId)}`),
  );
}
