import { describe, expect, it } from "vitest";
import type { Expression } from "#importers/expression.ts";
import { readExpression } from "./read-expression.ts";
import { parseHcl } from "./syntax/parse-hcl.ts";

/** The first argument of a text, in a short form. */
function read(text: string): unknown {
  return short(expressionIn(`a = ${text}\n`));
}

function expressionIn(text: string): Expression {
  const tree = parseHcl(text);
  if (typeof tree === "string") throw new Error(tree);
  expect(tree.faults).toEqual([]);
  const node = tree.children(1)[1];
  if (node === undefined) throw new Error("no expression");
  return readExpression({ tree, lineAt: (at) => text.slice(0, at).split("\n").length }, node);
}

function short(expression: Expression): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "list":
      return expression.items.map(short);
    case "object":
      return Object.fromEntries(expression.members.map(({ name, value }) => [name, short(value)]));
    case "text":
      return { text: expression.parts.map(short) };
    case "reference": {
      const { target, path } = expression;
      const to = "address" in target ? target.address : target.name;
      return { [target.kind]: [to, ...path].join(" ") };
    }
    case "call":
      return { [`${expression.name}()`]: expression.args.map(short) };
    case "for": {
      const { names, of, key, value, condition, isGrouped } = expression;
      const keyed = key === undefined ? {} : { key: short(key) };
      const kept = condition === undefined ? {} : { if: short(condition) };
      const many = isGrouped ? { isGrouped } : {};
      return {
        for: names.join(" "),
        in: short(of),
        ...keyed,
        value: short(value),
        ...kept,
        ...many,
      };
    }
    case "opaque":
      return { opaque: expression.text, uses: expression.references.map(short) };
  }
}

