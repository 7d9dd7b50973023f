import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Trace } from "#platform/trace.ts";

/** WITHOUT ROWID (set by hand in the migration): one billed row an insert in place of three. */
export const events = sqliteTable(
  "events",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    type: text().notNull(),
    resourceType: text().notNull(),
    resourceId: text().notNull(),
    /** The exact bytes that every attempt of every delivery sends. */
    payload: text().notNull(),
    /** Of whoever's request it came of: what is sent because of it belongs to that trace. */
    trace: text({ mode: "json" }).$type<Trace>(),
    createdAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
);
