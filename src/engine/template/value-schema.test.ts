import { expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { schemaProblems, valueProblems } from "./value-schema.ts";

it.for<[JsonMap, Json, Json, string]>([
  [{ type: "string" }, "a", 1, "type"],
  [{ type: "integer" }, 1, 1.5, "type"],
  [{ enum: ["a", "b"] }, "a", "c", "enum"],
  [{ const: 1 }, 1, 2, "const"],
  [{ type: "string", minLength: 2 }, "ab", "a", "minLength"],
  [{ type: "string", maxLength: 2 }, "ab", "abc", "maxLength"],
  [{ type: "string", pattern: "^a+$" }, "aa", "ab", "pattern"],
  [{ type: "string", format: "ipv4" }, "10.0.0.1", "10.0.0.256", "format"],
  [{ type: "number", minimum: 1 }, 1, 0, "minimum"],
  [{ type: "number", exclusiveMaximum: 5 }, 4, 5, "exclusiveMaximum"],
  [{ type: "number", multipleOf: 2 }, 4, 5, "multipleOf"],
  [{ type: "array", items: { type: "string" } }, ["a"], [1], "type"],
  [{ type: "array", items: { pattern: "^a$" } }, ["a"], ["b"], "pattern"],
  [{ type: "array", prefixItems: [{ pattern: "^a$" }] }, ["a"], ["b"], "pattern"],
  [{ type: "array", minItems: 1 }, [1], [], "minItems"],
  [
    { uniqueItems: true },
    [{ a: 1 }, { a: 2 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    "uniqueItems",
  ],
  [{ contains: { const: 1 } }, [1], [2], "contains"],
  [{ required: ["a"] }, { a: 1 }, {}, "required"],
  [{ properties: { a: { type: "string" } } }, { a: "" }, { a: 1 }, "type"],
  [{ properties: { a: { pattern: "^x" } } }, { a: "x" }, { a: "y" }, "pattern"],
  [{ additionalProperties: false }, {}, { a: 1 }, "false"],
  [{ additionalProperties: { pattern: "^x" } }, { a: "x" }, { a: "y" }, "pattern"],
  [{ propertyNames: { pattern: "^x" } }, { x: 1 }, { y: 1 }, "pattern"],
  [{ allOf: [{ pattern: "^a" }, { pattern: "b$" }] }, "ab", "ac", "pattern"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, 1, "anyOf"],
  [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 5, 2, "oneOf"],
  [{ not: { type: "string" } }, 1, "a", "not"],
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  [{ if: { const: 1 }, then: false }, 2, 1, "if"],
  [{ dependentRequired: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }, "dependentRequired"],
])("checks values against %j", ([schema, good, bad, keyword]) => {
  expect(schemaProblems(schema)).toEqual([]);
  expect(valueProblems(schema, good)).toEqual([]);
  expect(valueProblems(schema, bad).map((problem) => problem.keyword)).toContain(keyword);
});

it("points once to the invalid part of the value", () => {
  const schema = {
    type: "object",
    properties: { "a/b": { type: "array", items: { type: "string" } } },
  };
  expect(valueProblems(schema, { "a/b": ["x", 2] })).toMatchObject([{ pointer: "/a~1b/1" }]);
});

it.for<[JsonMap, Json, string]>([
  [{ type: "string" }, 5, "It must be a string, not a number."],
  [{ type: ["string", "null"] }, [], "It must be a string or null, not a list."],
  [
    { enum: ["nyc3", "fra1", 7] },
    "nyc4",
    'It must be one of "nyc3", "fra1", 7. Did you mean "nyc3"?',
  ],
  [{ const: true }, false, "It must be true."],
  [{ minLength: 12 }, "short", "It must have at least 12 characters."],
  [{ maxLength: 1 }, "long", "It must have at most 1 character."],
  [{ minItems: 1 }, [], "It must have at least 1 item."],
  [{ maxProperties: 0 }, { a: 1 }, "It must have at most 0 members."],
  [{ minimum: 1 }, 0, "It must be at least 1."],
  [{ exclusiveMaximum: 5 }, 5, "It must be less than 5."],
  [{ multipleOf: 2 }, 5, "It must be a multiple of 2."],
  [{ format: "ipv4" }, "x", 'It must be in the format "ipv4".'],
  [{ pattern: "^a$" }, "b", 'It must match the pattern "^a$".'],
  [{ uniqueItems: true }, [1, 1], "It must not contain an item twice."],
  [{ required: ["a", "b", "c"] }, { b: 1 }, 'It must have the members "a", "c".'],
  [
    { properties: { size: true }, additionalProperties: false },
    { sise: 1 },
    'It is not allowed here. Allowed: "size".',
  ],
  [{ not: { type: "string" } }, "a", "It must meet `not` of its schema."],
])("tells in plain words, without the value, the requirement of %j", ([schema, bad, words]) => {
  const [problem, ...more] = valueProblems(schema, bad);
  expect([problem?.message, problem?.hint].filter(Boolean).join(" ")).toBe(words);
  expect(more).toEqual([]);
});

it("points into keys that a URI would escape", () => {
  const schema = { properties: { "é/#%": { type: "string", minLength: 3 } } };
  expect(valueProblems(schema, { "é/#%": "a" })).toMatchObject([
    { pointer: "/é~1#%", message: "It must have at least 3 characters." },
  ]);
});

it.for<[JsonMap, string]>([
  [{ $ref: "#" }, "/$ref"],
  [{ minLenght: 1 }, "/minLenght"],
  [{ minLength: -1 }, "/minLength"],
  [{ minimum: "1" }, "/minimum"],
  [{ multipleOf: 0 }, "/multipleOf"],
  [{ enum: [] }, "/enum"],
  [{ type: "text" }, "/type"],
  [{ format: "url" }, "/format"],
  [{ format: "constructor" }, "/format"],
  [{ pattern: "(" }, "/pattern"],
  [{ pattern: "(a)\\1" }, "/pattern"],
  [{ not: { pattern: "a" } }, "/not/pattern"],
  [{ anyOf: [{ items: { uniqueItems: true } }] }, "/anyOf/0/items/uniqueItems"],
  [{ items: { items: 5 } }, "/items/items"],
  [{ properties: { "a/b": { minLength: "x" } } }, "/properties/a~1b/minLength"],
  [{ required: "a" }, "/required"],
  [{ dependentRequired: { a: "b" } }, "/dependentRequired"],
  [{ deprecated: "yes" }, "/deprecated"],
  [{ title: 5 }, "/title"],
  [{ allOf: [] }, "/allOf"],
  [{ properties: [] }, "/properties"],
  [{ constructor: 1 }, "/constructor"],
])("rejects the schema %j", ([schema, pointer]) => {
  expect(schemaProblems(schema)).toMatchObject([{ pointer }]);
});

it("limits enums to 1,000 values and strings with a format to 4,096 characters", () => {
  const values = (count: number) => ({ enum: Array.from({ length: count }, (_, index) => index) });
  expect(schemaProblems(values(1_000))).toEqual([]);
  expect(schemaProblems(values(1_001))).toMatchObject([{ keyword: "enum" }]);
  const address = (length: number) => `https://a/${"b".repeat(length - 10)}`;
  expect(valueProblems({ format: "uri" }, address(4_096))).toEqual([]);
  expect(valueProblems({ format: "uri" }, address(4_097))).toMatchObject([{ keyword: "format" }]);
});

it("reports only the first problem of a value too large to report all", () => {
  const list = [Array.from({ length: 200_000 }, () => 1)];
  const schema = { items: { items: { type: "string" } } };
  expect(valueProblems(schema, list)).toHaveLength(1);
  expect(valueProblems(schema, [[1, 1]])).toHaveLength(2);
});

it("suggests the nearest keyword", () => {
  expect(schemaProblems({ minLenght: 1 })[0]?.hint).toBe('Did you mean "minLength"?');
});

it("treats inherited names like any other name", () => {
  const schema: JsonMap = JSON.parse(
    '{"properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}},"required":["toString"]}',
  );
  expect(valueProblems(schema, JSON.parse('{"toString":1}'))).toEqual([]);
  expect(valueProblems(schema, JSON.parse('{"__proto__":1,"toString":1}'))).toHaveLength(1);
});

it("checks uniqueness of a long list without comparing each item with every other", () => {
  const list = Array.from({ length: 60_000 }, (_, index) => index);
  expect(valueProblems({ uniqueItems: true }, list)).toEqual([]);
  expect(valueProblems({ items: { type: "string" } }, list)).not.toEqual([]);
});
