import type { Bindings } from "#kernel/bindings.ts";
import type { DeliveryLane } from "#schema/webhooks.ts";
import type { SendParts } from "./send.ts";

/** The dependencies of the delivery consumer: its queue, the clock, the ids and the network. */
export interface DeliverParts extends SendParts {
  env: Bindings;
  /** The queue of the messages. */
  lane: DeliveryLane;
  /** The consumer waits this long for the receivers' answers; then it takes the next batch while they go on. */
  patienceMs: number;
  /** A receiver that has not answered for this long is slow from then on. */
  slowAfterMs: number;
  newId: () => string;
  /** In [0, 1). */
  random: () => number;
  /** Keeps work running after the batch (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
}
