/**
 * The consumer of messages that failed six times. It records them in the log and lets them go: they are
 * doorbells, the work itself stands in D1 or in a Durable Object, and the sweeps ring for it again. If it dies
 * here, the queue brings the batch once more.
 */
import { log } from "./log.ts";

const SHOWN_LENGTH = 500;

export async function recordDeadLetters(batch: MessageBatch): Promise<void> {
  for (const message of batch.messages) {
    log("error", "A message failed for good", {
      queue: batch.queue,
      id: message.id,
      attempts: message.attempts,
      sentAtMs: message.timestamp.getTime(),
      body: (JSON.stringify(message.body) ?? "").slice(0, SHOWN_LENGTH),
    });
    message.ack();
  }
}
