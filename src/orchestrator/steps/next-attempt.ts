/**
 * The next attempt of a create whose earlier ones may have taken effect. A cloud may act on a request long after it was
 * given up, forget tokens, or take none. Pure.
 *
 * Guarantee: the create is sent again only if no earlier attempt can make a second object: its token still counts, or
 * every attempt is too old to take effect and look-ups that lie apart found nothing since.
 */
import type { OpenCall } from "#orchestrator/storage/journal.ts";
import type { RepeatFacts } from "#providers/provider.ts";

export type NextAttempt = "send" | "look" | "cannot_tell";

/** Look-ups that must have found nothing: a list may lag behind a create. */
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
 * What a look-up that was started at `askedMs` and found nothing shows. `empty`: so many count now. `afterMs`: when to
 * look again at the earliest, in epoch milliseconds. `none`: there is no object, and there will be none.
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

/** A repetition may arrive as late as any request, and the cloud must still know the token then. */
function tokenCounts({ sent }: Sent, facts: RepeatFacts, nowMs: number): boolean {
  return nowMs + facts.longestRequestMs < sent.firstMs + facts.repeatableMs;
}

/**
 * When no attempt can take effect any more, and lists show what any has made. While the token counted, an attempt may
 * have been sent that the state does not know of: it has taken effect by the end of the token's life.
 */
function effectsEnd(
  { sent }: Sent,
  { longestRequestMs, repeatableMs, listLagMs = 0 }: RepeatFacts,
): number {
  const lastEffectMs = Math.max(sent.lastMs + longestRequestMs, sent.firstMs + repeatableMs);
  return lastEffectMs + listLagMs;
}
