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
    /** Sealed if the answer has a secret. */
    body: text().notNull(),
    /**
     * The answer was too long to keep. `body` has only the members that a read of the object does not show, and a
     * repeated request reads the object again.
     */
    isPart: integer({ mode: "boolean" }).notNull().default(false),
    expiresAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.principal, t.operation, t.key] })],
);
