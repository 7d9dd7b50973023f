/** Generated requests to every endpoint that can change something: see test/support/fuzz.ts. */
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
/** Random edits soon make a world useless: all other requests use a world that is not edited. */
const [edited, unedited, elsewhere] = await Promise.all([makeWorld(), makeWorld(), makeWorld()]);
const worldFor = ({ path, method }: Endpoint) => {
  if (path === "/tenants/{tenantId}") return elsewhere;
  return method === "PATCH" ? edited : unedited;
};
beforeEach(({ task }) => makeRoomForTriggers(unedited, task));
const changes = deletesLast(endpoints.filter(({ method }) => method !== "GET"));

describe(`TEST_SEED=${testSeed}`, () => {
  it.each(changes.map((it) => [titleOf(it), it] as const))(
    "%s answers every request as declared",
    { timeout: 120_000 },
    async (_, endpoint) => expectAsDeclared(endpoint, worldFor(endpoint)),
  );
});
