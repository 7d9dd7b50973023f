/**
 * Virtual time, which advances only when no work is left. Timers run one after the other, in the order of their time,
 * and all promises that can continue do so between two timers. So a run takes only as long as its work, and every
 * repetition is identical.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { currentOffsetMs, keepingClock } from "./clocks.ts";
import { Random } from "./random.ts";

interface Due {
  atMs: number;
  seq: number;
  run: (() => void) | undefined;
}

type Threaded = (...args: never[]) => Promise<unknown>;

const nextTurn = setImmediate;

export class VirtualTime {
  nowMs: number;
  #seq = 0;
  readonly #due: Due[] = [];
  /** Pending operations in the platform's own threads (keys, ciphers), which virtual time does not advance. */
  #inOtherThreads = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Runs `run` after the delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void {
    this.#seq += 1;
    const due: Due = { atMs: this.nowMs + Math.max(0, delayMs), seq: this.#seq, run };
    let at = this.#due.length;
    while (at > 0 && (this.#due[at - 1] as Due).atMs > due.atMs) at -= 1;
    this.#due.splice(at, 0, due);
    return () => {
      due.run = undefined;
    };
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Advances time to `untilMs`, or until `enough` returns true. */
  async passUntil(untilMs: number, enough: () => boolean = () => false): Promise<void> {
    for (;;) {
      await this.#untilIdle();
      if (enough()) return;
      const [first] = this.#due;
      if (first === undefined || first.atMs > untilMs) break;
      this.#due.shift();
      if (first.run === undefined) continue;
      this.nowMs = Math.max(this.nowMs, first.atMs);
      first.run();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  async #untilIdle(): Promise<void> {
    do await new Promise<void>((resolve) => void nextTurn(resolve));
    while (this.#inOtherThreads > 0);
  }

  async #inOtherThread<T>(work: Promise<T>): Promise<T> {
    this.#inOtherThreads += 1;
    try {
      return await work;
    } finally {
      this.#inOtherThreads -= 1;
    }
  }

  /** Replaces the global clock, timers, network and random sources. Returns a function that restores them. */
  install(random: Random, network: (request: Request) => Promise<Response>): () => void {
    const { subtle } = crypto;
    // Ids have their own random source: some are drawn ahead, and their number must not affect the run.
    const ids = new Random(random.below(2 ** 31));
    const bytes = new Random(random.below(2 ** 31));
    const threaded = ["encrypt", "decrypt", "importKey", "sign", "verify"] as const;
    const real = Object.fromEntries(
      threaded.map((name) => [name, (subtle[name] as Threaded).bind(subtle)]),
    );
    const undo = [
      replace(Date, "now", () => this.nowMs + currentOffsetMs()),
      // Used for jitter only; a constant, because the test runner draws from it at any time too.
      replace(Math, "random", () => 0.5),
      replace(globalThis, "setTimeout", (run: () => void, ms = 0) => ({
        cancel: this.after(ms, keepingClock(run)),
      })),
      replace(globalThis, "fetch", network),
      replace(globalThis, "clearTimeout", (timer?: { cancel: () => void }) => timer?.cancel()),
      replace(globalThis, "scheduler", {
        wait: (ms: number, { signal }: { signal?: AbortSignal } = {}) =>
          new Promise<void>((resolve, reject) => {
            const cancel = this.after(ms, resolve);
            signal?.addEventListener("abort", () => {
              cancel();
              reject(new Error("The wait was canceled"));
            });
          }),
      }),
      replace(crypto, "getRandomValues", (filled: Uint8Array) => {
        for (let at = 0; at < filled.length; at += 1) filled[at] = bytes.below(256);
        return filled;
      }),
      replace(crypto, "randomUUID", () => randomUuid(ids)),
      replace(subtle, "digest", async (_: string, data: Uint8Array) => sha256(data).buffer),
      ...threaded.map((name) =>
        replace(subtle, name, (...args: never[]) =>
          this.#inOtherThread((real[name] as Threaded)(...args)),
        ),
      ),
    ];
    return () => {
      for (const one of undo.reverse()) one();
    };
  }
}

function randomUuid(random: Random): string {
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => random.below(16).toString(16));
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  };
}
