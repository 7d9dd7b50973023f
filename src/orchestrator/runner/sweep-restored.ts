/**
 * Runs each minute, and finds out whether D1 was restored to an earlier time. Each sweep notes its time in D1, so a
 * restored database has an old note. Then the runner of every instance compares its snapshots with D1, a page of
 * instances a minute. If they agree nothing is written, so a note that is old because no sweep ran does no harm. If
 * this Worker dies halfway, the next sweep repeats the page. An instance that fails, or has an open run, is asked again
 * by the next sweeps, half a page a minute.
 */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { instances } from "#schema/instances.ts";
import { sweepWatch } from "#schema/sweeps.ts";

/** Sweeps are a minute apart, so an older note comes from a restored database. */
const OLD_NOTE_MS = 150_000;
const PAGE = 50;
const REPEATED = 25;
/** Attempts at one instance. The last one is logged as an error: an operator can repeat it. */
const ATTEMPTS = 30;
/** Keeps the note small. With more failed instances the walk waits. */
const MAX_FAILED = 500;

export async function sweepRestored(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const [[note]] = await runBatch(db, [db.select().from(sweepWatch)]);
  const isOld = note === undefined || nowMs - note.sweptAtMs > OLD_NOTE_MS;
  if (isOld && note !== undefined)
    log("warn", "The database was restored, or no sweep ran: every instance is reconciled", {
      sweptAtMs: note.sweptAtMs,
    });
  const after = isOld ? "" : note.reconciledTo;
  const failed = isOld ? {} : note.failed;
  // Noted before the work: an instance that kills this Worker must not restart the walk.
  await noteSweep(db, { sweptAtMs: nowMs, reconciledTo: after, failed });
  const repeated = Object.keys(failed).slice(0, REPEATED);
  const page = Object.keys(failed).length < MAX_FAILED ? await pageAfter(db, after) : undefined;
  if (repeated.length === 0 && page === undefined) return;
  const ids = [...new Set([...repeated, ...(page?.ids ?? [])])];
  const results = await Promise.allSettled(
    ids.map((id) => env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(id)).followRestore()),
  );
  // Instances that failed again go to the end of the queue.
  const left = new Map(Object.entries(failed).filter(([id]) => !ids.includes(id)));
  for (const [at, id] of ids.entries()) {
    const result = results[at];
    const attempts = (failed[id] ?? 0) + 1;
    if (result?.status === "fulfilled" && result.value && attempts < ATTEMPTS)
      left.set(id, attempts);
    if (result?.status !== "rejected") continue;
    const about = { instanceId: id, attempts, error: describeError(result.reason) };
    if (attempts < ATTEMPTS) {
      left.set(id, attempts);
      log("warn", "An instance could not be reconciled; the next sweep repeats it", about);
    } else
      log(
        "error",
        "An instance could not be reconciled; POST /instances/{id}/reconcile repeats it",
        about,
      );
  }
  await noteSweep(db, {
    sweptAtMs: nowMs,
    reconciledTo: page === undefined ? after : page.next,
    failed: Object.fromEntries(left),
  });
}

/**
 * The next instances of the walk. `next`: the start of the following page; null: the walk is over. Undefined: no walk.
 */
async function pageAfter(db: Db, after: string | null) {
  if (after === null) return undefined;
  const [rows] = await runBatch(db, [
    db
      .select({ id: instances.id })
      .from(instances)
      .where(sql`${instances.id} > ${after} AND ${instances.tenantId} IS NOT NULL`)
      .orderBy(instances.id)
      .limit(PAGE),
  ]);
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length < PAGE ? null : (ids.at(-1) ?? null) };
}

async function noteSweep(
  db: Db,
  note: Pick<typeof sweepWatch.$inferSelect, "sweptAtMs" | "reconciledTo" | "failed">,
): Promise<void> {
  await runBatch(db, [
    db
      .insert(sweepWatch)
      .values({ id: 1, ...note })
      .onConflictDoUpdate({ target: sweepWatch.id, set: note }),
  ]);
}
