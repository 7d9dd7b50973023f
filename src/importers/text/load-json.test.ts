import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { loadJson } from "./load-json.ts";

function load(text: string) {
  const log = new ImportLog();
  const node = loadJson({ path: "a.json", text }, log);
  return { node, warnings: log.warnings(), reason: log.errorOf("a.json") };
}

it("reads values with their lines", () => {
  const { node, warnings } = load('\uFEFF{\n "a": [1, true,\n null],\n "b": {"c": "x"}\n}\n');
  expect(warnings).toEqual([]);
  expect(node).toEqual({
    kind: "map",
    line: 1,
    endLine: 5,
    members: new Map([
      [
        "a",
        {
          kind: "list",
          line: 2,
          endLine: 3,
          items: [
            { kind: "scalar", value: 1, line: 2, endLine: 2 },
            { kind: "scalar", value: true, line: 2, endLine: 2 },
            { kind: "scalar", value: null, line: 3, endLine: 3 },
          ],
        },
      ],
      [
        "b",
        {
          kind: "map",
          line: 4,
          endLine: 4,
          members: new Map([["c", { kind: "scalar", value: "x", line: 4, endLine: 4 }]]),
        },
      ],
    ]),
  });
});

it("keeps the text of a number that a double cannot hold", () => {
  const { node } = load("[12345678901234567890, 1e999, 7]");
  expect(node).toMatchObject({
    items: [{ value: "12345678901234567890" }, { value: "1e999" }, { value: 7 }],
  });
});

it("lets the last of two equal keys count, and warns", () => {
  const { node, warnings } = load('{"a": 1,\n"a": 2, "__proto__": 3}');
  expect(node?.kind === "map" && [...node.members].map(([name]) => name)).toEqual([
    "a",
    "__proto__",
  ]);
  expect(node?.kind === "map" && node.members.get("a")).toMatchObject({ value: 2 });
  expect(warnings).toMatchObject([{ code: "duplicate_key", line: 2 }]);
});

it("reports the place of a syntax error without quoting the file", () => {
  const { node, warnings, reason } = load('{"a": "canary",\n "b" "canary"}');
  expect(node).toBeUndefined();
  expect(reason).toBe("invalid_json");
  expect(warnings).toMatchObject([{ code: "invalid_json", line: 2, column: 6 }]);
  expect(JSON.stringify(warnings)).not.toContain("canary");
});

it.for([
  ["an empty file", "", "invalid_json"],
  ["a NUL", "{}\0", "invalid_json"],
  ["a comment that hides brackets", `/*"*/${"[".repeat(100_000)}`, "invalid_json"],
  ["deep brackets", "[".repeat(100_000), "nesting_too_deep"],
  ["deep valid brackets", "[".repeat(101) + "]".repeat(101), "nesting_too_deep"],
  ["too many values", `[${"1,".repeat(300_000)}1]`, "too_many_values"],
  ["a text of too many references", `["${"$A".repeat(250_000)}"]`, "too_many_values"],
  ["a text of too many calls", `["[${"a(),".repeat(130_000)}"]`, "too_many_values"],
])("refuses %s", ([, text, code]) => {
  const { node, reason } = load(text ?? "");
  expect(node).toBeUndefined();
  expect(reason).toBe(code);
});

it("reads 100 levels", () => {
  expect(load("[".repeat(100) + "]".repeat(100)).node).toBeDefined();
});

it("keeps the line of a name that differs from its value's", () => {
  const { node } = load('{\n"a":\n{}}');
  expect(node?.kind === "map" && node.members.get("a")).toMatchObject({ line: 3, nameLine: 2 });
});
