import { sql } from "drizzle-orm";
import type { InstanceRow } from "#areas/instances/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { instances } from "#schema/instances.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import { setTrigger } from "./store.ts";

/** Sends the event of the coming expiry, once per warning time, and makes the trigger due for the next one. */
export async function warnOfExpiry(
  call: Call,
  trigger: Trigger,
  instance: InstanceRow,
  againMs: number,
): Promise<void> {
  const { id, tenantId, state } = instance;
  const thisInstance = sql`${instances.id} = ${id} AND ${instances.tenantId} = ${tenantId}`;
  await call.commitUnaudited(undefined, [
    call.requireVersion(triggers, trigger),
    call.require("conflict", sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${thisInstance})`),
    setTrigger(call, trigger, { nextFireAtMs: againMs, suppressedReason: null }),
    // The event needs its own sequence number among the instance's events.
    call.write(
      tenantId,
      call.db
        .update(instances)
        .set({ version: sql`${instances.version} + 1` })
        .where(thisInstance),
    ),
    event(
      "instance.expiring",
      {
        tenantId,
        id,
        sequence: sql`(SELECT ${instances.version} FROM ${instances} WHERE ${thisInstance})`,
      },
      { state, expiresAt: trigger.condition["at"] ?? null, instanceUrl: `/api/v1/instances/${id}` },
    ),
  ]);
}
