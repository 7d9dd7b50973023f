import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * A person. Known by issuer and subject once they have signed in, and by nothing else: an e-mail address alone
 * proves nobody. Until then a row without an issuer holds the place of whoever proves the address.
 */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    /** The address was verified by a provider that is trusted for addresses. */
    emailTrusted: integer({ mode: "boolean" }).notNull(),
    name: text(),
    issuer: text(),
    subject: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("users_by_email").on(t.email),
    uniqueIndex("users_by_identity").on(t.issuer, t.subject),
    uniqueIndex("users_expected")
      .on(t.email)
      .where(sql`issuer IS NULL`),
  ],
);

/**
 * Who is signed in, in which browser. The token is in the cookie alone. Ended by signing out, by being revoked, by
 * eight hours without use or seven days after the sign-in (session-life.ts).
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    /** SHA-256 of the token, hex. */
    digest: text().notNull(),
    userId: text().notNull(),
    /** Who signed in was on the operator list: the session acts as an operator while that is so. */
    operator: integer({ mode: "boolean" }).notNull(),
    /** The sign-in provider's id. */
    provider: text().notNull(),
    /** What the browser called itself. */
    userAgent: text(),
    /** Written at most every five minutes. */
    lastSeenAtMs: integer().notNull(),
    expiresAtMs: integer().notNull(),
    createdAtMs: integer().notNull(),
  },
  (t) => [
    uniqueIndex("sessions_by_digest").on(t.digest),
    index("sessions_of_user").on(t.userId, t.id),
    index("sessions_by_last_use").on(t.lastSeenAtMs),
  ],
);

/**
 * A sign-in under way: from the redirect to the provider until it sends the browser back, ten minutes at most.
 * Whoever comes back takes the row away, and only then asks the provider for anything.
 */
export const signIns = sqliteTable(
  "sign_ins",
  {
    /** SHA-256 of `state`, hex. */
    stateDigest: text().primaryKey(),
    /** SHA-256 of the cookie that binds the sign-in to the browser it began in, hex. */
    browserDigest: text().notNull(),
    provider: text().notNull(),
    /** As it was configured when the browser was sent there. */
    issuer: text().notNull(),
    /** The absolute URL to go to in the end; it was checked when the sign-in began. */
    returnTo: text().notNull(),
    /** Sealed: the nonce and the PKCE verifier. */
    secrets: text().notNull(),
    /** SHA-256 of the invitation's token, hex. */
    invitationDigest: text(),
    expiresAtMs: integer().notNull(),
  },
  (t) => [index("sign_ins_by_expiry").on(t.expiresAtMs)],
);

export type SignIn = typeof signIns.$inferSelect;
