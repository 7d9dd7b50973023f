import type { Bindings } from "#kernel/bindings.ts";
import type { Notification } from "./notification.ts";
import type { DeliveryRef } from "./outbox.ts";

/** A queue takes so many messages at once. */
const MAX_MESSAGES = 100;

/** Has the deliveries sent soon. That they are due stands in D1: a message that is lost, the sweep repeats. */
export async function notifyDeliveries(
  env: Pick<Bindings, "WEBHOOKS_QUEUE">,
  deliveries: readonly DeliveryRef[],
): Promise<void> {
  for (let at = 0; at < deliveries.length; at += MAX_MESSAGES)
    await env.WEBHOOKS_QUEUE.sendBatch(
      deliveries.slice(at, at + MAX_MESSAGES).map((body) => ({ body })),
    );
}

/** The same, as part of a commit. */
export function deliveriesNotification(deliveries: readonly DeliveryRef[]): Notification {
  return { write: "notify", send: (env) => notifyDeliveries(env, deliveries) };
}
