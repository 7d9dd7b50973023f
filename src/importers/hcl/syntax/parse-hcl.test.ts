import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "#test/support/any-character.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { parseHcl, parseTemplate } from "./parse-hcl.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

function parsed(text: string): SyntaxTree {
  const tree = parseHcl(text);
  if (typeof tree === "string") throw new Error(tree);
  return tree;
}

/** The first line of each statement that was read. */
function statements(text: string): string[] {
  const tree = parsed(text);
  return tree.children(0).map((node) => tree.source(node).split("\n")[0] ?? "");
}

function faults(text: string): [string, string | undefined][] {
  return parsed(text).faults.map(({ offset, expected }) => [
    text.slice(offset, offset + 5),
    expected,
  ]);
}

describe("a file of HCL", () => {
  it("has arguments and blocks, with comments of all kinds between", () => {
    const text = `# a
// b
/* c
   d */ a = 1 # e
b "x" y { c = 2 }
d {
  e { f = "}" } /* g */
}
`;
    expect(statements(text)).toEqual(["a = 1", 'b "x" y { c = 2 }', "d {"]);
    expect(faults(text)).toEqual([]);
  });

  it("continues lines in brackets only", () => {
    expect(faults("a = [\n1,\n2\n+ 3,\n]\nb = (1\n? 2\n: 3)\n")).toEqual([]);
    expect(statements("a = b\n[1]\nc = 2")).toEqual(["a = b", "c = 2"]);
  });

  it("ends in the middle of a line, and may have carriage returns", () => {
    expect(statements("a = 1\r\nb {\r\n c = <<E\r\nx\r\nE\r\n}")).toHaveLength(2);
    expect(faults("a = 1\r\nb {\r\n c = <<E\r\nx\r\nE\r\n}")).toEqual([]);
  });

  it("is read around an invalid statement", () => {
    const text = 'r "a" {\n  x = ?\n  y = [1, @,\n 2]\n  z = 1\n}\nq "b" {}\n';
    expect(statements(text)).toEqual(['r "a" {', 'q "b" {}']);
    expect(faults(text)).toEqual([
      ["?\n  y", "a value"],
      ["@,\n 2", "a value"],
    ]);
    expect(parsed(text).source(parsed(text).children(0)[0] ?? 0)).toContain("z = 1");
  });

  it("ends an unclosed block where the next block of Terraform starts", () => {
    const text = 'resource "a" "b" {\n  x {\n  y = 1\n}\nresource "c" "d" {}\nlocals {\n';
    expect(statements(text)).toEqual(['resource "a" "b" {', 'resource "c" "d" {}', "locals {"]);
    expect(faults(text)).toEqual([
      ["resou", "`}`"],
      ["", "`}`"],
    ]);
  });

  it("keeps a block with text after it on its last line", () => {
    const text = "a {\n  b {\n  } x\n  c = 1\n}\n";
    expect(faults(text)).toEqual([["x\n  c", "a line break"]]);
    expect(parsed(text).children(0)).toEqual([1]);
    expect(parsed(text).source(1)).toBe(text.trimEnd());
  });

  it("lets a check contain data sources wherever their lines start", () => {
    expect(faults('check "a" {\ndata "b" "c" {\n}\n}\n')).toEqual([]);
  });

  it.each([
    ["a comment", "/* x", "the end of the comment"],
    ["a text", 'a = "x', "the closing quote"],
    ["a heredoc", "a = <<E\nx", "the end of the heredoc"],
    ["an interpolation", 'a = "${', "`}`"],
    ["a list", "a = [1", "`,`"],
    ["a call", "a = f(1", "`,`"],
    ["an object", "a = {", "`=`"],
  ])("goes on with the next block after %s without an end", (_, open, expected) => {
    const text = `${open}\nvariable "x" {}\n`;
    expect(statements(text)).toEqual(['variable "x" {}']);
    expect(faults(text)[0]?.[1]).toBe(expected);
  });

  it.each([
    ["a = 1 2\nb = 3", "a line break"],
    ["= 1\nb = 3", "the name of an argument or block"],
    ["a\nb = 3", "`=` or `{`"],
    ["a = {b 1}\nb = 3", "`=`"],
    ["a = {b = 1 c = 2}\nb = 3", "a comma or a line break"],
    ["a = b.\nb = 3", "a name"],
    ["a = [for x of y : z]\nb = 3", "`in`"],
    ["a = 1 ? 2\nb = 3", "`:`"],
    ["}\nb = 3", "the name of an argument or block"],
    ["a = \0\nb = 3", "a value"],
  ])("reports the missing part of %j", (text, expected) => {
    expect(faults(text)).toEqual([[expect.any(String), expected]]);
    expect(statements(text)).toEqual(["b = 3"]);
  });

  it("is parsed whatever it contains, with nested nodes", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'a|=|1|"|${|}|{|[|]|(|)|\n|<<E|\nE\n|/*|*/|#|?|:|,|.|...|for|in|if|%{|%{ if |~}|$${|\\|-|!|resource "a" "b" {'.split(
          "|",
        ),
      ),
      anyCharacter,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const tree = parsed(pieces.join(""));
        for (let node = 0; node < tree.size; node++)
          for (const child of tree.children(node)) {
            expect(tree.start(child)).toBeGreaterThanOrEqual(tree.start(node));
            expect(tree.end(child)).toBeLessThanOrEqual(tree.end(node));
          }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a template of the JSON syntax", () => {
  it("is read without quotes and escapes", () => {
    expect(parseTemplate('a "${b["c"]}\n\\')?.kind(1)).toBe("interpolation");
  });

  it("is undefined when it is not valid", () => {
    expect(parseTemplate("${")).toBeUndefined();
    expect(parseTemplate("${[".repeat(500))).toBeUndefined();
  });
});

