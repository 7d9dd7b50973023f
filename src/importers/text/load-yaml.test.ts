import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { MAX_READING, workOf } from "#importers/import-work.ts";
import { inTurns, partOf } from "#test/support/depth.ts";
import { type DataNode, lineOf, memberOf, nameIn } from "./data-node.ts";
import { loadYaml } from "./load-yaml.ts";

function load(text: string, dialect?: "cloudformation" | "kubernetes") {
  const log = new ImportLog();
  const nodes = loadYaml({ path: "a.yaml", text }, log, dialect);
  return { nodes, warnings: log.warnings(), reason: log.errorOf("a.yaml") };
}

it("reads documents with their lines, and leaves out empty ones", () => {
  const { nodes, warnings } = load("\uFEFFa: 1\nb:\n  - x\n  - y\n---\n# only this\n---\nc: ''\n");
  expect(warnings).toEqual([]);
  expect(nodes).toHaveLength(2);
  expect(nodes?.[0]).toMatchObject({ kind: "map", line: 1, endLine: 4 });
  expect(nodes?.[0] && lineOf(memberOf(nodes[0], "b") ?? nodes[0])).toBe(2);
  expect(memberOf(nodes?.[0], "b")).toMatchObject({ kind: "list", line: 3, endLine: 4 });
  expect(memberOf(nodes?.[1], "c")).toMatchObject({ value: "", line: 8 });
});

it("keeps tags as they are written", () => {
  const { nodes, warnings } = load(
    [
      "ref: !Ref Name",
      "att: !GetAtt a.b",
      "sub: !Sub ['${x}', { x: !Ref y }]",
      "base: { k: !!str 1 }",
      "on: yes",
    ].join("\n"),
  );
  expect(warnings).toEqual([]);
  const [root] = nodes ?? [];
  expect(memberOf(root, "ref")).toMatchObject({ value: "Name", tag: "!Ref" });
  expect(memberOf(root, "att")).toMatchObject({ value: "a.b", tag: "!GetAtt" });
  expect(memberOf(root, "sub")).toMatchObject({ kind: "list", tag: "!Sub" });
  expect(memberOf(memberOf(root, "base"), "k")).toEqual({
    kind: "scalar",
    value: "1",
    line: 4,
    endLine: 4,
  });
  expect(memberOf(root, "on")).toMatchObject({ value: "yes" });
});

it("reads YAML 1.1 as CloudFormation and Kubernetes do", () => {
  const values = (text: string, dialect?: "cloudformation" | "kubernetes") => {
    const [node] = load(text, dialect).nodes ?? [];
    return node?.kind === "list"
      ? node.items.map((item) => (item.kind === "scalar" ? item.value : item.kind))
      : [];
  };
  const text =
    "[yes, Off, 0755, 1_000, 0x1F, 22:30, 2012-10-17, ~, 'yes', 012345678901, 0.50, !!str on]";
  expect(values(text, "cloudformation")).toEqual([
    true,
    false,
    493,
    1000,
    31,
    "22:30",
    "2012-10-17",
    null,
    "yes",
    "012345678901",
    0.5,
    "on",
  ]);
  expect(values(text).slice(0, 4)).toEqual(["yes", "Off", "0755", "1_000"]);
  const { nodes } = load("Yes: No\n", "cloudformation");
  expect(nameIn(memberOf(nodes?.[0], "Yes"))).toBe("No");
});

/** The plain values of a node. */
function plain(node: DataNode | undefined): unknown {
  if (node?.kind === "map")
    return Object.fromEntries([...node.members].map(([name, value]) => [name, plain(value)]));
  if (node?.kind === "list") return node.items.map(plain);
  return node?.kind === "scalar" ? node.value : node && `*${node.name}`;
}

