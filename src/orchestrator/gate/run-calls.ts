import type { ProviderContext, RateBudget } from "#providers/provider.ts";
/**
 * The calls that a run may make to its cloud: the share that the gate of its target gave it (decision 0069). Counts
 * every request of every call, and remembers what the answers say of the rate budget until the gate is asked again.
 *
 * Guarantee: no call begins beyond the share. A call that needs more requests than expected may exceed it, once for
 * each kind of call and only by that call. If the runner dies, the share lapses at the gate.
 */
import { type CallShare, type ShareRequest, spanOf, type UsedShare } from "./call-share.ts";

/** A Worker waits on six connections at once. */
const MAX_CONCURRENT = 6;
/** A cloud that throttles and does not say for how long. */
const THROTTLED_MS = 2_000;
/** Budgets that end so close to each other are the same. */
const SAME_RESET_MS = 1_000;

/** The right to make one call. */
export interface CallPermit {
  /** The context of the call: counts its requests, and hears what their answers say. */
  context: (context: ProviderContext) => ProviderContext;
  /** The call is over; `next` begins another one. False: the share is used up. */
  next: () => boolean;
  end: () => void;
}

interface Held {
  share: CallShare;
  calls: number;
  untilMs: number;
  sinceMs: number;
}

interface Seen extends RateBudget {
  since: number;
}

/** When a request was sent, counted in requests and shares. */
interface Sent {
  /** Requests that the cloud had answered by then: they are in its count. */
  answered: number;
  share: number;
}

