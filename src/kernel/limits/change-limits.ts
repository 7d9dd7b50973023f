/**
 * The traces of a change have no budget of bytes: an audit entry for ever, events and deliveries for thirty days, a
 * stored answer for a day. Instead, the number of changes is limited. The audit log numbers them in any case, so
 * counting writes nothing (decision 0014).
 */
import { type SQL, sql } from "drizzle-orm";
import type { Guard } from "#kernel/call/unit-of-work.ts";
import { firstIdAt, PLATFORM } from "#platform/ids.ts";
import { auditEvents } from "#schema/audit.ts";
import type { Limits } from "#schema/lists/plans.ts";
import { limitSql } from "./limits.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Verbs of actions that end an object or make stored data smaller. */
const ending =
  /\.(?:abandon|cancel|decline|delete|destroy|disable|discard|end_secret|reject|remove|revoke)$/;

/** The part of the limit for the action, in tenths. */
function partFor(action: string): number {
  if (ending.test(action)) return 11;
  return action === "trigger.call" ? 5 : 10;
}

/** The number of the tenant's audit entries, as a SQL scalar. One row is read. */
export function auditEntriesOf(tenantId: string): SQL {
  return sql`coalesce((SELECT max(sequence) FROM ${auditEvents} WHERE tenant_id = ${tenantId}), 0)`;
}

/** The tenant's audit entries of the last 24 hours. Two rows are read. */
export function auditEntriesOfDay(tenantId: string, nowMs: number): SQL {
  return sql`(${auditEntriesOf(tenantId)} - coalesce((SELECT sequence FROM ${auditEvents}
    WHERE tenant_id = ${tenantId} AND id < ${firstIdAt(nowMs - DAY_MS)} ORDER BY id DESC LIMIT 1), 0))`;
}

/**
 * The guards for a change with this action in the tenant's audit log. An action that ends an object may use a tenth
 * more: a tenant that has used up its limit can still destroy and delete. Calls of hooks may use half: a stranger who
 * knows an address cannot keep the tenant from changing anything.
 */
export function enforceChangeLimits(
  { tenantId, action }: { tenantId: string; action: string },
  planLimits: Limits,
  nowMs: number,
): Guard[] {
  if (tenantId === PLATFORM) return [];
  const uses = {
    changesPerDay: auditEntriesOfDay(tenantId, nowMs),
    auditEntries: auditEntriesOf(tenantId),
  } as const;
  return (["changesPerDay", "auditEntries"] as const).map((name) => {
    const limit = limitSql({ tenantId, name, planLimit: planLimits[name] });
    const most = sql`${limit} * ${partFor(action)} / 10`;
    return {
      write: "guard",
      code: "quota_exceeded",
      holds: sql`coalesce(${uses[name]} < ${most}, 1)`,
      about: sql`${name} || ':' || ${limit}`,
    };
  });
}
