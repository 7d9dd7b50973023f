/** Half of the simulated runs; the other half runs in parallel. run.ts describes what is simulated and checked. */
import { it } from "vitest";
import { expectHalfToHold, TIMEOUT_MS } from "./seeds.ts";

it(
  "comes to rest with cloud, state and D1 in agreement, whatever fails (half 1 of 2)",
  { timeout: TIMEOUT_MS },
  async () => {
    await expectHalfToHold(0);
  },
);
