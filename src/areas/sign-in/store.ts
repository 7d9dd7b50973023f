import { and, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { members, tenantEmailDomains } from "#schema/tenants.ts";
import { type SignIn, signIns, users } from "#schema/users.ts";
import type { Identity } from "./oidc/identity.ts";

export type User = typeof users.$inferSelect;

export function insertSignIn(call: Call, signIn: SignIn) {
  return call.write(null, call.db.insert(signIns).values(signIn));
}

/**
 * Deletes and returns the sign-in that matches both the state and the browser's cookie: it can be used only
 * once.
 */
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

/** The placeholder user for this address. */
export function findExpectedUser(call: Call, { email, emailTrusted }: Identity) {
  return call.db
    .select()
    .from(users)
    .where(and(isNull(users.issuer), eq(users.email, email), emailTrusted ? sql`1` : sql`0`));
}

/** Other users who proved this address at the same provider: there it belongs to one person at a time. */
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

/** The ids of the identity's user and of the placeholder. */
export function userIds(identity: Identity): { known: SQL; expected: SQL } {
  const { issuer, subject, email, emailTrusted } = identity;
  return {
    known: sql`(SELECT id FROM ${users} WHERE issuer = ${issuer} AND subject = ${subject})`,
    expected: sql`(SELECT id FROM ${users} WHERE issuer IS NULL AND email = ${email} AND ${emailTrusted ? 1 : 0})`,
  };
}

export type MembershipRow = typeof members.$inferSelect & { domainAllowed: number };

/** All memberships of these users, and whether the tenant currently admits the domain of the address. */
export function findMemberships(
  call: Call,
  { known, expected }: { known: SQL; expected: SQL },
  domain: string,
) {
  return call.db.all<MembershipRow>(sql`
    SELECT m.id, m.tenant_id AS tenantId, m.user_id AS userId, m.role, m.via, m.version,
      m.created_at_ms AS createdAtMs, m.updated_at_ms AS updatedAtMs,
      EXISTS (SELECT 1 FROM ${tenantEmailDomains} d
        WHERE d.tenant_id = m.tenant_id AND d.domain = ${domain}) AS domainAllowed
    FROM ${members} m WHERE m.user_id IN (${known}, ${expected}) AND m.tenant_id IS NOT NULL`);
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

/** Deletes the placeholder user, which nothing refers to any more. */
export function removeExpectedUser(call: Call, { id, version }: User): Write[] {
  const itself = sql`${users.id} = ${id} AND ${users.version} = ${version} AND ${users.issuer} IS NULL`;
  return [
    call.require("conflict", sql`EXISTS (SELECT 1 FROM ${users} WHERE ${itself})`),
    call.write(null, call.db.delete(users).where(eq(users.id, id))),
  ];
}
