/** Generated requests to every endpoint that only reads: see test/support/fuzz.ts. */
import { describe, it } from "vitest";
import { endpoints } from "#app.ts";
import { testSeed } from "#test/support/depth.ts";
import { expectAsDeclared } from "#test/support/fuzz.ts";
import { answerEveryReceiver, makeWorld, titleOf } from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const reads = endpoints.filter(({ method }) => method === "GET");

describe(`TEST_SEED=${testSeed}`, () => {
  it.each(reads.map((it) => [titleOf(it), it] as const))(
    "%s answers every request as declared",
    { timeout: 120_000 },
    async (_, endpoint) => expectAsDeclared(endpoint, world),
  );
});
