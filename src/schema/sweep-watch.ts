import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row: the note that each sweep leaves in D1. A database that was restored shows an old one. */
export const sweepWatch = sqliteTable("sweep_watch", {
  id: integer().primaryKey(),
  sweptAtMs: integer().notNull(),
  /** The last instance whose runner was asked to reconcile; null: none has to be asked. */
  reconciledTo: text(),
  /** Instances whose runner could not be asked, or has an open run, to the number of attempts so far. */
  failed: text({ mode: "json" }).$type<{ [instanceId: string]: number }>().notNull().default({}),
  /** The last deployment that the walk through those of thirty days ago has seen; null: it has not begun. */
  prunedTo: text(),
  /** The last key of an answer that the walk through the expired ones has seen; null: there is no walk. */
  answersAfter: text({ mode: "json" }).$type<AnswerKey>(),
});

export type AnswerKey = readonly [principal: string, operation: string, key: string];
