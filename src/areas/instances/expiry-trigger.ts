/** The trigger of the kind `expiry`: it represents the instance's `expiresAt` and changes only with it. */
import { and, eq, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { RowWrite } from "#kernel/call/unit-of-work.ts";
import type { JsonMap } from "#platform/json.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Instance } from "#schema/instances.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import { newTrigger } from "./new-trigger.ts";

const HOUR_MS = 60 * 60 * 1000;
/** An event warns this many hours before an instance expires. */
const WARNED_HOURS = [72, 24, 1];

/** The time that the trigger's condition names, in epoch milliseconds. */
export function expiryOf(condition: JsonMap): number {
  return Date.parse((condition as { at: string }).at);
}

/** When the next warning is due, in epoch milliseconds; undefined: all have been sent. */
export function nextExpiryWarningMs(expiresAtMs: number, nowMs: number): number | undefined {
  return WARNED_HOURS.map((hours) => expiresAtMs - hours * HOUR_MS).find((ms) => ms > nowMs);
}

/** When a new expiry is due first: for its next warning, or to expire. */
export function firstExpiryMs(expiresAtMs: number, nowMs: number): number {
  return nextExpiryWarningMs(expiresAtMs, nowMs) ?? expiresAtMs;
}

function expiryTrigger(call: Call, instance: Instance): Trigger | undefined {
  const { expiresAtMs } = instance;
  if (expiresAtMs === null) return undefined;
  return newTrigger(call, instance, {
    kind: "expiry",
    enabled: true,
    condition: { at: timestamp(expiresAtMs) },
    nextFireAtMs: firstExpiryMs(expiresAtMs, call.now),
  });
}

/** Creates, updates or deletes the expiry trigger according to the instance's `expiresAt`. */
export function followExpiry(call: Call, instance: Instance): RowWrite {
  const t = triggers;
  const trigger = expiryTrigger(call, instance);
  const isExpiry = sql`kind = 'expiry'`;
  if (trigger === undefined)
    return call.write(
      instance.tenantId,
      call.db
        .delete(t)
        .where(
          sql`${t.instanceId} = ${instance.id} AND ${t.tenantId} = ${instance.tenantId} AND ${isExpiry}`,
        ),
    );
  const { condition, nextFireAtMs, setByPerson } = trigger;
  return call.write(
    trigger.tenantId,
    call.db
      .insert(t)
      .values(trigger)
      .onConflictDoUpdate({
        target: t.instanceId,
        targetWhere: isExpiry,
        set: {
          condition,
          nextFireAtMs,
          setByPerson,
          suppressedReason: null,
          version: sql`${t.version} + 1`,
          updatedAtMs: call.now,
        },
      }),
  );
}

/** Removes all triggers of an instance. */
export function removeTriggers(call: Call, instance: Pick<Instance, "id" | "tenantId">) {
  return call.write(
    instance.tenantId,
    call.db
      .delete(triggers)
      .where(and(eq(triggers.instanceId, instance.id), eq(triggers.tenantId, instance.tenantId))),
  );
}
