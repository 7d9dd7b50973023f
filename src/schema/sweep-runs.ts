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
