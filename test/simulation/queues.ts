/**
 * Queues in virtual time. By the weather they refuse, lose, repeat and delay messages. A message that its consumer does
 * not acknowledge comes again; after the last attempt it is a dead letter.
 */
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** As in wrangler.toml: five repetitions. */
const MAX_ATTEMPTS = 6;
const DEAD_LETTERS = "control-dead-letters";
const LATE_MS = 20_000;
const PROMPT_MS = 30;

/** How a consumer takes a message; a rejection is a retry. */
export type Consume = (
  queue: string,
  body: unknown,
  attempt: number,
) => Promise<{ retryAfterMs?: number }>;

interface Sent {
  body: unknown;
  delaySeconds?: number;
}

export class Queues {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #failing: () => number;
  readonly #arriving = new Map<string, number>();
  consume: Consume = async () => ({});
  /** Called with the body of each message that a queue stores. */
  stored: (body: unknown) => void = () => undefined;

  constructor(parts: { time: VirtualTime; random: Random; failing: () => number }) {
    this.#time = parts.time;
    this.#random = parts.random;
    this.#failing = parts.failing;
  }

  /** The number of messages of the queue that wait without a delay, or are being consumed. */
  arriving(queue: string): number {
    return this.#arriving.get(queue) ?? 0;
  }

  /** Rejects if the queue refuses the messages. */
  async send(queue: string, messages: readonly Sent[]): Promise<void> {
    await this.#time.wait(this.#random.below(12));
    const fails = () => this.#random.chance(this.#failing());
    if (fails()) throw new Error("The queue cannot be reached.");
    for (const { body, delaySeconds = 0 } of messages) {
      this.stored(body);
      if (fails()) continue;
      this.#deliver(queue, body, 1, delaySeconds * 1000);
      if (fails()) this.#deliver(queue, body, 1, delaySeconds * 1000);
    }
  }

  #deliver(queue: string, body: unknown, attempt: number, delayMs = 0): void {
    const late = this.#random.chance(this.#failing()) ? LATE_MS : PROMPT_MS;
    const counts = delayMs > 0 ? 0 : 1;
    this.#count(queue, counts);
    this.#time.after(delayMs + this.#random.below(late), () => {
      const again = (retryAfterMs?: number) => {
        if (attempt < MAX_ATTEMPTS) this.#deliver(queue, body, attempt + 1, retryAfterMs);
        else if (queue !== DEAD_LETTERS) this.#deliver(DEAD_LETTERS, body, 1);
      };
      this.consume(queue, structuredClone(body), attempt).then(
        ({ retryAfterMs }) => {
          this.#count(queue, -counts);
          return retryAfterMs === undefined ? undefined : again(retryAfterMs);
        },
        () => {
          this.#count(queue, -counts);
          return again();
        },
      );
    });
  }

  #count(queue: string, by: number): void {
    this.#arriving.set(queue, this.arriving(queue) + by);
  }
}
