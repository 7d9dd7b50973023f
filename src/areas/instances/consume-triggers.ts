/**
 * The consumer that takes up due triggers. A message names one, and is a doorbell: whether it is due, and whether
 * it fires, is read from D1. Rung twice, early or for nothing, it does no harm; if taking it up fails the queue
 * repeats it, and after that the sweep rings again, as it still is due.
 */
import * as z from "zod";
import type { Bindings } from "#platform/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import { takeUpTrigger } from "./take-up-trigger.ts";

const Message = z.object({
  tenantId: z.string().min(1),
  instanceId: z.string().min(1),
  id: z.string().min(1),
});

/** A Worker waits for so many answers at once. */
const AT_ONCE = 6;

export async function consumeTriggers(batch: MessageBatch, env: Bindings): Promise<void> {
  await takeUpAll(batch.messages, env, Date.now);
}

/** The same with a clock that is given. */
export async function takeUpAll(
  messages: readonly Pick<Message, "id" | "body" | "ack" | "retry">[],
  env: Bindings,
  now: () => number,
): Promise<void> {
  const waiting = [...messages];
  const takeNext = async (): Promise<void> => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const parsed = Message.safeParse(message.body);
      if (!parsed.success) {
        log("error", "A message on the triggers queue is not one", { messageId: message.id });
        message.ack();
        continue;
      }
      try {
        await takeUpTrigger(env, parsed.data, now());
        message.ack();
      } catch (error) {
        log("error", "A trigger could not be taken up; it is tried again", {
          ...parsed.data,
          error: describeError(error),
        });
        message.retry();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
}
