import type { Bindings } from "#kernel/bindings.ts";
import type { SendParts } from "./send.ts";

/** The dependencies of the delivery consumer: its queue, the clock, the ids and the network. */
export interface DeliverParts extends SendParts {
  env: Bindings;
  /** The queue of the messages; the slow one serves receivers that keep others waiting. */
  lane: "fast" | "slow";
  newId: () => string;
  /** In [0, 1). */
  random: () => number;
  /** Keeps work running after the batch (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
}
