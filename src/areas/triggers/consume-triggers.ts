/**
 * The consumer that processes due triggers. A message names one trigger; its due time and facts are read from D1, so
 * repeated, early or needless messages do no harm. If processing fails, the queue repeats the message; afterwards the
 * sweep sends it again while the trigger is due.
 */
import * as z from "zod";
import type { Bindings } from "#kernel/bindings.ts";
import { recordLostMessages } from "#kernel/dead-letters/dead-letters.ts";
import { describeError, log } from "#platform/log.ts";
import { processTrigger } from "./process-trigger.ts";

const TriggerMessage = z.object({
  tenantId: z.string().min(1),
  instanceId: z.string().min(1),
  id: z.string().min(1),
});

/** A Worker can wait for this many responses at once. */
const AT_ONCE = 6;

export async function consumeTriggers(
  { messages, queue }: MessageBatch,
  env: Bindings,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const unreadable = await processTriggers(messages, env, Date.now);
  const after = (work: Promise<unknown>): void => context.waitUntil(work);
  await recordLostMessages(unreadable, { env, queue, nowMs: Date.now(), after });
}

/** The same with a given clock. Returns the messages that are malformed. */
export async function processTriggers<M extends Pick<Message, "body" | "ack" | "retry">>(
  messages: readonly M[],
  env: Bindings,
  now: () => number,
): Promise<M[]> {
  const waiting = [...messages];
  const unreadable: M[] = [];
  const takeNext = async (): Promise<void> => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const { data: trigger } = TriggerMessage.safeParse(message.body);
      if (trigger === undefined) {
        unreadable.push(message);
        continue;
      }
      try {
        await processTrigger(env, trigger, now());
        message.ack();
      } catch (error) {
        log("error", "A trigger could not be processed; it is tried again", {
          ...trigger,
          error: describeError(error),
        });
        message.retry();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
  return unreadable;
}
