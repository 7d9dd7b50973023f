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
    /** Of something that the change deleted: its name, which chat messages say. Null where the row still has it. */
    name: text(),
    /** The exact body that every attempt of every delivery sends, where the webhook's format is `standard`. */
    payload: text().notNull(),
    /** The trace of the request that caused the event; deliveries belong to it. */
    trace: text({ mode: "json" }).$type<Trace>(),
    /** Of an event that a chain of triggers caused: the length of the chain. Deliveries carry it on. */
    hops: integer(),
    createdAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
);
