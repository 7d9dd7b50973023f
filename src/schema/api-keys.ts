import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** UUID. In the key itself it stands without dashes. */
    id: text().primaryKey(),
    /** `platform` for an operator's key. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** What may be shown to recognise the key. */
    prefix: text().notNull(),
    /** SHA-256 of the key, hex. */
    digest: text().notNull(),
    /** Of the key before the last rotation, which works until then too. */
    previousDigest: text(),
    previousExpiresAtMs: integer(),
    scopes: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    createdBy: text().notNull(),
    /** Whose role in the tenant bounds the key. Null: an operator made it, and it has an owner's rights. */
    creatorUserId: text(),
    expiresAtMs: integer(),
    revokedAtMs: integer(),
    lastUsedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("api_keys_by_tenant").on(t.tenantId, t.id),
    index("api_keys_live")
      .on(t.tenantId)
      .where(sql`revoked_at_ms IS NULL`),
  ],
);
