import type { Bindings } from "#kernel/bindings.ts";
import { sendAll } from "#platform/send-all.ts";
import type { Notification } from "./notification.ts";
import type { DeliveryRef } from "./outbox.ts";

/** Notifies the queue of due deliveries. D1 holds which ones are due, so the sweep repeats a lost notification. */
export async function notifyDeliveries(
  env: Pick<Bindings, "WEBHOOKS_QUEUE">,
  deliveries: readonly DeliveryRef[],
): Promise<void> {
  await sendAll(
    env.WEBHOOKS_QUEUE,
    deliveries.map((body) => ({ body })),
  );
}

/** The same notification as part of a commit. */
export function deliveriesNotification(deliveries: readonly DeliveryRef[]): Notification {
  return { write: "notify", send: (env) => notifyDeliveries(env, deliveries) };
}