const SIZE = 640_000;
const full = (piece: string): string => piece.repeat(SIZE / piece.length);

describe("a hostile file", () => {
  it.each([
    ["comments that are not closed", full("/*\n")],
    ["comments in values that are not closed", full("a = /* x\n")],
    ["stars", `/*${full("*")}`],
    ["blocks with comments that are not closed", full("locals {\n/*\n")],
    ["blocks with heredocs that are not closed", full("locals {\na = <<E\n")],
    ["heredocs of one name", `${full("a = <<E\n${\n")}E\n`],
    ["heredoc names", `a = <<E\n${full("EE\n")}`],
    ["quotes", full('"')],
    ["interpolations in texts", full('"${')],
    ["interpolations", `a = "${full("${")}`],
    ["texts over lines", full('a = "${\n')],
    ["directives", `a = "${full("%{ if x }")}"`],
    ["escapes", `a = "${full("$$")}"`],
    ["assignments", full("a = a = ")],
    ["names", full("a ")],
    ["labels", `a ${full('"b" ')}`],
    ["closing brackets", full("}\n")],
    ["questions", full("? : ")],
    ["members", `a = b${full(".c")}`],
    ["sums", `a = 1${full(" + 1")}`],
    ["NUL", full("\0")],
    ["spaces", full(" ")],
    ["line breaks", full("\n")],
    ["unpaired surrogates", full("\ud800")],
    ["blocks that are not closed", full('resource "a" "b" {\n')],
  ])("of %s ends in linear time", (_, text) => {
    const spentMs = processorTime();
    parseHcl(text);
    // The slowest takes a tenth of this. Quadratic time would be minutes.
    expect(spentMs()).toBeLessThan(1_500);
  });

  it.each(["[", "(", "{a=", "f(", "a[", "a {\n", '"${', "1 ? ", "[for a in b : "])(
    "that nests %j deeper than 200 levels is refused",
    (piece) => {
      expect(parseHcl(`a = ${piece.repeat(100)}`)).not.toBe("nesting_too_deep");
      const deep = piece.startsWith("a {") ? piece.repeat(100_000) : `a = ${piece.repeat(100_000)}`;
      expect(parseHcl(deep)).toBe("nesting_too_deep");
    },
  );

  it("of 50,000 arguments is read", () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `a${index} = ${index}\n`).join("");
    expect(parsed(text).children(0)).toHaveLength(50_000);
  });

  it("of more values than a file may have is refused", () => {
    expect(parseHcl(`a = [${"1,".repeat(250_000)}]`)).toBe("too_many_values");
  });

  it("of more than 1,000 errors is refused", () => {
    expect(parsed("@\n".repeat(1_000)).faults).toHaveLength(1_000);
    expect(parseHcl("@\n".repeat(1_001))).toBe("parse_budget_exceeded");
  });
});
