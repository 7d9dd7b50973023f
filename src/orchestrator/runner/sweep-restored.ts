/**
 * Runs each minute, and finds out that D1 was restored to an earlier time: each sweep notes its time in D1, and a
 * restored database has the note of that time. Then the runner of every instance compares what it knows with D1, a
 * page of instances a minute. Where they agree nothing is written, so a note that is old because no sweep ran does no
 * harm. If this Worker dies halfway, the next sweep repeats the page.
 */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { instances } from "#schema/instances.ts";
import { sweepWatch } from "#schema/sweep-watch.ts";

/** Sweeps are a minute apart. */
const OLD_NOTE_MS = 150_000;
const PAGE = 50;

export async function sweepRestored(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const [[note]] = await runBatch(db, [db.select().from(sweepWatch)]);
  const isOld = note === undefined || nowMs - note.sweptAtMs > OLD_NOTE_MS;
  if (isOld && note !== undefined)
    log("warn", "The database was restored, or no sweep ran: every instance is reconciled", {
      sweptAtMs: note.sweptAtMs,
    });
  const after = isOld ? "" : note.reconciledTo;
  // Noted before the work: an instance that kills this Worker must not start the walk again.
  await noteSweep(db, nowMs, after);
  if (after === null) return;
  const [page] = await runBatch(db, [
    db
      .select({ id: instances.id })
      .from(instances)
      .where(sql`${instances.id} > ${after} AND ${instances.tenantId} IS NOT NULL`)
      .orderBy(instances.id)
      .limit(PAGE),
  ]);
  const results = await Promise.allSettled(
    page.map(({ id }) => env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(id)).reconcile()),
  );
  for (const [at, result] of results.entries())
    if (result.status === "rejected")
      log(
        "error",
        "An instance could not be reconciled; POST /instances/{id}/reconcile repeats it",
        {
          instanceId: page[at]?.id,
          error: describeError(result.reason),
        },
      );
  await noteSweep(db, nowMs, page.length < PAGE ? null : (page.at(-1)?.id ?? null));
}

async function noteSweep(db: Db, nowMs: number, reconciledTo: string | null): Promise<void> {
  const note = { sweptAtMs: nowMs, reconciledTo };
  await runBatch(db, [
    db
      .insert(sweepWatch)
      .values({ id: 1, ...note })
      .onConflictDoUpdate({ target: sweepWatch.id, set: note }),
  ]);
}
