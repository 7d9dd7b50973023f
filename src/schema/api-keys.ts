import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** UUID; the key itself contains it without dashes. */
    id: text().primaryKey(),
    /** `platform` for an operator's key. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    /** The part of the key that is shown to identify it. */
    prefix: text().notNull(),
    /** SHA-256 of the key, hex. */
    digest: text().notNull(),
    /** Digest of the key before the last rotation, valid until `previousExpiresAtMs`. */
    previousDigest: text(),
    previousExpiresAtMs: integer(),
    scopes: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    createdBy: text().notNull(),
    /** The user whose role limits the key. Null: created by an operator, with an owner's rights. */
    creatorUserId: text(),
    /** The owner of the key: a user's id, or `bootstrap` for keys that descend from `BOOTSTRAP_API_KEY`. */
    person: text().notNull(),
    /** The keys above it, its creator first; empty: a session or `BOOTSTRAP_API_KEY` created it. */
    ancestors: text({ mode: "json" }).$type<readonly (readonly [string, number])[]>().notNull(),
    /** The number of rotations without an overlap. Keys created before the last one have ended. */
    generation: integer().notNull(),
    expiresAtMs: integer(),
    revokedAtMs: integer(),
    lastUsedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("api_keys_by_tenant").on(t.tenantId, t.id),
    index("api_keys_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("api_keys_by_name").on(t.tenantId, sql`name COLLATE NOCASE`, t.id),
    index("api_keys_of_creator").on(t.creatorUserId, t.id),
    index("api_keys_live")
      .on(t.tenantId)
      .where(sql`revoked_at_ms IS NULL`),
  ],
);