it("resolves aliases and merge keys, and a map's own members win", () => {
  const { nodes, warnings } = load(
    [
      "base: &base { a: 1, b: { c: 2 } }",
      "more: &more { b: 3, d: &word x }",
      "one:",
      "  b: 4",
      "  <<: *base",
      "two: { <<: [*more, *base], e: *word }",
      "same: *base",
      "list: [*word, *word]",
      '"<<": *word',
      "*word : 5",
      "text: '*base'",
      "---",
      "other: *base",
    ].join("\n"),
  );
  expect(plain(nodes?.[0])).toEqual({
    base: { a: 1, b: { c: 2 } },
    more: { b: 3, d: "x" },
    one: { b: 4, a: 1 },
    two: { b: 3, d: "x", a: 1, e: "x" },
    same: { a: 1, b: { c: 2 } },
    list: ["x", "x"],
    "<<": "x",
    x: 5,
    text: "*base",
  });
  expect(memberOf(nodes?.[0], "same")).toMatchObject({ line: 1, nameLine: 7 });
  expect(memberOf(nodes?.[0], "base")).not.toMatchObject({ nameLine: 7 });
  // An anchor belongs to its document.
  expect(plain(nodes?.[1])).toEqual({ other: "*base" });
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([["alias_without_anchor", 13]]);
});

it("takes the last anchor of a name, and none around its own alias", () => {
  const { nodes, warnings } = load("- &a 1\n- *a\n- &a 2\n- *a\n- &b { c: *b }\n- { <<: 1 }\n");
  expect(plain(nodes?.[0])).toEqual([1, 1, 2, 2, { c: "*b" }, {}]);
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([
    ["alias_without_anchor", 5],
    ["merge_not_read", 6],
  ]);
});

const bombs: readonly (readonly [what: string, text: string, left: number])[] = [
  [
    "lists of lists",
    Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"
        : `a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]`,
    ).join("\n"),
    20_000,
  ],
  [
    "merged maps",
    Array.from({ length: 40 }, (_, i) =>
      i === 0 ? "a0: &a0 { x: 1, y: 2 }" : `a${i}: &a${i} { <<: *a${i - 1}, l${i}: *a${i - 1} }`,
    ).join("\n"),
    20_000,
  ],
  ["a long text", `a: &a ${"x".repeat(64_000)}\nb: [${"*a, ".repeat(2_000)}]`, 20],
  [
    "levels",
    Array.from(
      { length: 3 },
      (_, i) => `a${i}: &a${i} ${"[".repeat(60)}${i === 0 ? "1" : `*a${i - 1}`}${"]".repeat(60)}`,
    ).join("\n"),
    1_000,
  ],
];

