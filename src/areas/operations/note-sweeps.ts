import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { type SweepRun, sweepRuns } from "#schema/sweeps.ts";

/** One run of a sweep. */
export interface SweepEnd {
  startedAtMs: number;
  durationMs: number;
  failed: boolean;
}

/**
 * Records the results of the minute's sweeps in one row, for the metrics. Former sweeps are dropped from it. Never
 * throws: the sweeps themselves have run, and the age of the last record shows a failure.
 */
export async function noteSweeps(
  env: Bindings,
  ends: Readonly<Record<string, SweepEnd>>,
): Promise<void> {
  const runs = Object.fromEntries(
    Object.entries(ends).map(([name, { startedAtMs, durationMs, failed }]): [string, SweepRun] => [
      name,
      {
        startedAtMs,
        durationMs,
        failures: Number(failed),
        succeededAtMs: failed ? null : startedAtMs,
      },
    ]),
  );
  const before = (member: string) => sql`sweep_runs.runs ->> ('$.' || n.key || ${`.${member}`})`;
  const db = openDb(env.DB);
  try {
    await runBatch(db, [
      // Counted in SQL: the sweeps of two minutes may overlap.
      db.run(sql`INSERT INTO ${sweepRuns} (id, runs) VALUES (1, ${JSON.stringify(runs)})
        ON CONFLICT (id) DO UPDATE SET runs = (SELECT json_group_object(n.key, json_set(n.value,
            '$.failures', (n.value ->> '$.failures') + coalesce(${before("failures")}, 0),
            '$.succeededAtMs', coalesce(n.value ->> '$.succeededAtMs', ${before("succeededAtMs")})))
          FROM json_each(excluded.runs) n)`),
    ]);
  } catch (error) {
    log("error", "The sweeps could not be noted", { error: describeError(error) });
  }
}
