/** Every endpoint that may change something, asked by generated requests: see test/support/fuzz.ts. */
import { beforeEach, describe, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { testSeed } from "#test/support/depth.ts";
import { expectAsDeclared } from "#test/support/fuzz.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeRoomForTriggers,
  makeWorld,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
/** What is edited at random is soon fit for nothing: everything else is asked about a world that nobody edits. */
const [edited, unedited, elsewhere] = await Promise.all([makeWorld(), makeWorld(), makeWorld()]);
const worldFor = ({ path, method }: Endpoint) => {
  if (path === "/tenants/{tenantId}") return elsewhere;
  return method === "PATCH" ? edited : unedited;
};
beforeEach(({ task }) => makeRoomForTriggers(unedited, task));
const changes = deletesLast(endpoints.filter(({ method }) => method !== "GET"));

describe(`TEST_SEED=${testSeed}`, () => {
  it.each(changes.map((it) => [titleOf(it), it] as const))(
    "%s answers every request as it declares",
    { timeout: 120_000 },
    async (_, endpoint) => expectAsDeclared(endpoint, worldFor(endpoint)),
  );
});
