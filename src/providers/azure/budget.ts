import type { RateBudget } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";

/** Azure's token buckets for a subscription and an application: how much they hold, and how fast they fill again. */
const buckets = {
  reads: { limit: 250, perSecond: 25 },
  writes: { limit: 200, perSecond: 10 },
  deletes: { limit: 200, perSecond: 10 },
} as const;
/** A fuller bucket is not worth a word: it fills faster than a run empties it. */
const LOW = 40;
const RESOURCE_WINDOW_MS = 60_000;

const whole = /^\d{1,9}$/;

/** What an answer says of a bucket that is nearly empty. */
export function armBudget({ headers }: Answer, nowMs: number): RateBudget | undefined {
  for (const [name, { limit, perSecond }] of Object.entries(buckets)) {
    const text =
      headers.get(`x-ms-ratelimit-remaining-subscription-${name}`) ??
      headers.get(`x-ms-ratelimit-remaining-tenant-${name}`) ??
      "";
    const remaining = whole.test(text) ? Number(text) : undefined;
    if (remaining === undefined || remaining > LOW) continue;
    const resetMs = nowMs + Math.ceil(((limit - remaining) / perSecond) * 1000);
    return { remaining, resetMs };
  }
  // `Microsoft.Compute/PutVM3Min;107,Microsoft.Compute/PutVM30Min;587`
  const counts = [
    ...(headers.get("x-ms-ratelimit-remaining-resource") ?? "").matchAll(/;(\d{1,9})/g),
  ];
  const least = Math.min(...counts.map((match) => Number(match[1])));
  return least <= LOW / 4 ? { remaining: least, resetMs: nowMs + RESOURCE_WINDOW_MS } : undefined;
}
