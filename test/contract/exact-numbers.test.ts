/** Numbers that JSON.parse would change are refused with their place, at every endpoint that takes a body. */
import { beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { OPERATOR_KEY } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import {
  answerEveryReceiver,
  makeRoomForTriggers,
  makeWorld,
  pathIn,
  sampleBody,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
beforeEach(({ task }) => makeRoomForTriggers(world, task));

const numbers = ["9007199254740993", "-9007199254740993", "1e400", "12e20", "1e-400"];
const takers = endpoints.filter(({ body }) => body !== undefined);

describe.each(takers.map((endpoint, at) => [titleOf(endpoint), endpoint, at] as const))(
  "%s",
  (_, endpoint, turn) => {
    it("refuses a number that would become another one, wherever it is", async () => {
      const { access } = endpoint;
      const isOperators = access !== "public" && access.role === "operator";
      const number = numbers[turn % numbers.length] ?? "";
      const sample = JSON.stringify(sampleBody(world, endpoint)).slice(1, -1);
      const comma = sample === "" ? "" : ",";
      const before = await rowsOf(world.tenantId);
      const answer = await ask(endpoint, pathIn(world, endpoint), {
        key: isOperators ? OPERATOR_KEY : world.tenant.key,
        body: `{${sample}${comma}"v/ariables":{"deep":[0,{"id": ${number} }]}}`,
      });
      expect(answer.status, answer.text).toBe(400);
      expect(await rowsOf(world.tenantId)).toEqual(before);
      // Other protocols have failures of their own shape.
      if (endpoint.failures !== undefined) return;
      expect(answer.body).toMatchObject({
        code: "validation_failed",
        errors: [
          {
            in: "body",
            pointer: "/v~1ariables/deep/1/id",
            code: "inexact_number",
            detail: expect.stringContaining(number),
          },
        ],
      });
    });
  },
);

it("keeps the largest exact number, and a fraction, as they were sent", async () => {
  const { tenant } = world;
  const variables = { most: 9007199254740991, least: -9007199254740991, part: 16.1 };
  const made = await tenant.post("/profiles", { name: "numbers", variables });
  expect([made.status, made.body.variables]).toEqual([201, variables]);
});
