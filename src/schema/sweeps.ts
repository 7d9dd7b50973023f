import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last run of a sweep. Times in epoch milliseconds. */
export interface SweepRun {
  startedAtMs: number;
  durationMs: number;
  /** Failures of all its runs so far. */
  failures: number;
  /** The start of its last run that did not fail; null: none yet. */
  succeededAtMs: number | null;
}

/** One row, written once a minute for all sweeps together. */
export const sweepRuns = sqliteTable("sweep_runs", {
  id: integer().primaryKey(),
  runs: text({ mode: "json" }).$type<{ [sweep: string]: SweepRun }>().notNull(),
});

/** One row: the note that each sweep leaves in D1. A restored database has an old one. */
export const sweepWatch = sqliteTable("sweep_watch", {
  id: integer().primaryKey(),
  sweptAtMs: integer().notNull(),
  /** The last instance whose runner was asked to reconcile; null: no walk is under way. */
  reconciledTo: text(),
  /** Instances whose runner could not be asked or has an open run, with the number of attempts so far. */
  failed: text({ mode: "json" }).$type<{ [instanceId: string]: number }>().notNull().default({}),
  /** The last deployment seen by the walk through those of thirty days ago; null: it has not begun. */
  prunedTo: text(),
  /** The last answer key seen by the walk through expired answers; null: there is no walk. */
  answersAfter: text({ mode: "json" }).$type<AnswerKey>(),
});

export type AnswerKey = readonly [principal: string, operation: string, key: string];
