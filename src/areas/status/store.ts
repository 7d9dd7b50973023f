import { desc, type SQL, sql } from "drizzle-orm";
import { findIncidentMoments, findOpenIncidents } from "#areas/incidents/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { firstIdAt } from "#platform/ids.ts";
import { deployments } from "#schema/deployments.ts";
import { statusDays } from "#schema/status.ts";
import { tenants } from "#schema/tenants.ts";
import { webhookDeliveries } from "#schema/webhooks.ts";
import { dayOf, firstDayStartMs } from "./tenant-status.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const RUNS_WITHIN_MS = 7 * DAY_MS;
const DELIVERIES_WITHIN_MS = DAY_MS;
const MAX_RESULTS = 100;
const MAX_OPEN_INCIDENTS = 50;
const MAX_INCIDENTS = 200;
const MAX_MOMENTS = 2_000;

/**
 * The tenant and the evidence for its status, in one batch. Each statement reads a bounded number of rows, however
 * large the tenant is. `which`: a condition on tenants.
 */
export function findStatusEvidence(call: Call, which: SQL) {
  const tenantId = sql`(SELECT ${tenants.id} FROM ${tenants} WHERE ${which} AND ${call.inScope(tenants.id)})`;
  const w = webhookDeliveries;
  const s = statusDays;
  const { now } = call;
  return [
    call.db
      .select()
      .from(tenants)
      .where(sql`${which} AND ${call.inScope(tenants.id)}`),
    findOpenIncidentsOf(tenantId),
    findIncidentMoments(call, tenantId, {
      ms: firstDayStartMs(now),
      incidents: MAX_INCIDENTS,
      moments: MAX_MOMENTS,
    }),
    findRecentRuns(call, tenantId),
    call.db
      .select({ day: s.day, finished: s.finished, failed: s.failed })
      .from(s)
      .where(sql`${s.tenantId} = ${tenantId} AND ${s.day} >= ${dayOf(firstDayStartMs(now))}`),
    call.db
      .select({ state: w.state })
      .from(w)
      .where(
        sql`${w.tenantId} = ${tenantId} AND ${w.id} >= ${firstIdAt(now - DELIVERIES_WITHIN_MS)}
          AND ${w.state} IN ('SUCCEEDED', 'RETRYING', 'EXHAUSTED')`,
      )
      .orderBy(desc(w.id))
      .limit(MAX_RESULTS),
  ] as const;
}

/**
 * Deployments that ended by themselves (not canceled, discarded, expired or superseded) and count for the health of the
 * cloud and the service: a fault of the user does not.
 */
export const finished = sql`(${deployments.state} IN ('SUCCEEDED', 'NO_CHANGES')
  OR (${deployments.state} = 'FAILED' AND coalesce(json_extract(${deployments.error}, '$.fault'), '') <> 'user'))`;

/** The open incidents of the tenant and of the platform. */
export function findOpenIncidentsOf(tenantId: SQL) {
  return findOpenIncidents(tenantId, MAX_OPEN_INCIDENTS);
}

/** The deployments that the tenant's health is measured by, newest first. */
export function findRecentRuns(call: Call, tenantId: SQL) {
  const d = deployments;
  return call.db
    .select({ targetId: d.targetId, state: d.state, createdAtMs: d.createdAtMs })
    .from(d)
    .where(
      sql`${d.tenantId} = ${tenantId} AND ${d.id} >= ${firstIdAt(call.now - RUNS_WITHIN_MS)}
        AND ${finished}`,
    )
    .orderBy(desc(d.id))
    .limit(MAX_RESULTS);
}
