/** The community's grammar and our parser read HCL alike (docs/decisions/0018). */
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { Language, type Node, Parser } from "web-tree-sitter";
import { parseHcl } from "#importers/hcl/syntax/parse-hcl.ts";
import type { SyntaxTree } from "#importers/hcl/syntax/syntax-tree.ts";

/** A statement as both see it: a block by its type, labels and statements, an argument by its name and value. */
type Statement =
  | { block: string; labels: string[]; statements: Statement[] }
  | { argument: string; value: string };

const { resolve } = createRequire(import.meta.url);
let judge: Parser;
const RUNS = 300;

beforeAll(async () => {
  await Parser.init();
  const grammar = resolve("@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm");
  judge = new Parser();
  judge.setLanguage(await Language.load(readFileSync(grammar)));
});

/** Undefined: the judge finds an error, as it does in deeply mixed texts that Terraform's own grammar allows. */
function judged(text: string): Statement[] | undefined {
  const tree = judge.parse(text);
  if (tree === null) throw new Error("The judge did not read the text");
  try {
    return tree.rootNode.hasError ? undefined : statementsOf(child(tree.rootNode, "body"));
  } finally {
    tree.delete();
  }
}

function child(node: Node | undefined, type: string): Node | undefined {
  return node?.namedChildren.find((one) => one?.type === type) ?? undefined;
}

function statementsOf(body: Node | undefined): Statement[] {
  return (body?.namedChildren ?? []).flatMap((one): Statement[] => {
    if (one?.type === "attribute") {
      const [name, value] = one.namedChildren.filter((part) => part?.type !== "comment");
      return [{ argument: name?.text ?? "", value: plain(value?.text ?? "") }];
    }
    if (one?.type !== "block") return [];
    const [type, ...rest] = one.namedChildren.filter((part) => part?.type !== "comment");
    const labels = rest.filter(
      (part) => part?.type === "identifier" || part?.type === "string_lit",
    );
    return [
      {
        block: type?.text ?? "",
        labels: labels.map((label) => label?.text ?? ""),
        statements: statementsOf(child(one, "body")),
      },
    ];
  });
}

function ours(text: string): Statement[] {
  const tree = parseHcl(text);
  if (typeof tree === "string") throw new Error(tree);
  expect(tree.faults, text).toEqual([]);
  return ownStatements(tree, 0);
}

function ownStatements(tree: SyntaxTree, body: number): Statement[] {
  return tree.children(body).map((one): Statement => {
    const [name = 0, ...rest] = tree.children(one);
    if (tree.kind(one) === "attribute")
      return { argument: tree.source(name), value: plain(tree.source(rest[0] ?? 0)) };
    const inside = rest.find((part) => tree.kind(part) === "body");
    return {
      block: tree.source(name),
      labels: rest.filter((part) => part !== inside).map((label) => tree.source(label)),
      statements: inside === undefined ? [] : ownStatements(tree, inside),
    };
  });
}

/** The ends of a value may differ only by spaces. */
function plain(value: string): string {
  return value.trim();
}

const name = fc.constantFrom("a", "vpc_id", "name-with-dash", "größe", "_x", "count", "for_each");
const plainText = fc
  .string({
    unit: fc.constantFrom("a", "B", " ", "$", "%", "{", "}", "#", "/", "*", "=", "é"),
    maxLength: 8,
  })
  .map((text) => text.replaceAll("${", "$$${").replaceAll("%{", "%%%{"));
const { value } = fc.letrec<{ value: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("1", "2.5", "true", "null", "var.a", "local.b.c", "aws_vpc.main[0].id"),
    plainText.map((text) => `"${text}"`),
    fc.tuple(plainText, tie("value")).map(([text, inner]) => `"${text} \${${inner}}"`),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(fc.tuple(name, tie("value")), { maxLength: 3 })
      .map((members) => `{\n${members.map(([key, of]) => `${key} = ${of}\n`).join("")}}`),
    fc.array(tie("value"), { maxLength: 3 }).map((args) => `merge(${args.join(", ")})`),
    tie("value").map((inner) => `(${inner})`),
    tie("value").map((list) => `[for x in ${list} : x.id if x != null]`),
    fc.constantFrom("aws_subnet.a[*].id", "data.aws_ami.x.id", "module.net.ids[var.i]"),
  ),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("term"),
    fc
      .tuple(tie("term"), fc.constantFrom("+", "-", "*", "==", "!=", "&&", "||", ">="), tie("term"))
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    fc
      .tuple(tie("term"), tie("term"), tie("term"))
      .map(([is, yes, no]) => `${is} ? ${yes} : ${no}`),
    tie("term").map((term) => `!${term}`),
  ),
}));
const comment = fc.constantFrom("", "# note\n", "// a = b {\n", "/* a\n { */\n", "\n\n");
const heredoc = fc.constantFrom(
  "<<EOT\nline ${var.a}\n  # no comment\nEOT",
  "<<-E\n  a\n    b\n  E",
);
const argument = fc
  .tuple(
    comment,
    name,
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: heredoc }),
  )
  .map(([before, key, of]) => `${before}${key} = ${of}\n`);
const label = fc.constantFrom('"main"', '"a-b"', "plain", '"x.y"');
const { body } = fc.letrec<{ body: string; block: string }>((tie) => ({
  block: fc
    .tuple(name, fc.array(label, { maxLength: 2 }), tie("body"))
    .map(([type, labels, inside]) => `${[type, ...labels].join(" ")} {\n${inside}}\n`),
  body: fc
    .array(fc.oneof({ weight: 3, arbitrary: argument }, { weight: 1, arbitrary: tie("block") }), {
      maxLength: 4,
    })
    .map((statements) => statements.join("")),
}));

describe("the community's grammar", () => {
  it("sees the same blocks, labels and arguments, and where each value ends", () => {
    let compared = 0;
    fc.assert(
      fc.property(body, fc.boolean(), (text, hasCarriageReturns) => {
        const written = hasCarriageReturns ? text.replaceAll("\n", "\r\n") : text;
        const judgement = judged(written);
        const own = ours(written);
        if (judgement === undefined) return;
        compared += 1;
        expect(own).toEqual(judgement);
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 3);
  });
});
