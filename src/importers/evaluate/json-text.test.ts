import { describe, expect, it } from "vitest";
import { type Expression, literal } from "#importers/expression.ts";
import { parsedText } from "./json-text.ts";

const reference: Expression = {
  kind: "reference",
  target: { kind: "resource", address: "aws_sqs_queue.a" },
  path: ["arn"],
  line: 3,
};
const textOf = (...parts: (string | Expression)[]): Expression => ({
  kind: "text",
  parts: parts.map((part) => (typeof part === "string" ? literal(part) : part)),
});

describe("a text of JSON", () => {
  it("becomes its value, with the inserted expressions", () => {
    const given = textOf('{"Resource": "', reference, '", "All": ["', reference, '/*", 1, null]}');
    expect(parsedText(given, 7)).toEqual({
      kind: "object",
      members: [
        { name: "Resource", value: reference, line: 7 },
        {
          name: "All",
          value: {
            kind: "list",
            items: [{ kind: "text", parts: [reference, literal("/*")] }, literal(1), literal(null)],
          },
          line: 7,
        },
      ],
    });
  });

  it("is undefined where it is broken, nests too deep, or has an expression outside a string", () => {
    for (const given of [
      literal("plain"),
      literal('"a"'),
      literal('{"a": }'),
      literal(`${"[".repeat(101)}${"]".repeat(101)}`),
      literal(`{"a": "${"x".repeat(100_000)}"}`),
      textOf('{"a": ', reference, "}"),
      textOf('{"a": "\uE0000\uE001"', reference, "}"),
      reference,
    ])
      expect(parsedText(given, 1)).toBeUndefined();
  });

  it("takes a value that is encoded as JSON for itself, outside a string", () => {
    const list: Expression = { kind: "list", items: [reference, literal("a")] };
    const encoded: Expression = { kind: "call", name: "jsonencode", args: [list], line: 3 };
    const made = parsedText(textOf('{"a \\" b": ', encoded, ', "c": "', encoded, '"}'), 1);
    expect(made?.kind === "object" && made.members.map(({ name, value }) => [name, value])).toEqual(
      [
        ['a " b', list],
        ["c", encoded],
      ],
    );
  });

  it("may have any names", () => {
    const read = parsedText(literal('{"__proto__": {"a": 1}, "constructor": 2}'), 1);
    expect(read?.kind === "object" && read.members.map(({ name }) => name)).toEqual([
      "__proto__",
      "constructor",
    ]);
  });
});
