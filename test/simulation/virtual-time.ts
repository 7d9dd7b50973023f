/**
 * Time that passes only when nothing is left to do now. What is due is done one thing after the other, in the order
 * of its time; between two of them every promise that can go on does. So a run takes no longer than its work, and
 * goes the same way whenever it is repeated.
 */
import { sha256 } from "@noble/hashes/sha2.js";
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
  /** Operations of the platform's own threads (keys, ciphers), which no virtual time moves on. */
  #elsewhere = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Runs it after so long; returns how to call it off. */
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

  /** Lets time pass until then, or until `enough`. */
  async passUntil(untilMs: number, enough: () => boolean = () => false): Promise<void> {
    for (;;) {
      await this.#settle();
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

  async #settle(): Promise<void> {
    do await new Promise<void>((resolve) => void nextTurn(resolve));
    while (this.#elsewhere > 0);
  }

  async #elsewhereDone<T>(work: Promise<T>): Promise<T> {
    this.#elsewhere += 1;
    try {
      return await work;
    } finally {
      this.#elsewhere -= 1;
    }
  }

  /** From now on the globals tell this time, and chance is this one; the answer puts the real ones back. */
  rule(random: Random): () => void {
    const { subtle } = crypto;
    // Ids are drawn apart, some of them ahead: how many there were must not change what happens.
    const ids = new Random(random.below(2 ** 31));
    const bytes = new Random(random.below(2 ** 31));
    const threaded = ["encrypt", "decrypt", "importKey", "sign", "verify"] as const;
    const real = Object.fromEntries(
      threaded.map((name) => [name, (subtle[name] as Threaded).bind(subtle)]),
    );
    const undo = [
      replace(Date, "now", () => this.nowMs),
      // Only jitter comes of it; and whoever runs the tests draws from it too, whenever they like.
      replace(Math, "random", () => 0.5),
      replace(globalThis, "setTimeout", (run: () => void, ms = 0) => ({
        callOff: this.after(ms, run),
      })),
      replace(globalThis, "clearTimeout", (timer?: { callOff: () => void }) => timer?.callOff()),
      replace(globalThis, "scheduler", {
        wait: (ms: number, { signal }: { signal?: AbortSignal } = {}) =>
          new Promise<void>((resolve, reject) => {
            const callOff = this.after(ms, resolve);
            signal?.addEventListener("abort", () => {
              callOff();
              reject(new Error("The wait was called off"));
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
          this.#elsewhereDone((real[name] as Threaded)(...args)),
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
