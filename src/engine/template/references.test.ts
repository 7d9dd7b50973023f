import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatReference, parsePlainText, parseText } from "./references.ts";
import { Report } from "./report.ts";
import { formulasOf } from "./string-parts.ts";
import type { Expression } from "./template.ts";

const place = { path: "/outputs/a", line: 3, column: 6 };

function parse(text: string): { expression: Expression; report: Report } {
  const report = new Report();
  return {
    expression: parseText(text, place, (offset) => ({ line: 3, column: 6 + offset }), report),
    report,
  };
}

it.for<[string, string, (string | number)[]]>([
  ["${net}", "net", []],
  ["${net.id}", "net", ["id"]],
  ["${db.hosts[0].name}", "db", ["hosts", 0, "name"]],
  ['${db["a.b"]}', "db", ["a.b"]],
  ['${db["say \\"hi\\" }"].x}', "db", ['say "hi" }', "x"]],
  ["${a-b_c.d-e}", "a-b_c", ["d-e"]],
  ["${__proto__.constructor}", "__proto__", ["constructor"]],
])("parses %s as one reference", ([text, root, path]) => {
  expect(parse(text).expression).toMatchObject({ kind: "reference", reference: { root, path } });
});

it("keeps literal text around references, in order", () => {
  const { expression } = parse("http://${a.host}:${port}/x");
  expect(expression).toMatchObject({
    kind: "interpolation",
    parts: ["http://", { root: "a", path: ["host"] }, ":", { root: "port" }, "/x"],
  });
});

it("gives each reference its own column", () => {
  const { expression } = parse("ab ${c} ${d}");
  expect(expression).toMatchObject({
    parts: ["ab ", { place: { line: 3, column: 9 } }, " ", { place: { line: 3, column: 14 } }],
  });
});

it.for([
  ["$${a}", "${a}"],
  ["pa$$word", "pa$$word"],
  ["$", "$"],
  ["$a {b}", "$a {b}"],
  ["cost: 5$", "cost: 5$"],
  ["$$${a}", "$${a}"],
  ["", ""],
])("parses %s as the literal %s", ([text, value]) => {
  const { expression, report } = parse(text ?? "");
  expect(report.diagnostics).toEqual([]);
  expect(expression).toMatchObject({ kind: "literal", value });
});

it.for([
  ["x ${a", "expression_not_closed", 11],
  ["${", "malformed_expression", 8],
  ["${a[", "malformed_expression", 10],
  ['${a["}', "unterminated_text", 10],
  ["${a.b", "expression_not_closed", 11],
] as const)("reports that %s is not closed", ([text, code, column]) => {
  expect(parse(text).report.diagnostics).toMatchObject([{ code, column }]);
});

it.for([
  "${ a.b }",
  "${a[x]}",
  "${a[-1]}",
  "${a['b']}",
  "${1}",
  "x ${a + 1} y",
  "${has(a.b) ? a.b : {}}",
])("parses %s as a formula", (text) => {
  const { expression, report } = parse(text);
  expect(report.diagnostics).toEqual([]);
  expect(formulasOf(expression)).toHaveLength(1);
});

it.for(["${}", "${1a}", "${a.}", "${a b}", "${a..b}"])("reports that %s is malformed", (text) => {
  const { diagnostics } = parse(text).report;
  expect(diagnostics).toMatchObject([{ code: "malformed_expression" }]);
});

it("reports every malformed expression of a string", () => {
  expect(parse("${1 +} ${a} ${2 +}").report.diagnostics).toHaveLength(2);
});

it("rejects references in plain text and unescapes it", () => {
  const report = new Report();
  expect(parsePlainText("$${a}", place, report)).toBe("${a}");
  expect(report.failed).toBe(false);
  parsePlainText("x${a}", place, report);
  expect(report.diagnostics).toMatchObject([{ code: "reference_not_allowed" }]);
});

it("formats a reference as it was written", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(1000), fc.string({ minLength: 1, maxLength: 5, unit: "grapheme" }))),
      (path) => {
        const { expression } = parse(formatReference("root", path));
        expect(expression).toMatchObject({ kind: "reference", reference: { root: "root", path } });
      },
    ),
  );
});

it("parses ten thousand references in linear time", () => {
  const { expression } = parse("${a.b} $ $${ ".repeat(15_000));
  expect(expression.kind === "interpolation" && expression.parts).toHaveLength(30_000);
});

it("never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('$${}[]".\\ab0 -')) }), (text) => {
      expect(parse(text).expression).toHaveProperty("kind");
    }),
  );
});
