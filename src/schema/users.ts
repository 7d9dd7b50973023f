import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * A person who has signed in, identified only by issuer and subject, because an email address alone does not
 * authenticate anyone.
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
    issuer: text().notNull(),
    subject: text().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("users_by_email").on(t.email),
    uniqueIndex("users_by_identity").on(t.issuer, t.subject),
  ],
);

/**
 * A user's session in one browser. Only the cookie contains the token. Ends by sign-out, by revocation, after eight
 * hours without use, or seven days after the sign-in (session-life.ts).
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    /** SHA-256 of the token, hex. */
    digest: text().notNull(),
    userId: text().notNull(),
    /** The user was on the operator list at sign-in: the session acts as an operator as long as that holds. */
    operator: integer({ mode: "boolean" }).notNull(),
    /** The sign-in provider's id. */
    provider: text().notNull(),
    /** The browser's `User-Agent`. */
    userAgent: text(),
    /** Updated at most every five minutes. */
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
 * A pending sign-in, from the redirect to the provider until the callback, for at most ten minutes. The callback
 * deletes the row before it sends any request to the provider.
 */
export const signIns = sqliteTable(
  "sign_ins",
  {
    /** SHA-256 of `state`, hex. */
    stateDigest: text().primaryKey(),
    /** SHA-256 of the cookie that binds the sign-in to its browser, hex. */
    browserDigest: text().notNull(),
    provider: text().notNull(),
    /** As configured at the time of the redirect. */
    issuer: text().notNull(),
    /** The absolute URL to return to, checked when the sign-in started. */
    returnTo: text().notNull(),
    /** Sealed: the nonce and the PKCE verifier. */
    secrets: text().notNull(),
    expiresAtMs: integer().notNull(),
  },
  (t) => [index("sign_ins_by_expiry").on(t.expiresAtMs)],
);

export type SignIn = typeof signIns.$inferSelect;
