/**
 * Counts each day's finished and failed deployments per tenant, an hour after the day's end (so that runs
 * across midnight have ended): the status of ninety days then reads ninety rows. The platform's row marks a
 * day as counted; it is written in the same batch, so counting is safe to repeat. Missed days are counted
 * later.
 */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { firstIdAt, PLATFORM } from "#platform/ids.ts";
import { deployments } from "#schema/deployments.ts";
import { statusDays } from "#schema/status.ts";
import { tenants } from "#schema/tenants.ts";
import { finished } from "./store.ts";
import { dayOf, firstDayStartMs } from "./tenant-status.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A row's id can be created slightly later than the row's time. */
const ID_LATE_MS = 60_000;

export async function sweepStatus(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const s = statusDays;
  const lastDay = dayOf(nowMs - DAY_MS - HOUR_MS);
  const [[counted]] = await runBatch(db, [
    db.all<{ day: string | null }>(
      sql`SELECT max(day) AS day FROM ${s} WHERE tenant_id = ${PLATFORM}`,
    ),
  ]);
  const day = counted?.day ?? null;
  if (day !== null && day >= lastDay) return;
  const fromMs = day === null ? firstDayStartMs(nowMs) : Date.parse(day) + DAY_MS;
  const untilMs = Date.parse(lastDay);
  for (let dayMs = fromMs; dayMs <= untilMs; dayMs += DAY_MS) await countDay(db, dayMs);
}

/** Tenant by tenant, in the order of the deployments' index: a query for all tenants would sort first. */
async function countDay(db: Db, fromMs: number): Promise<void> {
  const s = statusDays;
  const d = deployments;
  const day = dayOf(fromMs);
  const untilMs = fromMs + DAY_MS;
  await runBatch(db, [
    db.run(sql`INSERT INTO ${s} (tenant_id, day, finished, failed)
      WITH counted AS MATERIALIZED (
        SELECT id, (SELECT json_array(count(*), sum(state = 'FAILED')) FROM ${d}
          WHERE ${d.tenantId} = ${tenants.id}
            AND ${d.id} >= ${firstIdAt(fromMs)} AND ${d.id} < ${firstIdAt(untilMs + ID_LATE_MS)}
            AND ${d.createdAtMs} >= ${fromMs} AND ${d.createdAtMs} < ${untilMs} AND ${finished}) AS counts
        FROM ${tenants}
      )
      SELECT id, ${day}, counts ->> 0, counts ->> 1 FROM counted WHERE counts ->> 0 > 0
      ON CONFLICT DO NOTHING`),
    db.run(sql`INSERT INTO ${s} (tenant_id, day, finished, failed)
      VALUES (${PLATFORM}, ${day}, 0, 0) ON CONFLICT DO NOTHING`),
  ]);
}
