/**
 * The next attempt of a create whose earlier attempts may have taken effect. A cloud may act on a request long after
 * the caller gave it up. It may forget tokens, or take none. Pure.
 *
 * Guarantee: the create is sent again only if no earlier attempt can make a second object. Either the cloud
 * still knows its token. Or every attempt is too old to take effect, and several look-ups since have found nothing.
 */
import type { OpenCall } from "#orchestrator/storage/journal.ts";
import type { RepeatFacts } from "#providers/provider.ts";

export type NextAttempt = "send" | "look" | "cannot_tell";

/** So many look-ups must have found nothing, because a list may lag behind a create. */
const EMPTY_LOOKS = 2;
/** Time between them. */
const LOOK_APART_MS = 5_000;

type Sent = Pick<OpenCall, "unknown" | "sent" | "emptyLooks">;

export function nextAttempt(call: Sent, facts: RepeatFacts, nowMs: number): NextAttempt {
  if (!call.unknown) return "send";
  if (tokenCounts(call, facts, nowMs)) return "send";
  if (!facts.findable) return "cannot_tell";
  return call.emptyLooks >= EMPTY_LOOKS ? "send" : "look";
}

/**
 * The result of a look-up that was sent at `askedMs` and found nothing. `empty`: the number of look-ups that count now.
 * `notBeforeMs`: the earliest time of the next look-up. `none`: there is no object, and no request can create it any
 * more. Times are epoch milliseconds.
 */
export function afterEmptyLook(
  call: Sent,
  facts: RepeatFacts,
  { askedMs, nowMs, delayMs }: { askedMs: number; nowMs: number; delayMs: number },
): { empty: number; notBeforeMs: number; none: boolean } {
  const effectsEndMs = effectsEnd(call, facts);
  if (askedMs < effectsEndMs)
    return {
      empty: 0,
      notBeforeMs: Math.min(nowMs + delayMs, Math.max(effectsEndMs, nowMs)),
      none: false,
    };
  const empty = call.emptyLooks + 1;
  const none = empty >= EMPTY_LOOKS;
  const apartMs = Math.min(LOOK_APART_MS, facts.longestRequestMs);
  return { empty, notBeforeMs: none ? nowMs : nowMs + apartMs, none };
}

/** Whether the cloud will still know the token when a repetition arrives, which may be as late as any request. */
export function tokenCounts(
  { sent }: Pick<Sent, "sent">,
  facts: RepeatFacts,
  nowMs: number,
): boolean {
  return nowMs + facts.longestRequestMs < sent.firstMs + facts.repeatableMs;
}

/** Whether the cloud would answer a repeated create with the end of the first attempt. */
export function remembersToken({ repeatableMs }: RepeatFacts): boolean {
  return repeatableMs > 0 && Number.isFinite(repeatableMs);
}

/**
 * The time from which no attempt can take effect any more, and lists show every object made. The state may lack an
 * attempt that was sent while the token counted. That attempt has taken effect by the end of the token's life.
 */
function effectsEnd(
  { sent }: Sent,
  { longestRequestMs, repeatableMs, listLagMs = 0 }: RepeatFacts,
): number {
  const lastEffectMs = Math.max(sent.lastMs + longestRequestMs, sent.firstMs + repeatableMs);
  return lastEffectMs + listLagMs;
}
