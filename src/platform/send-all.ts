/** Limit of Cloudflare Queues per `sendBatch`: https://developers.cloudflare.com/queues/platform/limits/ */
const MAX_MESSAGES = 100;

/** Sends the messages to the queue, in batches. Throws when a batch fails: those before it are sent. */
export async function sendAll<T>(
  queue: Pick<Queue<T>, "sendBatch">,
  messages: readonly MessageSendRequest<T>[],
): Promise<void> {
  for (let at = 0; at < messages.length; at += MAX_MESSAGES)
    await queue.sendBatch(messages.slice(at, at + MAX_MESSAGES));
}