describe("an expression of HCL", () => {
  it.each([
    ["1", 1],
    ["-2.5", -2.5],
    ["1e3", 1000],
    ["12345678901234567890", "12345678901234567890"],
    ["true", true],
    ["null", null],
    ['"x"', "x"],
    ["[1, [2], ]", [1, [2]]],
    ["[]", []],
    ["(\n1\n)", 1],
    ['{ a = 1, "b c" : 2\n 3 = true\n}', { a: 1, "b c": 2, 3: true }],
    ["{ a = 1, a = 2 }", { a: 2 }],
  ])("is the value %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    [String.raw`"a\n\t\"\\\u00e9\U0001F600"`, 'a\n\t"\\é😀'],
    ['"$${x} %%{y} $x 100%"', "${x} %{y} $x 100%"],
    ['"  spaces  "', "  spaces  "],
    [String.raw`"\q"`, String.raw`\q`],
    [String.raw`"\UFFFFFFFF"`, "\uFFFD"],
  ])("is the unescaped text of %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ["aws_vpc.main.id", { resource: "aws_vpc.main id" }],
    ["aws_vpc.main", { resource: "aws_vpc.main" }],
    ["aws_vpc.main[0].id", { resource: "aws_vpc.main 0 id" }],
    ['aws_vpc.main["a-b"].id', { resource: "aws_vpc.main a-b id" }],
    ["aws_vpc.main.0.id", { resource: "aws_vpc.main 0 id" }],
    ["data.aws_ami.x.id", { resource: "data.aws_ami.x id" }],
    ["var.x.y", { variable: "x y" }],
    ["local.x", { local: "x" }],
    ["module.x.out", { module: "x out" }],
    ['"${var.x}"', { variable: "x" }],
    ["(var.x)", { variable: "x" }],
  ])("is the reference in %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("is a text of parts where it has interpolations", () => {
    expect(read('" a-${var.x} b ${ 1 }"')).toEqual({ text: [" a-", { variable: "x" }, " b 1"] });
  });

  it("is a call of a function, of a provider's too", () => {
    expect(read('merge({ a = 1 }, provider::aws::f("x"),)')).toEqual({
      "merge()": [{ a: 1 }, { "provider::aws::f()": ["x"] }],
    });
  });

  it.each([
    ["1 + 2 * 3 - 4", { "-()": [{ "+()": [1, { "*()": [2, 3] }] }, 4] }],
    ["(1 + 2) * 3", { "*()": [{ "+()": [1, 2] }, 3] }],
    ["1 - -2", { "-()": [1, -2] }],
    ["8 / 4 % 3", { "%()": [{ "/()": [8, 4] }, 3] }],
    ["-12345678901234567890", "-12345678901234567890"],
    ["-var.a", { "-()": [{ variable: "a" }] }],
    ["!!var.a", { "!()": [{ "!()": [{ variable: "a" }] }] }],
    ["1 < 2 == 3 >= 4", { "==()": [{ "<()": [1, 2] }, { ">=()": [3, 4] }] }],
    [
      "var.a || !var.b && 1 != 2",
      {
        "||()": [
          { variable: "a" },
          { "&&()": [{ "!()": [{ variable: "b" }] }, { "!=()": [1, 2] }] },
        ],
      },
    ],
    [
      "var.a == null ? 1 : var.b ? 2 : 3",
      { "?:()": [{ "==()": [{ variable: "a" }, null] }, 1, { "?:()": [{ variable: "b" }, 2, 3] }] },
    ],
    ["1 + path.module", { "+()": [1, { opaque: "path.module", uses: [] }] }],
  ])("is a call for each operator in %s, in the order of their ranks", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ["aws_x.b[*].id", { "[*]()": [{ resource: "aws_x.b" }, "id"] }],
    ["aws_x.b.*.id", { "[*]()": [{ resource: "aws_x.b" }, "id"] }],
    ["aws_x.b[*].c[0].id", { "[*]()": [{ resource: "aws_x.b" }, "c", 0, "id"] }],
    ["aws_x.b.*.id[0]", { "[]()": [{ "[*]()": [{ resource: "aws_x.b" }, "id"] }, 0] }],
    ["aws_x.b[each.key].id", { "[]()": [{ resource: "aws_x.b" }, { each: "key" }, "id"] }],
    [
      "var.a.b[count.index + 1]",
      { "[]()": [{ variable: "a b" }, { "+()": [{ count: "index" }, 1] }] },
    ],
    ["f(var.a).b[0]", { "[]()": [{ "f()": [{ variable: "a" }] }, "b", 0] }],
    ["f(1)[*].id", { "[*]()": [{ "f()": [1] }, "id"] }],
    ["(var.a).b", { "[]()": [{ variable: "a" }, "b"] }],
    ["[1, 2][var.a]", { "[]()": [[1, 2], { variable: "a" }] }],
    ["each.key", { each: "key" }],
    ["each.value.a[0]", { each: "value a 0" }],
    ["count.index", { count: "index" }],
  ])("reads a computed part with %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ["f(1, var.a...)", { "f()": [1, { "...()": [{ variable: "a" }] }] }],
    [
      "[for s in var.s : s.id if s.on]",
      { for: "s", in: { variable: "s" }, value: { item: "s id" }, if: { item: "s on" } },
    ],
    [
      "{ for k, v in local.a : k => v[0].b... if k != var.k }",
      {
        for: "k v",
        in: { local: "a" },
        key: { item: "k" },
        value: { item: "v 0 b" },
        if: { "!=()": [{ item: "k" }, { variable: "k" }] },
        isGrouped: true,
      },
    ],
    [
      "[for v in v.all : [for var in v : [v, var.a]]]",
      {
        for: "v",
        in: { resource: "v.all" },
        value: { for: "var", in: { item: "v" }, value: [{ item: "v" }, { item: "var a" }] },
      },
    ],
    [
      "[for each in local.a : each.value[*].id][0]",
      {
        "[]()": [
          {
            for: "each",
            in: { local: "a" },
            value: { "[*]()": [{ item: "each value" }, "id"] },
          },
          0,
        ],
      },
    ],
  ])("reads %s with the names of its items", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    [
      '"%{ if var.a }x%{ else }${var.b}%{ endif }"',
      { text: [{ "?:()": [{ variable: "a" }, "x", { text: [{ variable: "b" }] }] }] },
    ],
    [
      '"%{ for x in var.a ~}  ${x.id}%{ endfor }"',
      {
        text: [
          {
            "join()": [
              "",
              { for: "x", in: { variable: "a" }, value: { text: [{ item: "x id" }] } },
            ],
          },
        ],
      },
    ],
    ['"a ${~ var.a ~} b"', { text: ["a", { variable: "a" }, "b"] }],
  ])("reads %s as a template", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each(["[for s in var.a : s => 1]", "{ for s in var.a : s }"])("is a fault as %s", (text) => {
    expect(parseHcl(`a = ${text}\n`)).toMatchObject({ faults: [{}] });
  });

  it.each([
    ["{ (var.a) = 1 }", [{ variable: "a" }]],
    ['"%{ if var.a }x%{ endfor }"', [{ variable: "a" }]],
    ['"%{ for x in var.a }x"', [{ variable: "a" }]],
    ['"x%{ endif }"', []],
    ["each.other", []],
    ["count", []],
    ["each[var.a]", [{ variable: "a" }]],
    ["aws_x.b[*].c[*].id", [{ resource: "aws_x.b" }]],
    ["path.module", []],
    ["self.id", []],
    ["terraform.workspace", []],
    ["string", []],
  ])("keeps %s as text, with its references", (text, uses) => {
    expect(read(text)).toEqual({ opaque: text, uses });
  });

  it("lists a reference once, however often an opaque text contains it", () => {
    const text = "{ (var.a) = var.a }";
    expect(read(text)).toEqual({ opaque: text, uses: [{ variable: "a" }] });
  });

  it("keeps at most 4,096 characters of an opaque text", () => {
    const { opaque } = read(`1${" + 1".repeat(5_000)}`) as { opaque: string };
    expect(opaque).toHaveLength(4_096);
  });

  it.each([`1${" + var.a".repeat(61)}`, `${"!".repeat(61)}var.a`, `var.a${"[var.a]".repeat(51)}`])(
    "is opaque where it has too many operators or steps",
    (text) => {
      expect(read(text)).toEqual({ opaque: text, uses: [{ variable: "a" }] });
    },
  );

  it("is opaque below 60 levels, with its references", () => {
    const deep = JSON.stringify(read(`${"[".repeat(100)}var.a${"]".repeat(100)}`));
    expect(deep).toContain('"uses":[{"variable":"a"}]');
    expect(deep.split('"opaque"')).toHaveLength(2);
  });

  it("has the line of each reference and member", () => {
    expect(expressionIn("a = {\n  b = 1\n  c = var.x\n}\n")).toMatchObject({
      members: [
        { name: "b", line: 2 },
        { name: "c", line: 3, value: { kind: "reference", line: 3 } },
      ],
    });
  });

  it("may have members named like those of every object", () => {
    expect(expressionIn("a = { __proto__ = 1, constructor = 2 }\n")).toMatchObject({
      members: [{ name: "__proto__" }, { name: "constructor" }],
    });
  });
});

describe("a heredoc", () => {
  it("is the text of its lines", () => {
    expect(read('<<EOT\n  a "b" \\n\n$${x}\nEOT')).toBe('  a "b" \\n\n${x}\n');
  });

  it("goes on after lines that only start with its name", () => {
    expect(read("<<E\nEX\nE x\nE")).toBe("EX\nE x\n");
  });

  it("has interpolations", () => {
    expect(read("<<E\na ${var.x}\nE")).toEqual({ text: ["a ", { variable: "x" }, "\n"] });
  });

  it("loses the indent of its lines after `<<-`", () => {
    expect(read("<<-E\n    a\n\n      b\n    ${var.x}\n  E")).toEqual({
      text: ["a\n\n  b\n", { variable: "x" }, "\n"],
    });
  });

  it("keeps the indent where a line starts with an interpolation", () => {
    expect(read("<<-E\n  a\n${var.x}\nE")).toEqual({ text: ["  a\n", { variable: "x" }, "\n"] });
  });

  it("may have more lines than a call takes arguments", () => {
    expect(read(`<<E\n${"\n".repeat(500_000)}E`)).toHaveLength(500_000);
  });

  it("may be empty, end at the end of the file, and have carriage returns", () => {
    expect(read("<<E\nE")).toBe("");
    expect(read("<<E\r\na\r\nE\r")).toBe("a\r\n");
  });
});

describe("directives inside each other", () => {
  const nested = (levels: number) =>
    `"${"%{ if var.a }".repeat(levels)}x${"%{ endif }".repeat(levels)}"`;

  it("are levels of the expression", () => {
    const inner = { text: [{ "?:()": [{ variable: "a" }, "x", ""] }] };
    expect(read(nested(2))).toEqual({ text: [{ "?:()": [{ variable: "a" }, inner, ""] }] });
  });

  it.each([100, 30_000])("are kept as text where there are %i levels", (levels) => {
    expect(expressionIn(`a = ${nested(levels)}\n`)).toMatchObject({ kind: "opaque" });
  });

  it("are no levels beside each other", () => {
    expect(read(`"${"%{ if var.a }%{ else }%{ endif }".repeat(200)}"`)).toHaveProperty(
      "text.length",
      200,
    );
  });
});