it.for(bombs)("bounds what the aliases of %s repeat, and reads the rest", ([, text, most]) => {
  const { nodes, warnings } = load(text);
  const values = JSON.stringify(plain(nodes?.[0])).split(/[[{,:]/).length;
  expect(nodes).toHaveLength(1);
  expect(values).toBeLessThan(most * 4 + 10_000);
  expect(warnings.map(({ code }) => code)).toEqual(["too_many_aliases"]);
});

it("reads numbers, keys and binaries as Kubernetes does", () => {
  const read = (text: string) => plain(load(text, "kubernetes").nodes?.[0]);
  expect(
    read(
      "[y, N, on, 0755, 0o17, 0b11, 0x1F, -0x1F, 1_000, 1e3, .5, 1., +1, 1__0, 09, 22:30, 2012-10-17, 1.2.3, 0x, '0755', !!str 0755, !!binary aGk=, ~, .inf, 12345678901234567890]",
    ),
  ).toEqual([
    true,
    false,
    true,
    493,
    15,
    3,
    31,
    -31,
    1000,
    1000,
    0.5,
    1,
    1,
    10,
    "09",
    "22:30",
    "2012-10-17",
    "1.2.3",
    "0x",
    "0755",
    "0755",
    "hi",
    null,
    ".inf",
    "12345678901234567890",
  ]);
  expect(read("yes: 1\n0755: 2\n1.0: 3\n1_0: 4\n'on': 5\n~: 6\n")).toEqual({
    true: 1,
    "493": 2,
    "1": 3,
    "10": 4,
    on: 5,
  });
});

it("reads documents with CRLF, marks inside block texts and ends", () => {
  const { nodes, warnings } = load(
    "# only\r\n---\r\na: |\r\n  ---\r\n  b: 1\r\n...\r\n---\r\n# none\r\n--- # two\r\nc: x\r\n",
    "kubernetes",
  );
  expect(warnings).toEqual([]);
  expect(nodes?.map(plain)).toEqual([{ a: "---\nb: 1\n" }, { c: "x" }]);
  expect(load("a:\n\tb: 1\n", "kubernetes").reason).toBe("invalid_yaml");
});

it("says that CloudFormation itself resolves no aliases", () => {
  const { warnings } = load("a: &a 1\nb: *a\nc: *a\n", "cloudformation");
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([["aliases_resolved", 2]]);
});

it("warns of a version that loses its last zero", () => {
  const { warnings } = load("[13.10, 1.0, 10, '13.10', 1.5, 0.50]");
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([
    ["number_loses_zero", 1],
    ["number_loses_zero", 1],
  ]);
});

it("quotes no value and no secret key in a warning", () => {
  const url = "postgres://shop:CANARYpw@db/shop";
  const { warnings } = load(`password: 90210.70\n"${url}": 1\n"${url}": 2\n`);
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([
    ["number_loses_zero", 1],
    ["duplicate_key", 3],
  ]);
  expect(JSON.stringify(warnings)).not.toMatch(/90210|CANARY/);
});

it("keeps the text of an id that a number would change", () => {
  const { nodes } = load("[012345678901, 12345678901234567890, 1.50, 0x1F, .inf]");
  expect(nodes?.[0]).toMatchObject({
    items: [
      { value: "012345678901" },
      { value: "12345678901234567890" },
      { value: 1.5 },
      { value: 31 },
      { value: ".inf" },
    ],
  });
});

it("warns of a duplicate key, and of a key that is not a plain value", () => {
  const { nodes, warnings } = load("a: 1\na: 2\n? [x]\n: y\n__proto__: 3\n");
  expect(memberOf(nodes?.[0], "a")).toMatchObject({ value: 2 });
  expect(memberOf(nodes?.[0], "__proto__")).toMatchObject({ value: 3 });
  expect(warnings).toMatchObject([
    { code: "duplicate_key", line: 2 },
    { code: "unsupported_key", line: 3 },
  ]);
});

it("reads the other documents when one is broken, and quotes nothing of it", () => {
  const { nodes, warnings, reason } = load("a: 1\n---\nb: [canary\nc: canary\n---\nd: 1\n");
  expect(nodes).toHaveLength(2);
  expect(reason).toBeUndefined();
  expect(warnings[0]).toMatchObject({ code: "invalid_yaml", line: 4 });
  expect(JSON.stringify(warnings)).not.toContain("canary");
});

it("fails when no document can be read", () => {
  const { nodes, warnings, reason } = load("a: 'x\nb: 1\n");
  expect(nodes).toBeUndefined();
  expect(reason).toBe("invalid_yaml");
  expect(warnings[0]).toMatchObject({ code: "invalid_yaml", line: 3, column: 1 });
});

it("finds nothing in an empty file", () => {
  expect(load("# nothing\n")).toMatchObject({ nodes: [], warnings: [] });
});

it.for([
  ["a NUL", "a: \0", "invalid_yaml"],
  ["100,000 open brackets", "[".repeat(100_000), "nesting_too_deep"],
  ["100,000 nested maps", "{a: ".repeat(100_000), "nesting_too_deep"],
  ["100,000 dashes", "- ".repeat(100_000), "nesting_too_deep"],
  ["100,000 question marks", "? ".repeat(100_000), "nesting_too_deep"],
  [
    "1,000 levels of indentation",
    Array.from({ length: 1_000 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""),
    "nesting_too_deep",
  ],
  ["too many documents", "a\n---\n".repeat(1_001), "too_many_documents"],
])("refuses %s", ([, text, code]) => {
  const { nodes, reason } = load(text ?? "");
  expect(nodes).toBeUndefined();
  expect(reason).toBe(code);
});

it("reads 100 levels", () => {
  expect(load("[".repeat(100) + "]".repeat(100)).nodes).toHaveLength(1);
});

it("assigns errors to the documents before, around and after them", () => {
  const { nodes, warnings } = load('a: 1\n]\n---\nb: 1\n---\nc: "\\q"\n---\nd: 1\n');
  expect(nodes?.map((node) => node.kind === "map" && [...node.members.keys()])).toEqual([
    ["b"],
    ["d"],
  ]);
  expect(warnings.map(({ line }) => line)).toEqual([2, 6]);
});

it("ignores tags and document ends without meaning", () => {
  expect(load("...\na: !Custom { b: !Other 1 }\n...\n")).toMatchObject({
    nodes: [{ kind: "map" }],
    warnings: [],
  });
});

it("stops reading a file at its hundredth error", () => {
  // An Error object for each fault would take many seconds.
  const { reason, warnings } = load(`"${"\\q".repeat(500_000)}"`);
  expect(reason).toBe("invalid_yaml");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toContain("over 100 syntax errors");
});

const long: readonly (readonly [what: string, text: string])[] = [
  ["half a million comments", "#\n".repeat(500_000)],
  ["empty lines before comments", `a: |9\n${"\n".repeat(300_000)}${" #c\n".repeat(100_000)}`],
];

it.for(partOf(long, long.length))("refuses to spend minutes on %s", ([, text]) => {
  const { nodes, reason } = load(text);
  expect(nodes).toBeUndefined();
  expect(reason).toBe("parse_budget_exceeded");
});

const large: readonly (readonly [where: string, text: string])[] = [
  ["in lists", "-\n".repeat(100_001)],
  ["as names", "a:\n".repeat(100_001)],
  ["in brackets", `[${"1,".repeat(100_001)}]`],
];

it.for(partOf(large, large.length))(
  "refuses a document of too many values %s, before it takes their memory",
  ([, text]) => {
    expect(load(text).reason).toBe("too_many_values");
  },
);

// As slow as all refusals together.
it.runIf(inTurns(2)())("counts the values of each document on its own", () => {
  const { nodes } = load(`[${"1,".repeat(60_000)}]\n---\n[${"1,".repeat(60_000)}]\n`);
  expect(nodes).toHaveLength(2);
});

it("counts the references of a text as values", () => {
  const texts = (length: number) => load(`- "${"$A".repeat(length)}"\n`).reason;
  expect(texts(124_990)).toBeUndefined();
  expect(texts(125_000)).toBe("too_many_values");
});

it("pays for each document, also for an empty one", () => {
  const spent = (text: string) => {
    const log = new ImportLog();
    loadYaml({ path: "a.yaml", text }, log);
    return MAX_READING - workOf(log).readable;
  };
  // A document of nothing takes the time of six lexemes.
  const perDocument = spent("---\n".repeat(900)) / 900;
  expect(perDocument).toBeGreaterThan(5);
  expect(perDocument).toBeLessThan(12);
});

it("lets the files of an import share its work", () => {
  const log = new ImportLog();
  workOf(log).spendReading(MAX_READING - 12_000);
  const text = "- a\n".repeat(1_000);
  const read = Array.from({ length: 12 }, (_, i) => loadYaml({ path: `${i}.yaml`, text }, log));
  expect(read[0]).toHaveLength(1);
  expect(read.at(-1)).toBeUndefined();
  expect(log.errorOf("11.yaml")).toBe("parse_budget_exceeded");
});
