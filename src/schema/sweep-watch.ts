import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row: the note that each sweep leaves in D1. A database that was restored shows an old one. */
export const sweepWatch = sqliteTable("sweep_watch", {
  id: integer().primaryKey(),
  sweptAtMs: integer().notNull(),
  /** The last instance whose runner was asked to reconcile; null: none has to be asked. */
  reconciledTo: text(),
});
