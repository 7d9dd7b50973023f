/**
 * Sessions of this isolate: tokens that were obtained with a credential and serve until they expire. Concurrent callers
 * share one request for a session. Nothing is stored: what dies with the isolate is obtained again.
 */
import type { Failed, Session } from "#providers/rest/definition.ts";

const RENEW_BEFORE_MS = 5 * 60_000;
/** How long to wait for another caller's request. Its Worker may be dead, and then it never ends. */
const OTHERS_MS = 10_000;

interface Kept {
  session: Session;
  renewMs: number;
}

export class SessionCache {
  readonly #limit: number;
  readonly #othersMs: number;
  /** By digest, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  readonly #flights = new Map<string, Promise<Session | Failed>>();

  constructor(limit: number, othersMs = OTHERS_MS) {
    this.#limit = limit;
    this.#othersMs = othersMs;
  }

  /** The session under this key, obtained if there is none or if its end is near. A failure is not kept. */
  async get(
    key: string,
    now: () => number,
    obtain: () => Promise<Session | Failed>,
  ): Promise<Session | Failed> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      if (now() < kept.renewMs) {
        this.#kept.set(key, kept);
        return kept.session;
      }
    }
    const flight = this.#flights.get(key);
    if (flight !== undefined) {
      const shared = await within(flight, this.#othersMs);
      if (shared !== undefined) return shared;
      // Several callers may have waited in vain: the first of them replaces the flight, and the others join it.
      if (this.#flights.get(key) !== flight) return this.get(key, now, obtain);
    }
    return this.#obtain(key, now, obtain);
  }

  /** Forgets a session that the cloud no longer accepts, unless it has been renewed since. */
  drop(key: string, session: Session): void {
    if (this.#kept.get(key)?.session === session) this.#kept.delete(key);
  }

  /** Forgets all sessions, as the end of the isolate does. */
  clear(): void {
    this.#kept.clear();
    this.#flights.clear();
  }

  async #obtain(
    key: string,
    now: () => number,
    obtain: () => Promise<Session | Failed>,
  ): Promise<Session | Failed> {
    const flight = obtain();
    this.#flights.set(key, flight);
    try {
      const result = await flight;
      if (result.kind === "session") this.#keep(key, result, now());
      return result;
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  #keep(key: string, session: Session, nowMs: number): void {
    const beforeMs = Math.min(RENEW_BEFORE_MS, (session.expiresMs - nowMs) / 4);
    this.#kept.delete(key);
    this.#kept.set(key, { session, renewMs: session.expiresMs - beforeMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limit) break;
      this.#kept.delete(oldest);
    }
  }
}

/** The promise's value, or undefined if it takes longer or fails. */
async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
