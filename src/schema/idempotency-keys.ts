import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** The actor's name, so that keys of different callers never collide. */
    principal: text().notNull(),
    /** For example `POST /api/v1/templates`. */
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
