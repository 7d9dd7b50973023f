/**
 * The calls that a run may make to its cloud: its share from the target's gate (decision 0069). It counts each request.
 * It keeps the budget from the cloud's answers until the run asks the gate again.
 *
 * Guarantee: no call begins beyond the share. If a call needs several requests, only the further ones may exceed it.
 * If the runner dies, the share lapses at the gate.
 */
import type { ProviderContext, RateBudget } from "#providers/provider.ts";
import { type CallShare, type ShareRequest, spanOf, type UsedShare } from "./call-share.ts";

/** A Worker waits on six connections at once. */
const MAX_CONCURRENT = 6;
/** The wait if a cloud throttles a call and names no time. */
const THROTTLED_MS = 2_000;
/** Budgets whose resets are this close to each other are the same. */
const SAME_RESET_MS = 1_000;

/** The right to make one call. */
export interface CallPermit {
  /** The context of the call. It counts the call's requests and reads the budget from their answers. */
  context: (context: ProviderContext) => ProviderContext;
  /** Ends the call and begins another one. False: the share is used up. */
  next: () => boolean;
  end: () => void;
}

interface Held {
  share: CallShare;
  calls: number;
  untilMs: number;
  sinceMs: number;
}

export class RunCalls {
  readonly #now: () => number;
  #held: Held | undefined;
  #waitUntilMs = 0;
  /** Calls made from the share. */
  #made = 0;
  #inFlight = 0;
  /** Requests without an answer, which the cloud may not have counted yet. */
  #unanswered = 0;
  #seen: (RateBudget & { since: number }) | undefined;
  #throttledForMs: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the gate must be asked before the next call. */
  get due(): boolean {
    const nowMs = this.#now();
    if (this.#throttledForMs !== undefined) return true;
    if (this.#held === undefined) return nowMs >= this.#waitUntilMs;
    const { share, calls, untilMs, sinceMs } = this.#held;
    // After the clock was set back, the share's age is unknown.
    if (nowMs >= untilMs || nowMs < sinceMs) return true;
    return share.calls === null ? this.#seen !== undefined : calls < 1;
  }

  /** The cloud throttled a call, and the gate does not know it yet. */
  get isThrottled(): boolean {
    return this.#throttledForMs !== undefined;
  }

  /** The time to ask again, if the share is empty. */
  get waitsUntilMs(): number | undefined {
    return this.#held === undefined && this.#waitUntilMs > this.#now()
      ? this.#waitUntilMs
      : undefined;
  }

  /** How many calls may begin now. */
  get free(): number {
    if (this.#held === undefined || this.due) return 0;
    const places = Math.min(MAX_CONCURRENT, this.#held.share.concurrent) - this.#inFlight;
    return Math.max(0, Math.min(places, this.#held.calls));
  }

  /** The share counts calls, so other runs could use its rest. */
  get counts(): boolean {
    return this.#held !== undefined && this.#held.share.calls !== null;
  }

  /** Begins a call; undefined: the share is used up. */
  begin(): CallPermit | undefined {
    // The first request of a call is taken out of the share before it is sent.
    let isPaid = this.#take();
    if (!isPaid) return undefined;
    this.#inFlight += 1;
    let since = 0;
    return {
      context: (context) => ({
        ...context,
        fetch: async (request) => {
          if (!isPaid) this.#spend();
          isPaid = false;
          if (this.#seen !== undefined) this.#seen.remaining -= 1;
          this.#unanswered += 1;
          since = this.#held?.share.number ?? 0;
          try {
            return await context.fetch(request);
          } finally {
            this.#unanswered -= 1;
          }
        },
        budget: (seen) => {
          this.#saw(seen, since);
          context.budget?.(seen);
        },
      }),
      next: () => {
        this.#inFlight -= 1;
        isPaid = this.#take();
        this.#inFlight += 1;
        return isPaid;
      },
      end: () => {
        this.#inFlight -= 1;
      },
    };
  }

  /** The cloud throttled a call. */
  throttled(forMs: number | undefined): void {
    this.#throttledForMs = Math.max(this.#throttledForMs ?? 0, spanOf(forMs) ?? THROTTLED_MS);
  }

  /** The request to the gate. No call begins until the gate answers. */
  request(concurrency: number): ShareRequest {
    const throttledForMs = this.#throttledForMs;
    return {
      ...this.giveUp(),
      concurrency,
      ...(throttledForMs === undefined ? {} : { throttledForMs }),
    };
  }

  /** The gate's answer to a request that was sent at `askedMs`. */
  accept(share: CallShare, askedMs: number): void {
    this.#throttledForMs = undefined;
    this.#waitUntilMs = share.wait === undefined ? 0 : this.#now() + share.wait.forMs;
    if (share.wait !== undefined) return;
    const calls = share.calls ?? Infinity;
    this.#held = { share, calls, untilMs: askedMs + share.forMs, sinceMs: askedMs };
  }

  /** Gives the share up: it was recalled, it lapsed, or the run no longer needs it. */
  giveUp(): UsedShare {
    const [held, seen, made] = [this.#held, this.#seen, this.#made];
    [this.#held, this.#seen, this.#made, this.#waitUntilMs] = [undefined, undefined, 0, 0];
    return {
      ...(held === undefined ? {} : { share: held.share.number }),
      made,
      inFlight: this.#inFlight,
      ...(seen === undefined
        ? {}
        : {
            seen: {
              remaining: Math.max(0, seen.remaining),
              resetInMs: seen.resetMs - this.#now(),
              since: seen.since,
            },
          }),
    };
  }

  #take(): boolean {
    const isFree = this.free >= 1;
    if (isFree) this.#spend();
    return isFree;
  }

  #spend(): void {
    this.#made += 1;
    if (this.#held !== undefined) this.#held.calls -= 1;
  }

  #saw({ remaining, resetMs }: RateBudget, since: number): void {
    if (!Number.isFinite(remaining) || !Number.isFinite(resetMs)) return;
    // Answers overtake each other, so the lower number of one budget counts.
    const isSame =
      this.#seen !== undefined && Math.abs(this.#seen.resetMs - resetMs) <= SAME_RESET_MS;
    const known = isSame ? (this.#seen?.remaining ?? Infinity) : Infinity;
    const left = Math.max(0, Math.min(known, remaining - this.#unanswered));
    this.#seen = { remaining: left, resetMs, since };
    if (this.#held !== undefined && this.#held.share.calls !== null)
      this.#held.calls = Math.min(this.#held.calls, left);
  }
}
