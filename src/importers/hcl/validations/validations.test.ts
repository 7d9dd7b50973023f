import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { drafted } from "#test/support/drafted.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { sharedPattern } from "./shared-pattern.ts";

/** The declaration of a variable with these conditions, and its gaps. */
async function declared(type: string, conditions: readonly string[], more = "") {
  const validations = conditions.map(
    (condition) =>
      `  validation {\n    condition = ${condition}\n    error_message = "Wrong."\n  }\n`,
  );
  const { config, lost } = await drafted({
    "main.tf":
      `variable "x" {\n  type = ${type}\n${more}${validations.join("")}}\n` +
      'resource "aws_sqs_queue" "q" {\n  name = jsonencode(var.x)\n}\n',
  });
  const { type: _, default: __, ...rules } = (config["x"] ?? {}) as JsonMap;
  return { rules, lost };
}

describe("a condition of a variable", () => {
  it.each<[type: string, condition: string, rules: JsonMap]>([
    ["string", 'contains(["a", "b"], var.x)', { enum: ["a", "b"] }],
    ["string", 'var.x == "a" || var.x == "b"', { enum: ["a", "b"] }],
    ["string", 'anytrue([var.x == "a", var.x == "b"])', { enum: ["a", "b"] }],
    ["string", '!contains(["a"], var.x)', { not: { enum: ["a"] } }],
    ["string", 'var.x != ""', { minLength: 1 }],
    ["string", 'trimspace(var.x) != ""', { pattern: "[^\\t\\n\\f\\r ]" }],
    ["string", "length(var.x) > 2", { minLength: 3 }],
    ["string", "length(var.x) >= 2 && length(var.x) < 9", { minLength: 2, maxLength: 8 }],
    ["string", "9 > length(var.x)", { maxLength: 8 }],
    ["string", "length(var.x) == 12", { minLength: 12, maxLength: 12 }],
    ["string", 'can(regex("^[a-z]+$", var.x))', { pattern: "^[a-z]+$" }],
    ["string", 'length(regexall("^a", var.x)) > 0', { pattern: "^a" }],
    ["string", 'var.x == "" || can(regex("^a.b", var.x))', { pattern: "(?:^$)|(?:^a[^\\n]b)" }],
    ["string", 'startswith(var.x, "a.b")', { pattern: "^a\\.b" }],
    ["string", 'endswith(var.x, ".zip")', { pattern: "\\.zip$" }],
    [
      "string",
      'can(regex("a", var.x)) && can(regex("b", var.x))',
      { pattern: "a", allOf: [{ pattern: "b" }] },
    ],
    ["string", '!can(regex("[^A-Za-z0-9. -]", var.x))', { pattern: "^[A-Za-z0-9. -]*$" }],
    ["string", '!can(regex("[a-c]", var.x))', { pattern: "^[^a-c]*$" }],
    [
      "string",
      'var.x == "" || (length(var.x) > 2 && can(regex("^a", var.x)))',
      {
        anyOf: [{ enum: [""] }, { minLength: 3 }],
        pattern: "(?:^$)|(?:^a)",
      },
    ],
    ["string", "var.x == null || length(var.x) > 2", { minLength: 3 }],
    ["string", "var.x == null ? true : length(var.x) > 2", { minLength: 3 }],
    ["number", "var.x >= 1 && var.x <= 10", { minimum: 1, maximum: 10 }],
    ["number", "var.x > -1 && 10 > var.x", { exclusiveMinimum: -1, exclusiveMaximum: 10 }],
    ["number", "contains([1, 2], var.x)", { enum: [1, 2] }],
    ["number", "floor(var.x) == var.x", { multipleOf: 1 }],
    ["number", "var.x == floor(var.x)", { multipleOf: 1 }],
    ["number", "var.x == 0 || var.x >= 10", { anyOf: [{ enum: [0] }, { minimum: 10 }] }],
    ["list(string)", "length(var.x) > 0", { minItems: 1 }],
    ["set(string)", "length(var.x) > 0", { minItems: 1 }],
    ["map(string)", "length(var.x) <= 5", { maxProperties: 5 }],
    [
      "list(string)",
      'alltrue([for i in var.x : contains(["a", "b"], i)])',
      { items: { enum: ["a", "b"] } },
    ],
    [
      "list(string)",
      'length(setsubtract(var.x, ["a", "b"])) == 0',
      { items: { enum: ["a", "b"] } },
    ],
    [
      "map(number)",
      "alltrue([for k, v in var.x : v > 0])",
      { additionalProperties: { exclusiveMinimum: 0 } },
    ],
  ])("of %s: %s", async (type, condition, rules) => {
    expect(await declared(type, [condition])).toEqual({ rules, lost: [] });
  });

  it.each([
    ["string", "lower(var.x) == var.x"],
    ["string", "can(cidrhost(var.x, 0))"],
    ["string", 'can(regex("(?i)^a", var.x))'],
    ["string", 'length(var.x) == 0 || can(regex("^a", var.x))'],
    ["string", '!can(regex("^a", var.x))'],
    ["string", "var.x == var.y"],
    ["string", "var.x > 3"],
    ["set(string)", "length(var.x) == 2"],
    ["list(string)", "alltrue([for i in var.x : i != var.y])"],
    ["list(string)", 'alltrue([for i in var.x : length(i) > 1 if i != ""])'],
    ["any", "length(var.x) > 1"],
  ])("of %s without a form is a gap at its line: %s", async (type, condition) => {
    expect(await declared(type, [condition])).toEqual({
      rules: {},
      lost: [["var.x", "validation", 4]],
    });
  });

  it.each([
    ["patterns that are too long together", "a".repeat(300), "b".repeat(300)],
    ["a text that is too long for a pattern", "a".repeat(600), "b"],
  ])("with %s is a gap", async (_, one, other) => {
    const condition = `startswith(var.x, "${one}") || startswith(var.x, "${other}")`;
    expect(await declared("string", [condition])).toEqual({
      rules: {},
      lost: [["var.x", "validation", 4]],
    });
  });

  it("is read in bounded time, however its alternatives are nested", async () => {
    const nested = (levels: number): string =>
      levels === 0
        ? 'var.x == "z"'
        : `(var.x != null ? ${nested(levels - 1)} : true) || (lower(var.x) == "a"${' && var.x == "b"'.repeat(9)})`;
    const taken = processorTime();
    expect((await declared("string", [nested(6)])).lost).toEqual([["var.x", "validation", 4]]);
    expect(taken()).toBeLessThan(500);
  });

  it("of a variable without a type is one of a text", async () => {
    const { config } = await drafted({
      "main.tf":
        'variable "x" {\n  validation {\n    condition = can(regex("^a", var.x))\n    error_message = "x"\n  }\n}\n' +
        'resource "aws_sqs_queue" "q" {\n  name = var.x\n}\n',
    });
    expect(config["x"]).toEqual({ type: "string", pattern: "^a" });
  });

  it("keeps the parts that have a form, of each block", async () => {
    const { rules, lost } = await declared("string", [
      "length(var.x) > 2 && can(cidrhost(var.x, 0))",
      'can(regex("^1", var.x))',
    ]);
    expect(rules).toEqual({ minLength: 3, pattern: "^1" });
    expect(lost).toEqual([["var.x", "validation", 4]]);
  });

  it("leaves null as an empty value where it permits null", async () => {
    const isNull = "  default = null\n";
    const made = await declared("string", ['var.x == null || can(regex("^a", var.x))'], isNull);
    expect(made).toEqual({ rules: { pattern: "(?:^$)|(?:^a)" }, lost: [] });
    const list = await declared("list(string)", ["var.x == null || length(var.x) > 1"], isNull);
    expect(list.rules).toEqual({ anyOf: [{ maxItems: 0 }, { minItems: 2 }] });
  });

  it("takes no default that it refuses", async () => {
    const { config } = await drafted({
      "main.tf":
        'variable "x" {\n  type = string\n  default = ""\n  validation {\n    condition = length(var.x) > 2\n    error_message = "x"\n  }\n}\n' +
        'resource "aws_sqs_queue" "q" {\n  name = var.x\n}\n',
    });
    expect(config["x"]).toEqual({ type: "string", minLength: 3 });
  });

  it("tells no value of a secret, and keeps its length", async () => {
    const word = "canary0f0f";
    const { config, lost, text } = await drafted({
      "main.tf":
        `variable "db_password" {\n  type = string\n  validation {\n    condition = length(var.db_password) > 7 && startswith(var.db_password, "${word}")\n    error_message = "x"\n  }\n}\n` +
        `variable "plain" {\n  type = string\n  default = "${word}"\n  validation {\n    condition = startswith(var.plain, "${word}") || lower(var.plain) != "${word}"\n    error_message = "x"\n  }\n}\n` +
        'resource "aws_db_instance" "d" {\n  password = var.db_password\n  tags = { a = var.plain }\n}\n' +
        'resource "aws_db_instance" "e" {\n  password = var.plain\n}\n',
    });
    expect(config["dbPassword"] ?? config["db_password"]).toEqual({
      type: "string",
      secret: true,
      minLength: 8,
    });
    expect(lost).toContainEqual(["var.db_password", "validation", 4]);
    expect(text).not.toContain(word);
  });
});

