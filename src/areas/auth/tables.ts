import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
