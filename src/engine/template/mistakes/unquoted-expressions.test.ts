import { expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { describeTemplate } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { cutByColon, cutByQuote, endsInExpression } from "./unquoted-expressions.ts";

const short = ({ severity, code, line, column, message, hint }: Diagnostic) =>
  `${severity} ${code} ${line}:${column} ${message}${hint === undefined ? "" : ` ${hint}`}`;
const findings = (source: string) => describeTemplate(source, catalogue()).diagnostics.map(short);

const quote = "Quote the whole text: `'${…}'`.";
const colon = `A text without quotes ends at this \`: \`, which is inside \`\${…}\`. ${quote}`;
const comment = `A text without quotes was cut at this \` #\`, which is inside \`\${…}\` and begins a comment. ${quote}`;
const head = "config: { a: { type: boolean }, b: { type: string } }\noutputs:\n";

it.for<[string, string]>([
  ["  o: ${a ? b : b}\n", `error yaml_syntax 4:14 ${colon}`],
  ["  o: web ${a ? b : b}\n  p: ${b}\n", `error yaml_syntax 4:18 ${colon}`],
  ['  o: ${a ? "x" : b}\n', `error yaml_syntax 4:16 ${colon}`],
  ['  "o": ${a ? b : b}\n', `error yaml_syntax 4:16 ${colon}`],
  ["  o:\n    - ${a ? b : b}\n", `error yaml_syntax 5:15 ${colon}`],
  ["  o:\n    ${a ? b : b}\n", `error yaml_syntax 5:13 ${colon}`],
  ['  o: ${a && b == "x #y"}\n', `error yaml_syntax 4:21 ${comment}`],
  ['  o: [1]\n  p: ${a && b == "x" } or ${b #}\n', `error yaml_syntax 5:31 ${comment}`],
])("asks for quotes around %j, and reports nothing else", ([output, finding]) => {
  expect(findings(`${head}${output}`.replace("outputs:\n", "outputs:\n  q: '${a}${b}'\n"))).toEqual(
    [finding],
  );
});

const double =
  'A text in double quotes ends at this `"`, which is inside `${…}`. Use single quotes around the whole text, as in `\'${a == "b"}\'`, or write `\\"` inside.';
const single =
  "A text in single quotes ends at this `'`, which is inside `${…}`. Use double quotes around the whole text, as in `\"${a == 'b'}\"`, or write `''` inside.";

it.for<[string, ...string[]]>([
  ['  o: "${b == "x"}"\n', `error yaml_syntax 4:14 ${double}`],
  ['  o: "${b == "x" ? a : b}"\n', `error yaml_syntax 4:14 ${double}`],
  ['  o: "web ${b["x"]} b"\n', `error yaml_syntax 4:15 ${double}`],
  ['  o: { p: "${b == "x"}", r: 1 }\n', `error yaml_syntax 4:19 ${double}`],
  ['  o: ["${a}", "${b == ""}"]\n', `error yaml_syntax 4:23 ${double}`],
  ["  o:\n    - '${b == 'x'}'\n", `error yaml_syntax 5:15 ${single}`],
  [
    '  o: "${b == "x"}"\n  p: "${b == "y"}"\n',
    `error yaml_syntax 4:14 ${double}`,
    `error yaml_syntax 5:14 ${double}`,
  ],
])("asks for other quotes around %j, and reports nothing else", ([output, ...expected]) => {
  expect(findings(`${head}${output}`.replace("outputs:\n", "outputs:\n  q: '${a}${b}'\n"))).toEqual(
    expected,
  );
});

it.for(['  o: "${a}" "${b}"\n', '  o: "${b}" x "y"\n', "  o: '${b == \"x\"}' y\n"])(
  "does not blame the quotes of %j",
  (output) => {
    const [finding, ...more] = findings(`${head}${output}`);
    expect(finding).toMatch(/^error yaml_syntax 3:/);
    expect([finding, ...more].join()).not.toContain("quotes ends at");
  },
);

it.for([
  "  o: '${a ? b : b}'\n",
  '  o: "${a ? b : b} #"\n',
  "  o: |\n    ${a ? b : b} #\n",
  "  o: ${a ? b:b} # ${ in a comment: of the line\n",
  "  o: ${a} # a comment\n",
  "  o: ${a}#b\n",
  "  o: $${a # a comment\n",
])("finds nothing in %j", (output) => {
  expect(findings(`${head}  q: '\${a}\${b}'\n${output}`)).toEqual([]);
});

it("reports the cut text of a condition once", () => {
  const source = `${head}  q: '\${a}\${b}'\nresources:\n  net:\n    type: mock:Network\n    when: \${b == "#1 #2"}\n    properties: { name: n }\n`;
  expect(findings(source)).toEqual([`error yaml_syntax 7:22 ${comment}`]);
});

it.for([
  `outputs: { o: ${"a: ".repeat(20_000)}\n  p: ${"a: ".repeat(20_000)}`,
  `a: "\${b}" ${'"a" '.repeat(10_000)}`,
])("answers a long line with many errors in time", (line) => {
  const spentMs = processorTime();
  expect(findings(line).length).toBeGreaterThan(0);
  expect(spentMs()).toBeLessThan(5_000);
});

it("tells the end of an expression from braces in it and in quotes", () => {
  for (const text of ["${a", '${a == "}', "${ {'a': 1}", "a ${b} ${c", '${"\\"}'])
    expect([text, endsInExpression(text)]).toEqual([text, true]);
  for (const text of ["", "$${a", "${a}", '${a == "}"} b', "${ {'a': 1}['a'] }", "a{b"])
    expect([text, endsInExpression(text)]).toEqual([text, false]);
  expect(cutByColon("a: ${b ? {'c': d}: e}")).toBe(13);
  expect(cutByColon("a: { b: ${c ? d : e} }")).toBe(undefined);
  expect(cutByColon("${b ? c : d}: e")).toBe(8);
  expect(cutByColon("a b: ${b ? c : d}")).toBe(13);
  expect(cutByColon("a: ${b}: c")).toBe(undefined);
  expect(cutByQuote('a: "${b == "x"}"')).toEqual({ offset: 11, quote: '"' });
  expect(cutByQuote("- '${b == 'x'}'")).toEqual({ offset: 10, quote: "'" });
  for (const line of [
    "a: '${b == \"x\"}'",
    'a: "${b == \\"x\\"}"',
    "a: '${b == ''x''}'",
    'a: ${b == "x"}',
  ])
    expect([line, cutByQuote(line)]).toEqual([line, undefined]);
});
