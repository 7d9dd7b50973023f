import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Who: the actor's name. Keys of two callers never meet. */
    principal: text().notNull(),
    /** `POST /api/v1/templates` and the caller's key. */
    operation: text().notNull(),
    key: text().notNull(),
    bodyDigest: text().notNull(),
    status: integer().notNull(),
    headers: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    body: text().notNull(),
    expiresAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.principal, t.operation, t.key] })],
);
