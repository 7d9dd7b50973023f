import type { Bindings } from "#kernel/bindings.ts";
import { sendAll } from "#platform/send-all.ts";
import type { Notification } from "./notification.ts";
import type { DeliveryRef } from "./outbox.ts";

/** Has the deliveries sent soon. That they are due stands in D1: a message that is lost, the sweep repeats. */
export async function notifyDeliveries(
  env: Pick<Bindings, "WEBHOOKS_QUEUE">,
  deliveries: readonly DeliveryRef[],
): Promise<void> {
  await sendAll(
    env.WEBHOOKS_QUEUE,
    deliveries.map((body) => ({ body })),
  );
}

/** The same, as part of a commit. */
export function deliveriesNotification(deliveries: readonly DeliveryRef[]): Notification {
  return { write: "notify", send: (env) => notifyDeliveries(env, deliveries) };
}
