import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { readDescription } from "./description.ts";
import { laxBodies } from "./lax-bodies.ts";
import { aMap, aText, eitherOf, listOf, object, writeDescription } from "./write-description.ts";

const described = (body: JsonMap, path = "/things/{id}") =>
  readDescription(writeDescription([], [{ method: "put", path, body, status: 200 }], {}));

it("finds the members that only the vendor requires, at any depth and in each alternative", () => {
  const vendors = described(
    eitherOf(
      object({ "name!": aText, "size!": aText, rules: listOf(object({ "port!": aText })) }),
      object({ "name!": aText, "tag!": aText }),
    ),
    "/things/{thing_id}",
  );
  const rules = listOf(object({ port: aText }));
  expect(laxBodies(described(object({ name: aText, rules })), vendors)).toEqual([
    "put /things/{id} does not require name",
  ]);
  const nested = described(object({ "name!": aText, rules: listOf(object({ "port!": aText })) }));
  expect(laxBodies(described(object({ "name!": aText, rules })), nested)).toEqual([
    "put /things/{id} does not require rules.[].port",
  ]);
  expect(laxBodies(described(object({ "name!": aText, rules: aMap })), nested)).toEqual([]);
  expect(laxBodies(described(object({}), "/others"), vendors)).toHaveLength(1);
});
