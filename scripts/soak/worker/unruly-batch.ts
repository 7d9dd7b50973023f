/** An unruly queue's delivery of a batch: late, out of order, twice, and parts of it once more later. */
import type { Random } from "#test/simulation/random.ts";

export interface Consumer<Message> {
  /** `isHeard`: whether the consumer's answer reaches the queue. */
  consume: (messages: readonly Message[], isHeard: boolean) => Promise<void>;
  /** Sends the message once more. */
  again: (message: Message, delaySeconds: number) => Promise<void>;
  wait: (ms: number) => Promise<void>;
}

const LATE_CHANCE = 0.3;
const MAX_LATE_MS = 700;
const TWICE_CHANCE = 0.3;
const AGAIN_CHANCE = 0.1;
const MAX_AGAIN_SECONDS = 6;

export async function deliverUnruly<Message>(
  messages: readonly Message[],
  random: Random,
  { consume, again, wait }: Consumer<Message>,
): Promise<void> {
  if (random.chance(LATE_CHANCE)) await wait(random.below(MAX_LATE_MS));
  for (const message of messages.filter(() => random.chance(AGAIN_CHANCE)))
    await again(message, random.below(MAX_AGAIN_SECONDS));
  const twice = random.chance(TWICE_CHANCE);
  await consume(shuffled(messages, random), true);
  if (twice) await consume(shuffled(messages, random), false);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
