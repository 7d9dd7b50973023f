import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { members, tenantEmailDomains } from "#schema/tenants.ts";
import { signIns, users } from "#schema/users.ts";
import type { Identity } from "./oidc/identity.ts";

export type User = typeof users.$inferSelect;

export function insertSignIn(call: Call, signIn: typeof signIns.$inferInsert) {
  return call.write(null, call.db.insert(signIns).values(signIn));
}

/** Deletes and returns the sign-in that matches both the state and the browser's cookie, so it works once. */
export function takeSignIn(
  call: Call,
  of: { stateDigest: string; browserDigest: string; provider: string },
) {
  return call.db
    .delete(signIns)
    .where(
      and(
        eq(signIns.stateDigest, of.stateDigest),
        eq(signIns.browserDigest, of.browserDigest),
        eq(signIns.provider, of.provider),
        gt(signIns.expiresAtMs, call.now),
      ),
    )
    .returning();
}

export function findUser(call: Call, { issuer, subject }: Identity) {
  return call.db
    .select()
    .from(users)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)));
}

/** Other users with this verified address at the same provider, where it belongs to one person at a time. */
export function findEarlierHolders(call: Call, { issuer, subject, email, emailTrusted }: Identity) {
  return call.db
    .select()
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.issuer, issuer),
        ne(users.subject, subject),
        eq(users.emailTrusted, true),
        emailTrusted ? sql`1` : sql`0`,
      ),
    );
}

export type MembershipRow = typeof members.$inferSelect;

/** The memberships of the identity's user by their domain, in tenants that no longer admit it. */
export function findLapsedMemberships(call: Call, { issuer, subject }: Identity, domain: string) {
  return call.db.all<MembershipRow>(sql`
    SELECT m.id, m.tenant_id AS tenantId, m.user_id AS userId, m.role, m.via, m.version,
      m.created_at_ms AS createdAtMs, m.updated_at_ms AS updatedAtMs
    FROM ${members} m
    WHERE m.user_id = (SELECT id FROM ${users} WHERE issuer = ${issuer} AND subject = ${subject})
      AND m.tenant_id IS NOT NULL AND m.via = 'domain' AND m.role = 'CustomerViewer'
      AND NOT EXISTS (SELECT 1 FROM ${tenantEmailDomains} d
        WHERE d.tenant_id = m.tenant_id AND d.domain = ${domain})`);
}

export function insertUser(call: Call, user: User): Write {
  return call.write(null, call.db.insert(users).values(user));
}

/** The guard and the update of a user that was read. */
export function setUser(call: Call, before: User, after: User): Write[] {
  const itself = sql`${users.id} = ${before.id} AND ${users.version} = ${before.version}`;
  return [
    call.require("conflict", sql`EXISTS (SELECT 1 FROM ${users} WHERE ${itself})`),
    call.write(null, call.db.update(users).set(after).where(eq(users.id, before.id))),
  ];
}
