import { describeError, log } from "#platform/log.ts";
import type { Claims } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";

/** The maximum delay of a queue message; the sweep sends later deliveries. */
const LONGEST_DELAY_SECONDS = 43_200;

/** A delivery to notify a consumer of: the queue, and the time. */
export type DueMessage = Claims["elsewhere"][number];

/** Sends the messages. A lost message costs a minute: the sweep sends messages for all due deliveries. */
export async function notifyConsumers(
  parts: DeliverParts,
  notifications: readonly DueMessage[],
): Promise<void> {
  const nowMs = parts.now();
  for (const slow of [false, true]) {
    const messages = notifications
      .filter((one) => one.slow === slow)
      .map(({ to, dueAtMs }) => ({
        body: { tenantId: to.tenantId, id: to.id },
        delaySeconds: Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000)),
      }))
      .filter(({ delaySeconds }) => delaySeconds <= LONGEST_DELAY_SECONDS);
    if (messages.length === 0) continue;
    const queue = slow ? parts.env.WEBHOOKS_SLOW_QUEUE : parts.env.WEBHOOKS_QUEUE;
    try {
      await queue.sendBatch(messages);
    } catch (error) {
      log("warn", "A queue could not be notified; the sweep will repeat it", {
        error: describeError(error),
      });
    }
  }
}
