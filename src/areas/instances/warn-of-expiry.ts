import { sql } from "drizzle-orm";
import type { Call } from "#platform/call.ts";
import { event } from "#platform/outbox.ts";
import type { InstanceRow } from "./store.ts";
import { instances, type Trigger, triggers } from "./tables.ts";
import { setTrigger } from "./trigger-store.ts";

/** Tells that the instance will expire, once however many say so at the same time; the trigger is due again then. */
export async function warnOfExpiry(
  call: Call,
  trigger: Trigger,
  instance: InstanceRow,
  againMs: number,
): Promise<void> {
  const { id, tenantId, state } = instance;
  const mine = sql`${instances.id} = ${id} AND ${instances.tenantId} = ${tenantId}`;
  await call.commit(undefined, [
    call.requireVersion(triggers, trigger),
    call.require("conflict", sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${mine})`),
    setTrigger(call, trigger, { nextFireAtMs: againMs, suppressedReason: null }),
    // A number of its own among the instance's events.
    call.db
      .update(instances)
      .set({ version: sql`${instances.version} + 1` })
      .where(mine),
    event(
      "instance.expiring",
      {
        tenantId,
        id,
        sequence: sql`(SELECT ${instances.version} FROM ${instances} WHERE ${mine})`,
      },
      { state, expiresAt: trigger.condition["at"] ?? null, instanceUrl: `/api/v1/instances/${id}` },
    ),
  ]);
}
