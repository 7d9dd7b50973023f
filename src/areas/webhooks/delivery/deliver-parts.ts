import type { Bindings } from "#kernel/bindings.ts";
import type { SendParts } from "./send.ts";

/** What a consumer of deliveries is given: the queue it serves, and the clock, the ids and the network. */
export interface DeliverParts extends SendParts {
  env: Bindings;
  /** The queue the messages came from: the slow one serves the receivers that keep others waiting. */
  lane: "fast" | "slow";
  newId: () => string;
  /** In [0, 1). */
  random: () => number;
  /** Runs on after the batch (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
}
