/**
 * Sends `status.changed`. A status changes with events and with time alone, so it is polled: each sweep
 * checks a number of tenants, and the next one continues after them. The event is committed together with the
 * row that remembers the announced status, under the row's version: a change that a crashed sweep missed is
 * announced in the next round, and two sweeps at the same time announce it once.
 */
import { asc, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import { isConflict } from "#kernel/call/retry-on-conflict.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import type { Impact } from "#schema/incidents.ts";
import { type AnnouncedStatus, announcedStatuses } from "#schema/status.ts";
import { tenants } from "#schema/tenants.ts";
import { finishedRun } from "./get-status.ts";
import { findOpenIncidentsOf, findRecentRuns } from "./store.ts";
import { overallStatus } from "./tenant-status.ts";

const TENANTS_A_SWEEP = 50;

export async function sweepStatusChanges(env: Bindings, nowMs: number): Promise<void> {
  await announceStatusChanges(env, nowMs, TENANTS_A_SWEEP);
}

/** Checks the next tenants and announces their changes. */
export async function announceStatusChanges(
  env: Bindings,
  nowMs: number,
  tenantsASweep: number,
): Promise<void> {
  const after: Promise<unknown>[] = [];
  const call = serviceCall({ env, name: "status", nowMs, after: (work) => after.push(work) });
  const asked = await askedTenants(call, tenantsASweep);
  const incidents = await call.read(
    ...asked.map(({ tenantId }) => findOpenIncidentsOf(sql`${tenantId}`)),
  );
  const runs = await call.read(
    ...asked.map(({ tenantId }) => findRecentRuns(call, sql`${tenantId}`)),
  );
  for (const [at, before] of asked.entries()) {
    const causes = { incidents: incidents[at] ?? [], runs: (runs[at] ?? []).map(finishedRun) };
    const status = overallStatus(causes);
    if (status !== before.status) await announce(call, before, status);
  }
  const last = asked.length < tenantsASweep ? null : (asked.at(-1)?.tenantId ?? null);
  await call.commitUnaudited(undefined, [rememberPlace(call, last)]);
  await Promise.all(after);
}

type Announced = Pick<AnnouncedStatus, "tenantId" | "status" | "version">;

/** The tenants after the place where the last sweep stopped, with the status announced last. */
async function askedTenants(call: Call, count: number): Promise<Announced[]> {
  const a = announcedStatuses;
  const place = sql`coalesce((SELECT after_tenant_id FROM ${a} WHERE tenant_id = ${PLATFORM}), '')`;
  const [rows] = await call.read(
    call.db
      .select({ tenantId: tenants.id, status: a.status, version: a.version })
      .from(tenants)
      .leftJoin(a, sql`${a.tenantId} = ${tenants.id}`)
      .where(sql`${tenants.id} > ${place}`)
      .orderBy(asc(tenants.id))
      .limit(count),
  );
  return rows.map(({ tenantId, status, version }) => ({
    tenantId,
    status: status ?? "UNKNOWN",
    version: version ?? 0,
  }));
}

/** A failed commit does not delay the other tenants: the next round repeats it. */
async function announce(call: Call, before: Announced, status: Impact): Promise<void> {
  const a = announcedStatuses;
  const { tenantId } = before;
  const row = { status, version: before.version + 1, updatedAtMs: call.now };
  try {
    await call.commitUnaudited(undefined, [
      call.require(
        "conflict",
        sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${tenants.id} = ${tenantId})
          AND coalesce((SELECT version FROM ${a} WHERE tenant_id = ${tenantId}), 0) = ${before.version}`,
      ),
      call.write(
        tenantId,
        call.db
          .insert(a)
          .values({ tenantId, ...row })
          .onConflictDoUpdate({ target: a.tenantId, set: row }),
      ),
      event(
        "status.changed",
        { tenantId, id: tenantId, sequence: row.version },
        { status, previous: before.status, statusUrl: `/api/v1/status/${tenantId}` },
      ),
    ]);
  } catch (error) {
    // Another sweep was first.
    if (isConflict(error)) return;
    log("warn", "A change of status could not be announced", {
      tenantId,
      error: describeError(error),
    });
  }
}

/** Null: the next sweep starts again with the first tenant. */
function rememberPlace(call: Call, afterTenantId: string | null) {
  const row = { afterTenantId, updatedAtMs: call.now };
  return call.write(
    PLATFORM,
    call.db
      .insert(announcedStatuses)
      .values({ tenantId: PLATFORM, status: "UNKNOWN", version: 0, ...row })
      .onConflictDoUpdate({ target: announcedStatuses.tenantId, set: row }),
  );
}
