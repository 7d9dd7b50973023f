import type { Bindings } from "#kernel/bindings.ts";
import { ringDeliveries } from "#kernel/call/call.ts";
import type { DeliveryRing } from "#kernel/outbox/outbox.ts";
import { ringTriggers, type TriggerRing } from "#kernel/outbox/ring-triggers.ts";
import { describeError, log } from "#platform/log.ts";

/** Rings for what a commit in D1 made due. Never throws: a bell that is lost, the sweep repeats. */
export async function ringDue(
  env: Bindings,
  {
    deliveries,
    triggers = [],
  }: {
    deliveries: readonly DeliveryRing[];
    triggers?: readonly TriggerRing[];
  },
): Promise<void> {
  const lost = (queue: string) => (error: unknown) => {
    log("warn", `The ${queue} queue could not be rung; the sweep will`, {
      error: describeError(error),
    });
  };
  await Promise.all([
    deliveries.length === 0
      ? undefined
      : ringDeliveries(deliveries).send(env).catch(lost("webhooks")),
    triggers.length === 0 ? undefined : ringTriggers(env, triggers).catch(lost("triggers")),
  ]);
}