it.each([
  ["var.pin == 7351 || var.pin == 0", "var.pin == … || var.pin == …"],
  ["var.pin + 1 == 7352 || var.pin < -7351", "var.pin + … == … || var.pin < …"],
  ["contains([7351, 1], var.pin + 0)", "contains([…, …], var.pin + …)"],
  ["length(var.pin) == 4 || length(var.pin) == 6", "length(var.pin) == 4 || length(var.pin) == 6"],
])("a condition without a schema is shown without numbers: %s", async (condition, expected) => {
  const variable = (more: string) =>
    `variable "pin" {\n  ${more}\n  validation {\n    condition = ${condition}\n    error_message = "x"\n  }\n}\n`;
  const marked = await drafted({ "main.tf": variable("sensitive = true") });
  expect(marked.text).toContain(`the condition: ${expected}`);
  // Only its use makes it a secret.
  const used = 'resource "aws_db_instance" "d" {\n  password = var.pin\n}\n';
  const plain = await drafted({ "main.tf": variable("nullable = false") + used });
  expect(plain.text).toContain("secret: true");
  expect(marked.text + plain.text).not.toMatch(/735[12]/);
});

describe("a pattern of RE2", () => {
  it.each([
    ["^[a-z0-9-]{3,24}$", "^[a-z0-9-]{3,24}$"],
    ["\\A\\d+\\z", "^\\d+$"],
    ["[[:alnum:]_]+", "[0-9A-Za-z_]+"],
    ["^(?:a|b)(c)?$", "^(?:a|b)(c)?$"],
    ["\\_\\-x", "_-x"],
    ["a\\sb", "a[\\t\\n\\f\\r ]b"],
    ["[^/.]+\\.[\\w.-]+", "[^/.]+\\.[\\w.-]+"],
    ["[\\w-.]", "[\\w\\-.]"],
    ["^[ -~]+$", "^[ -~]+$"],
    ["[!-/:-@]", "[!-/:-@]"],
    ["[\\.-\\/+--]", "[\\.-\\/+--]"],
    ["[a-z-9]", "[a-z\\-9]"],
  ])("%s is %s in a schema", (pattern, shared) => {
    expect(sharedPattern(pattern)).toBe(shared);
  });

  it.each([
    "(?i)a",
    "(?P<n>a)",
    "\\pL",
    "\\Qa\\E",
    "[]a]",
    "a{,2}",
    "(a",
    "[[:punct:]]",
    "[a-\\d]",
    "[a--b]",
    "a**",
    "é",
  ])("is not shared: %s", (pattern) => {
    expect(sharedPattern(pattern)).toBeUndefined();
  });
});
