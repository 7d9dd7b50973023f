import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, unknownOf, type Value } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import { knownProblems } from "./known-problems.ts";
import { WorkBudget } from "./work-budget.ts";

const text = unknownOf("string");
const strings = { type: "array", items: { type: "string" } };
const server = {
  type: "object",
  properties: { size: { type: "integer", maximum: 4 }, tags: strings },
  required: ["size"],
};

function problems(schema: JsonMap, value: Value): string[] {
  return knownProblems(schema, value, new WorkBudget()).map(
    ({ pointer, keyword }) => `${pointer} ${keyword}`,
  );
}

describe("a value with unknown parts", () => {
  it.for<[schema: JsonMap, value: Value, ...found: string[]]>([
    [{ type: "integer" }, text, " type"],
    [{ type: "array" }, text, " type"],
    [{ type: "string" }, unknownOf("object", "array"), " type"],
    [{ type: "string" }, new PartlyKnown({}), " type"],
    [{ type: "integer" }, new Secret(text, { sealed: false }), " type"],
    [strings, { a: text }, " type"],
    [strings, [text, 1], "/1 type"],
    [strings, [unknownOf("integer"), text], "/0 type"],
    [server, { size: text }, "/size type"],
    [server, { size: 5, tags: [text] }, "/size maximum"],
    [server, { tags: [text] }, " required"],
    [server, { size: 1, tags: ["a", text, { b: 1 }] }, "/tags/2 type"],
    [{ type: "object", additionalProperties: { type: "integer" } }, { "a/b": text }, "/a~1b type"],
    [{ type: "array", minItems: 2 }, [text], " minItems"],
  ])("%j refuses %j", ([schema, value, ...found]) => {
    expect(problems(schema, value)).toEqual(found);
  });

  it.for<[schema: JsonMap, value: Value]>([
    [{ type: "integer" }, unknown],
    [{ type: "integer" }, unknownOf("number")],
    [{ type: "number" }, unknownOf("integer")],
    [{ type: "integer" }, unknownOf("string", "integer")],
    [{ type: ["string", "null"] }, text],
    [{}, text],
    [{ enum: ["a"] }, text],
    [{ type: "string", pattern: "^a" }, text],
    [{ type: "object", required: ["a"] }, new PartlyKnown({ b: 1 })],
    [strings, [text, unknown]],
    [server, { size: unknown, tags: unknownOf("array") }],
    // A part that is unknown may be left out.
    [{ type: "array", maxItems: 1 }, [unknown, 1]],
    [{ type: "object", additionalProperties: false }, { a: unknown }],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, [unknown, "a"]],
    // A condition may hold for a value of the unknown part.
    [{ anyOf: [{ required: ["b"] }, { properties: { a: { const: 1 } } }] }, { a: unknown }],
    [{ not: { properties: { a: { const: 1 } } } }, { a: unknown }],
    [{ uniqueItems: true }, ["a", "a", unknown]],
  ])("%j takes %j", ([schema, value]) => {
    expect(problems(schema, value)).toEqual([]);
  });
});

it("has the problems of a known value as they are", () => {
  expect(problems(server, { size: 5, tags: "a" }).toSorted()).toEqual([
    "/size maximum",
    "/tags type",
  ]);
});

it("stops with its budget", () => {
  expect(knownProblems({ type: "integer" }, text, new WorkBudget(10))).toEqual([]);
});
