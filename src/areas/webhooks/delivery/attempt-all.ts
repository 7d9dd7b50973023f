import type { Delivery } from "#areas/webhooks/webhook.ts";
import type { Claimed } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import { type Result, dispatch } from "./dispatch.ts";
import { markSlow } from "./mark-slow.ts";
import { record } from "./record.ts";
import { within } from "./within.ts";

/**
 * The number of responses that an invocation can wait for at once
 * (https://developers.cloudflare.com/workers/platform/limits/).
 */
const MAX_CONNECTIONS = 6;
/** An ended attempt waits this long for others, to be recorded together in one round trip. */
const TOGETHER_MS = 20;

/**
 * Sends all deliveries in parallel and records each attempt as it ends; those that end at about the same time share a
 * round trip. Receivers that hang are marked as slow. `repeat` is called for a delivery that failed in the service.
 */
export async function attemptAll(
  claimed: readonly Claimed[],
  parts: DeliverParts,
  repeat: (delivery: Delivery, error: unknown) => void,
): Promise<void> {
  const finished: Result[] = [];
  const waiting = [...claimed];
  const running = new Map<Claimed, Promise<void>>();
  let marked = Promise.resolve();
  const timer = setTimeout(() => {
    const hanging = [...running.keys()].filter(({ webhook }) => webhook?.slow === false);
    if (hanging.length > 0) marked = markSlow(hanging, parts);
  }, parts.slowAfterMs);
  const run = async (one: Claimed): Promise<void> => {
    finished.push(await dispatch(one, parts));
    running.delete(one);
  };
  while (waiting.length + running.size + finished.length > 0) {
    for (const one of waiting.splice(0, MAX_CONNECTIONS - running.size)) running.set(one, run(one));
    // Some attempts may have ended while others were recorded.
    if (finished.length === 0) await Promise.race(running.values());
    if (waiting.length === 0) await within(TOGETHER_MS, Promise.all(running.values()));
    await record(finished.splice(0), parts, repeat);
  }
  clearTimeout(timer);
  await marked;
}
