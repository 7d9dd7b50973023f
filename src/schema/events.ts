import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Trace } from "#platform/trace.ts";

/** WITHOUT ROWID (set by hand in the migration): an insert bills one row instead of three. */
export const events = sqliteTable(
  "events",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    type: text().notNull(),
    resourceType: text().notNull(),
    resourceId: text().notNull(),
    /** The name of a deleted object, for chat messages. Null if the object's row still has it. */
    name: text(),
    /** The exact body of every attempt of every delivery with the webhook format `standard`. */
    payload: text().notNull(),
    /** The trace of the request that caused the event; deliveries belong to it. */
    trace: text({ mode: "json" }).$type<Trace>(),
    /** The length of the chain of triggers that caused the event; null: none did. Deliveries pass it on. */
    hops: integer(),
    createdAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
);
