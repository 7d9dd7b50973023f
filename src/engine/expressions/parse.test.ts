import { describe, expect, it } from "vitest";
import type { Node } from "./ast.ts";
import { parse, parseAt } from "./parse.ts";
import { explain, type Problem } from "./problem.ts";

function parsed(text: string): Node {
  const result = parse(text);
  if (result.kind === "parsed") return result.node;
  throw new Error(explain(result.problem).message);
}

function problem(text: string): Problem {
  const result = parse(text);
  if (result.kind === "problem") return result.problem;
  throw new Error("The expression was read");
}

describe("a parsed expression", () => {
  it("has the place of each part", () => {
    expect(parsed(" a.b-c[0] + 1")).toEqual({
      kind: "binary",
      operator: "+",
      start: 1,
      end: 13,
      left: {
        kind: "index",
        optional: false,
        start: 1,
        end: 9,
        of: {
          kind: "member",
          optional: false,
          member: { name: "b-c", start: 3, end: 6 },
          start: 1,
          end: 6,
          of: { kind: "name", name: "a", start: 1, end: 2 },
        },
        index: { kind: "literal", value: 0, fraction: false, start: 7, end: 8 },
      },
      right: { kind: "literal", value: 1, fraction: false, start: 12, end: 13 },
    });
  });

  it.for([
    ["my-db", "name"],
    ["a - b", "binary"],
    ["a -1", "binary"],
    ["a && b && c", "logic"],
    ["a ? b : c ? d : e", "choice"],
    ["[1, 2,]", "list"],
    ["{'a': 1, ?'b': c,}", "map"],
    ["l.map(x, y)", "loop"],
    ["l.transformMap(k, v, v > 1, v)", "loop"],
    ["l.transformMapEntry(i, v, {v.name: v})", "loop"],
    ["cel.bind(x, 1, x)", "bind"],
    ["has(a)", "has"],
    ["has(a.b)", "has"],
    ["a.?b.optMap(x, x)", "optional-map"],
    ["json.encode(a)", "call"],
    ["a.`b c`", "member"],
    ["// remark\n1", "literal"],
  ])("%s is a %s", ([text, kind]) => {
    expect(parsed(text ?? "").kind).toBe(kind);
  });

  it("knows a function's namespace from a value of that name", () => {
    expect(parsed("json.encode(a)")).toMatchObject({ function: { name: "json.encode" } });
    expect(parsed("json.contains(a)")).toMatchObject({
      function: { name: "contains" },
      of: { kind: "name", name: "json" },
    });
  });

  it("ends before the brace that closes it", () => {
    const text = "x${ {'a': \"}\"}.a }y";
    expect(parseAt(text, 3, "}")).toMatchObject({ kind: "parsed", end: text.indexOf("}y") });
    expect(parseAt("${a + b", 2, "}")).toMatchObject({
      problem: { kind: "expression_not_closed", start: 7, end: 7 },
    });
  });
});

describe("a text that is no expression", () => {
  it.for<[text: string, code: Problem["kind"], start: number, end: number]>([
    ["", "malformed_expression", 0, 0],
    ["1 +", "malformed_expression", 3, 3],
    ["a = b", "malformed_expression", 2, 3],
    ["a & b", "malformed_expression", 2, 3],
    ["(1", "malformed_expression", 2, 2],
    ["a ? b", "malformed_expression", 5, 5],
    ["[1 2]", "malformed_expression", 3, 4],
    ["in", "malformed_expression", 0, 2],
    ["has(1)", "malformed_expression", 4, 5],
    ["l.map(1, 2)", "malformed_expression", 6, 7],
    ["'a", "unterminated_text", 0, 2],
    ["'a\nb'", "unterminated_text", 0, 2],
    ["'\\q'", "invalid_escape", 1, 3],
    ["'\\ud800'", "invalid_escape", 0, 8],
    ["9007199254740993", "number_too_large", 0, 16],
    ["1e400", "number_too_large", 0, 5],
    ["1u", "syntax_not_supported", 0, 2],
    ["b'a'", "syntax_not_supported", 0, 4],
    ["l.map(x)", "wrong_count", 0, 8],
    ["l.all(x, x, 1)", "duplicate_key", 9, 10],
  ])("%s: %s", ([text, code, start, end]) => {
    expect(problem(text)).toMatchObject({ kind: code, start, end });
  });

  it("is one if it is too long or too deep, and none at the limit", () => {
    expect(parsed(`'${"a".repeat(1_998)}'`).end).toBe(2_000);
    expect(problem(`'${"a".repeat(1_999)}'`).kind).toBe("expression_too_long");
    expect(parsed(`${"(".repeat(64)}1${")".repeat(64)}`).kind).toBe("literal");
    expect(problem(`${"(".repeat(65)}1${")".repeat(65)}`).kind).toBe("expression_too_deep");
  });
});

it("explains every problem in sentences", () => {
  for (const text of [
    "",
    "a = b",
    "'a",
    "'\\q'",
    "1e400",
    "1u",
    "l.map(x)",
    "a ? b",
    "x".repeat(2_001),
  ]) {
    const { message, hint } = explain(problem(text));
    expect(message).toMatch(/^[A-Z0-9`].*\.$/);
    if (hint !== undefined) expect(hint).toMatch(/\.$/);
  }
});
