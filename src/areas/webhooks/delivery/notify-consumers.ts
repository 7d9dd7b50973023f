import { describeError, log } from "#platform/log.ts";
import type { Claims } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";

/** The longest delay a queue takes; the sweep rings for what is due later. */
const LONGEST_DELAY_SECONDS = 43_200;

/** A delivery that a consumer is to look at: which, in which queue, and when. */
export type DueMessage = Claims["elsewhere"][number];

/** Sends the messages. One that is lost costs a minute: the sweep sends for all that is due. */
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
