import { type SQL, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import { type Tenant, tenants } from "#schema/tenants.ts";
import { findStatusEvidence } from "./store.ts";
import { type FinishedRun, type TenantStatus, tenantStatus } from "./tenant-status.ts";

export interface StatusOfTenant extends TenantStatus {
  tenant: Tenant;
}

export async function getStatus(call: Call, tenantId: string): Promise<StatusOfTenant> {
  const status = await statusWhere(call, sql`${tenants.id} = ${tenantId}`);
  if (status === undefined) throw notFound("tenant");
  return status;
}

/** The status for the public page; undefined unless the tenant's status is public. */
export async function getPublicStatus(
  call: Call,
  slug: string,
): Promise<StatusOfTenant | undefined> {
  return statusWhere(call, sql`${tenants.slug} = ${slug} AND ${tenants.publicStatus} = 1`);
}

async function statusWhere(call: Call, which: SQL): Promise<StatusOfTenant | undefined> {
  const [[tenant], incidents, moments, runs, days, deliveries] = await call.read(
    ...findStatusEvidence(call, which),
  );
  if (tenant === undefined) return undefined;
  const evidence = {
    incidents,
    moments,
    runs: runs.map(finishedRun),
    days,
    deliveries: deliveries.map(({ state }) => ({ failed: state !== "SUCCEEDED" })),
  };
  return { ...tenantStatus(evidence, call.now), tenant };
}

export function finishedRun(run: {
  targetId: string;
  state: string;
  createdAtMs: number;
}): FinishedRun {
  const { targetId, state, createdAtMs } = run;
  return { targetId, failed: state === "FAILED", createdAtMs };
}
