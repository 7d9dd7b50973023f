import type { Bindings } from "#kernel/bindings.ts";
import { notifyDeliveries } from "#kernel/outbox/notify-deliveries.ts";
import { notifyTriggers, type TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { describeError, log } from "#platform/log.ts";

/** Notifies the queues of deliveries and triggers that are due. Never throws: the sweep repeats a lost notification. */
export async function notifyDue(
  env: Bindings,
  {
    deliveries,
    triggers = [],
  }: {
    deliveries: readonly DeliveryRef[];
    triggers?: readonly TriggerRef[];
  },
): Promise<void> {
  const lost = (queue: string) => (error: unknown) => {
    log("warn", `The ${queue} queue could not be notified; the sweep will repeat it`, {
      error: describeError(error),
    });
  };
  await Promise.all([
    deliveries.length === 0 ? undefined : notifyDeliveries(env, deliveries).catch(lost("webhooks")),
    triggers.length === 0 ? undefined : notifyTriggers(env, triggers).catch(lost("triggers")),
  ]);
}
