import type { Delivery } from "#areas/webhooks/webhook.ts";
import type { Claimed } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import { type Ended, dispatch } from "./dispatch.ts";
import { markSlow } from "./mark-slow.ts";
import { record } from "./record.ts";
import { within } from "./within.ts";

/**
 * The number of responses that an invocation can await at once
 * (https://developers.cloudflare.com/workers/platform/limits/).
 */
const MAX_CONNECTIONS = 6;
/** An ended attempt waits this long for others, to be recorded together in one round trip. */
const TOGETHER_MS = 20;

/**
 * Sends all deliveries in parallel and records each attempt as it ends; attempts that end at about the same time share
 * a round trip. Receivers that hang are marked as slow. `repeat` is called for a delivery that failed in the service,
 * `sent` after the last attempt; the last records may still follow.
 */
export async function attemptAll(
  claimed: readonly Claimed[],
  parts: DeliverParts,
  { repeat, sent }: { repeat: (delivery: Delivery, error: unknown) => void; sent: () => void },
): Promise<void> {
  const finished: Ended[] = [];
  const waiting = [...claimed];
  const running = new Map<Claimed, Promise<void>>();
  let marked = Promise.resolve();
  const timer = setTimeout(() => {
    const hanging = [...running.keys()].filter(({ webhook }) => webhook?.slow === false);
    if (hanging.length > 0) marked = markSlow(hanging, parts);
  }, parts.slowAfterMs);
  const run = async (one: Claimed): Promise<void> => {
    const result = await dispatch(one, parts);
    if (result.kind === "fault") repeat(result.delivery, result.error);
    else finished.push(result);
    running.delete(one);
    if (waiting.length + running.size === 0) sent();
  };
  while (waiting.length + running.size + finished.length > 0) {
    for (const one of waiting.splice(0, MAX_CONNECTIONS - running.size)) running.set(one, run(one));
    // Some attempts may have ended while others were recorded.
    if (finished.length === 0) await Promise.race(running.values());
    if (waiting.length === 0) await within(TOGETHER_MS, Promise.all(running.values()));
    await record(finished.splice(0), parts);
  }
  clearTimeout(timer);
  await marked;
}