export class RunCalls {
  readonly #now: () => number;
  #held: Held | undefined;
  #waitUntilMs = 0;
  /** Calls made from the share, with those that permits reserve. */
  #made = 0;
  #inFlight = 0;
  #sent = 0;
  #answered = 0;
  /** The last share that was given. */
  #share = 0;
  #seen: Seen | undefined;
  #throttledForMs: number | undefined;
  /** Requests that a call of each kind needs, as far as seen. */
  readonly #needs = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The gate has to be asked before the next call. */
  get due(): boolean {
    const nowMs = this.#now();
    if (this.#throttledForMs !== undefined) return true;
    if (this.#held === undefined) return nowMs >= this.#waitUntilMs;
    const { share, calls, untilMs, sinceMs } = this.#held;
    // A clock that was set back says nothing about how old the share is.
    if (nowMs >= untilMs || nowMs < sinceMs) return true;
    return share.calls === null ? this.#seen !== undefined : calls < 1;
  }

  /** The cloud refused a call, and the gate does not know it yet. */
  get isThrottled(): boolean {
    return this.#throttledForMs !== undefined;
  }

  /** When to ask again, if the share is empty. */
  get waitsUntilMs(): number | undefined {
    return this.#held === undefined && this.#waitUntilMs > this.#now()
      ? this.#waitUntilMs
      : undefined;
  }

  /** How many calls may begin now. */
  get free(): number {
    if (this.#held === undefined || this.due) return 0;
    const { share, calls } = this.#held;
    const places = Math.min(MAX_CONCURRENT, share.concurrent) - this.#inFlight;
    const covered = Math.floor(calls / this.#most());
    // Alone, a call may exceed the share: otherwise one that needs more than a share would never begin.
    return Math.max(0, Math.min(places, this.#inFlight === 0 ? Math.max(1, covered) : covered));
  }

  /** The share counts calls: what is left of it, others could use. */
  get counts(): boolean {
    return this.#held !== undefined && this.#held.share.calls !== null;
  }

  /** Begins a call of this kind; undefined: the share is used up. */
  begin(kind: string): CallPermit | undefined {
    let reserved = this.#reserve(kind);
    if (reserved === undefined) return undefined;
    this.#inFlight += 1;
    // The requests of one call follow each other.
    let sent: Sent = { answered: 0, share: 0 };
    const settle = () => {
      reserved?.settle();
      reserved = undefined;
    };
    return {
      context: (context) => ({
        ...context,
        fetch: async (request) => {
          reserved?.request();
          sent = { answered: this.#answered, share: this.#share };
          this.#sent += 1;
          try {
            return await context.fetch(request);
          } finally {
            this.#answered += 1;
          }
        },
        budget: (seen) => {
          this.#saw(seen, sent);
          context.budget?.(seen);
        },
      }),
      next: () => {
        settle();
        this.#inFlight -= 1;
        reserved = this.#reserve(kind);
        this.#inFlight += 1;
        return reserved !== undefined;
      },
      end: () => {
        settle();
        this.#inFlight -= 1;
      },
    };
  }

  /** The cloud refused a call because there were too many. */
  throttled(forMs: number | undefined): void {
    this.#throttledForMs = Math.max(this.#throttledForMs ?? 0, spanOf(forMs) ?? THROTTLED_MS);
  }

  /** What to tell the gate; until it answers, no call begins. */
  request(concurrency: number): ShareRequest {
    const throttledForMs = this.#throttledForMs;
    return {
      ...this.#report(),
      concurrency,
      needs: this.#most(),
      ...(throttledForMs === undefined ? {} : { throttledForMs }),
    };
  }

  /** The gate's answer to a request that was sent at `askedMs`. */
  accept(share: CallShare, askedMs: number): void {
    this.#throttledForMs = undefined;
    this.#share = share.number;
    this.#waitUntilMs = share.wait === undefined ? 0 : this.#now() + share.wait.forMs;
    if (share.wait !== undefined) return;
    this.#held = {
      share,
      calls: share.calls ?? Infinity,
      untilMs: askedMs + share.forMs,
      sinceMs: askedMs,
    };
  }

  /** Gives the share up: it lapsed with the slot, or the run needs it no more. */
  giveUp(): UsedShare {
    this.#waitUntilMs = 0;
    return this.#report();
  }

  /** Gives the share back that the gate recalls. `newer`: it has been given back already. */
  recall(number: number): UsedShare | "newer" {
    return this.#held?.share.number === number ? this.giveUp() : "newer";
  }

  /** Requests of the call that needs most. */
  #most(): number {
    return Math.max(1, ...this.#needs.values());
  }

  #report(): UsedShare {
    const nowMs = this.#now();
    const share = this.#held?.share.number;
    const seen = this.#seen;
    const made = this.#made;
    this.#held = undefined;
    this.#made = 0;
    this.#seen = undefined;
    return {
      ...(share === undefined ? {} : { share }),
      made,
      inFlight: this.#inFlight,
      ...(seen === undefined
        ? {}
        : {
            seen: {
              remaining: Math.max(0, seen.remaining),
              resetInMs: seen.resetMs - nowMs,
              since: seen.since,
              ...(seen.limit === undefined ? {} : { limit: seen.limit }),
            },
          }),
    };
  }

  /** Takes what a call of this kind is expected to need out of the share; undefined: there is not enough. */
  #reserve(kind: string): { request: () => void; settle: () => void } | undefined {
    if (this.free < 1 || this.#held === undefined) return undefined;
    const held = this.#held;
    const needs = this.#needs.get(kind) ?? 1;
    let sent = 0;
    const take = (calls: number) => {
      if (this.#held === held) [held.calls, this.#made] = [held.calls - calls, this.#made + calls];
    };
    take(needs);
    return {
      request: () => {
        sent += 1;
        if (sent > needs) take(1);
        if (this.#seen !== undefined) this.#seen.remaining -= 1;
      },
      settle: () => {
        if (sent > needs) this.#needs.set(kind, sent);
        else take(sent - needs);
      },
    };
  }

  #saw(budget: RateBudget, { answered, share }: Sent): void {
    if (!Number.isFinite(budget.remaining) || !Number.isFinite(budget.resetMs)) return;
    const uncounted = this.#sent - answered - 1;
    const remaining = Math.max(0, budget.remaining - uncounted);
    const before = this.#seen;
    // Answers overtake each other: of one budget, the lower counts.
    const same = before !== undefined && Math.abs(before.resetMs - budget.resetMs) <= SAME_RESET_MS;
    this.#seen = {
      ...budget,
      remaining: same ? Math.min(before.remaining, remaining) : remaining,
      since: share,
    };
    const held = this.#held;
    if (held !== undefined && held.share.calls !== null)
      held.calls = Math.min(held.calls, this.#seen.remaining);
  }
}
