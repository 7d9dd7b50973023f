import { describe, expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { partOf } from "#test/support/depth.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const rule: ValueShape = {
  type: "object",
  object: {
    properties: {
      Port: { type: "integer" },
      Cidrs: { type: "array", items: text },
      Color: text,
      Tags: { type: "array", items: { type: "object", object: { properties: { Key: text } } } },
    },
  },
};
const types = {
  "aws:AWS::Fake::Box": knownType(
    {
      properties: {
        Name: text,
        Password: text,
        Boxes: { type: "array", items: text },
        Labels: { type: "object", items: text },
        Rules: { type: "array", items: rule },
        Lid: { type: "object", object: { properties: { Color: text, Port: { type: "integer" } } } },
        Environment: {
          type: "array",
          items: { type: "object", object: { properties: { Name: text, Value: text } } },
        },
      },
    },
    { outputs: ["Arn"] },
  ),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: {
    fake_box: {
      type: "aws:AWS::Fake::Box",
      properties: { rule: { to: "Rules" }, spread: { to: "Rules", each: { cidrs: "Color" } } },
    },
  },
};

/** The properties of the only box `a`, with the gaps and the values that the draft asks for. */
async function drafted(settings: string, more = "", files: Readonly<Record<string, string>> = {}) {
  const main = `resource "fake_box" "a" {\n${settings}\n}\n${more}`;
  const read = await draftOfTable(table, types, { "main.tf": main, ...files });
  return { ...read, properties: read.resources["boxA"]?.properties ?? {} };
}

describe("a `for` in a setting", () => {
  const boxes = `
    resource "fake_box" "n" { count = 2 }
    resource "fake_box" "k" { for_each = toset(["y", "x"]) }
    variable "open" { default = ["o"] }
    locals { all = { b = fake_box.k["x"].arn, a = "lit" } }`;

  it.each([
    ["boxes = [for s in fake_box.n : s.arn]", { Boxes: ["${boxN1.Arn}", "${boxN2.Arn}"] }],
    ['boxes = [for k, s in fake_box.k : s.arn if k != "x"]', { Boxes: ["${boxKY.Arn}"] }],
    ["boxes = [for k, v in local.all : v]", { Boxes: ["lit", "${boxKX.Arn}"] }],
    [
      'boxes = [for s in fake_box.n[*].arn : "<${s}>"]',
      { Boxes: ["<${boxN1.Arn}>", "<${boxN2.Arn}>"] },
    ],
    [
      'boxes = flatten([for l in [["p"], fake_box.n] : [for s in l : try(s.arn, s)]])',
      { Boxes: ["p", "${boxN1.Arn}", "${boxN2.Arn}"] },
    ],
    ['boxes = concat(["c"], [for s in fake_box.n : s.arn]...)', undefined],
    [
      'boxes = concat([["c"], fake_box.n[*].arn]...)',
      { Boxes: ["c", "${boxN1.Arn}", "${boxN2.Arn}"] },
    ],
    [
      "labels = { for k, s in fake_box.k : upper(k) => s.arn }",
      { Labels: { X: "${boxKX.Arn}", Y: "${boxKY.Arn}" } },
    ],
    ['labels = { for s in [var.open[0]] : "n" => s }', { Labels: { n: "${open[0]}" } }],
    [
      'name = join("-", [for s in fake_box.n : s.arn])',
      { Name: { "fn::join": ["-", ["${boxN1.Arn}", "${boxN2.Arn}"]] } },
    ],
    ['name = { for k, v in { z = "a", y = "b" } : v => k }["b"]', { Name: "y" }],
    [
      "labels = { for s in fake_box.n : s.arn => 1 }",
      { Labels: "${[boxN1, boxN2].transformMapEntry(key, s, {s.Arn: 1})}" },
    ],
    ["boxes = [for s in var.open : s]", { Boxes: "${open.transformList(key, s, s)}" }],
    [
      "rule = [for p in [80, 443] : { port = p, cidrs = var.open }]",
      {
        Rules: [
          { Port: 80, Cidrs: "${open}" },
          { Port: 443, Cidrs: "${open}" },
        ],
      },
    ],
  ])("decided by the files is written out: %s", async (settings, expected) => {
    const { properties, draft } = await drafted(settings, boxes);
    if (expected === undefined) expect(draft.unsupported).toHaveLength(1);
    else expect([properties, draft.unsupported]).toEqual([expected, []]);
  });

  it.each([
    ['labels = { for s in [1, 2] : "k" => s }', "own tool refuses it"],
    ["boxes = [for s in 5 : s]", "own tool refuses it"],
  ])("that stays open, or is wrong, is left out with the reason: %s", async (settings, reason) => {
    const { properties, draft } = await drafted(settings, boxes);
    expect(properties).toEqual({});
    expect(draft.unsupported).toMatchObject([{ reason: expect.stringContaining(reason), line: 2 }]);
  });

  it("over a slice of zones has those of the deployment's region", async () => {
    const { resources, draft } = await drafted(
      "boxes = data.aws_availability_zones.all.names",
      `data "aws_availability_zones" "all" {}
      locals { zones = slice(data.aws_availability_zones.all.names, 0, 2) }
      resource "fake_box" "b" {
        count = length(local.zones)
        name  = local.zones[count.index]
      }`,
    );
    const zones = ["a", "b", "c"].map((letter) => `\${control.target.region}${letter}`);
    expect(draft.unsupported).toEqual([]);
    expect(Object.values(resources).map(({ properties }) => properties)).toEqual([
      { Boxes: zones },
      { Name: zones[0] },
      { Name: zones[1] },
    ]);
  });

  it("decides the instances of a resource", async () => {
    const { resources } = await drafted(
      "",
      `resource "fake_box" "b" {
        for_each = { for s in [{ n = "x", on = true }, { n = "y", on = false }] : s.n => s if s.on }
        name     = each.value.n
        boxes    = [for n in [each.key] : "\${n}\${each.key}"]
      }`,
    );
    expect(Object.keys(resources)).toEqual(["boxA", "boxBX"]);
    expect(resources["boxBX"]?.properties).toEqual({ Name: "x", Boxes: ["xx"] });
  });
});

describe("a `dynamic` block", () => {
  const module = (settings: string, given = "") => ({
    "main.tf": `module "m" {\n source = "./m"\n ${given}\n }`,
    "m/main.tf": `variable "rules" { default = [] }\n variable "open" {}\n resource "fake_box" "a" {\n ${settings}\n }`,
  });

  async function called(settings: string, given = "") {
    const read = await draftOfTable(table, types, module(settings, given));
    return { ...read, properties: read.resources["mBoxA"]?.properties };
  }

  const each = `dynamic "rule" {
    for_each = var.rules
    content {
      port  = rule.value.port
      color = lookup(rule.value, "color", null)
      cidrs = [tostring(rule.key)]
    }
  }`;

  it.each([
    ["none", "", {}],
    ["one", "rules = [{ port = 80 }]", { Rules: [{ Port: 80, Cidrs: ["0"] }] }],
    [
      "several",
      'rules = [{ port = 80 }, { port = 81, color = "red" }]',
      {
        Rules: [
          { Port: 80, Cidrs: ["0"] },
          { Port: 81, Color: "red", Cidrs: ["1"] },
        ],
      },
    ],
    [
      "those of a map, by its keys",
      "rules = { b = { port = 80 }, a = { port = 81 } }",
      {
        Rules: [
          { Port: 81, Cidrs: ["a"] },
          { Port: 80, Cidrs: ["b"] },
        ],
      },
    ],
  ])("becomes the blocks that the files decide: %s", async (_, given, expected) => {
    const { properties, gaps } = await called(each, given);
    expect([properties, gaps]).toEqual([expected, []]);
  });

  it("keeps its place among other blocks of its type", async () => {
    const { properties } = await called(
      `rule { port = 1 }\n ${each}\n rule { port = 3 }`,
      "rules = [{ port = 2 }]",
    );
    expect(properties).toEqual({ Rules: [{ Port: 1 }, { Port: 2, Cidrs: ["0"] }, { Port: 3 }] });
  });

  it("stays a loop where it stays open", async () => {
    const { properties, draft } = await drafted(
      `rule { port = 1 }\n ${each}`,
      'variable "rules" { default = [{ port = 2 }] }',
    );
    expect(properties).toEqual({
      Rules:
        '${[{"Port": 1}] + rules.transformList(ruleKey, rule, {"Port": rule.port, ?"Color": (rule.?color.hasValue() ? optional.of(rule.color) : optional.none()), "Cidrs": [string(ruleKey)]})}',
    });
    expect(draft.unsupported).toEqual([]);
  });

  it("is refused where its own tool would refuse it", async () => {
    const { properties, draft } = await called(each, "rules = null");
    expect(properties).toEqual({});
    expect(draft.unsupported).toMatchObject([
      { path: "rule", reason: expect.stringContaining("refuses") },
    ]);
  });

  it("nests, each with its own iterator", async () => {
    const { properties, gaps } = await called(
      `dynamic "rule" {
        for_each = var.rules
        iterator = outer
        content {
          port = outer.value.port
          dynamic "tags" {
            for_each = toset(outer.value.tags)
            content { key = "\${outer.key}-\${tags.key}-\${tags.value}" }
          }
        }
      }`,
      'rules = [{ port = 1, tags = ["b", "a"] }, { port = 2, tags = [] }]',
    );
    expect(gaps).toEqual([]);
    expect(properties).toEqual({
      Rules: [{ Port: 1, Tags: [{ Key: "0-a-a" }, { Key: "0-b-b" }] }, { Port: 2 }],
    });
  });

  it("hides an outer item of the same name", async () => {
    const { properties } = await called(
      `dynamic "rule" {
        for_each = [1]
        content {
          port  = rule.value
          cidrs = [for rule in ["x"] : rule]
          dynamic "tags" {
            for_each = ["t"]
            iterator = rule
            content { key = rule.value }
          }
        }
      }`,
    );
    expect(properties).toEqual({ Rules: [{ Port: 1, Cidrs: ["x"], Tags: [{ Key: "t" }] }] });
  });

  it("is the only block of a property, or spreads to several", async () => {
    const { properties, gaps } = await called(
      `dynamic "lid" {
        for_each = var.rules[*].lid
        content { color = lid.value }
      }
      dynamic "spread" {
        for_each = var.rules
        content {
          port  = spread.key
          cidrs = [for c in spread.value.cidrs : "c\${c}"]
        }
      }`,
      'rules = [{ lid = "red", cidrs = [1, 2] }]',
    );
    expect([properties, gaps]).toEqual([
      {
        Lid: { Color: "red" },
        Rules: [
          { Port: 0, Color: "c1" },
          { Port: 0, Color: "c2" },
        ],
      },
      [],
    ]);
  });

  it("reads the values of each instance of a repeated resource", async () => {
    const { resources } = await drafted(
      "",
      `resource "fake_box" "b" {
        for_each = { x = [1], y = [2, 3] }
        dynamic "rule" {
          for_each = each.value
          content {
            port  = rule.value
            color = each.key
          }
        }
      }`,
    );
    expect(resources["boxBX"]?.properties["Rules"]).toEqual([{ Port: 1, Color: "x" }]);
    expect(resources["boxBY"]?.properties["Rules"]).toEqual([
      { Port: 2, Color: "y" },
      { Port: 3, Color: "y" },
    ]);
  });
});

describe("a secret in a `for`", () => {
  it.each([
    ['name = [for password in ["canary-a"] : password][0]'],
    ['password = join("", [for s in ["canary-a", "canary-b"] : s])'],
    ['boxes = [for s in ["https://u:canary-a@h.example", "https://u:canary-b@h.example"] : s]'],
    ['boxes = [for k, v in { db_password = "canary-a", token = "canary-b" } : v]'],
    ['boxes = [for s in ["canary-a", "canary-b"] : [for password in [s] : password]]'],
    ['boxes = values({ for k in ["db_password"] : k => "canary-a" })'],
    ['labels = { for k in ["db_password"] : k => "canary-a" }'],
    [
      'environment = [for e in [{ k = "DB_PASSWORD", v = "canary-a" }] : { name = e.k, value = e.v }]',
    ],
    [
      'dynamic "environment" {\n for_each = { DB_PASSWORD = "canary-a", api_token = "canary-b" }\n content {\n name = environment.key\n value = environment.value\n }\n }',
    ],
    [
      'dynamic "environment" {\n for_each = ["canary-a", "canary-b"]\n content {\n name = "TOKEN_${environment.key}"\n value = environment.value\n }\n }',
    ],
  ])("is asked for, and not revealed: %s", async (settings) => {
    const { draft, config } = await drafted(settings);
    expect(JSON.stringify(draft)).not.toContain("canary");
    const secrets = Object.values(config).filter(({ secret }) => secret === true);
    // In an environment, the items' members are secrets under any name.
    const isTwice = settings.includes("canary-b") || settings.includes("e.k");
    expect(secrets).toHaveLength(isTwice && !settings.includes("join") ? 2 : 1);
  });
});

describe("nested repetition", () => {
  const nested = (depth: number): string =>
    depth === 0 ? '"x"' : `[for s${depth} in range(100) : ${nested(depth - 1)}]`;

  const repeated: readonly (readonly [what: string, settings: string])[] = [
    ["lists of lists", `boxes = ${nested(4)}`],
    ["a list of lists as one", `boxes = flatten(${nested(4)})`],
    [
      "blocks in blocks",
      `dynamic "rule" {\n for_each = range(900)\n content {\n dynamic "tags" {\n for_each = range(900)\n content { key = "k" }\n }\n }\n }`,
    ],
    ["locals of each other", "boxes = local.l0"],
  ];

  it.each(partOf(repeated, repeated.length))(
    "ends: %s",
    async (_, settings) => {
      const locals = Array.from(
        { length: 40 },
        (__, at) => `l${at} = [for s in [1, 2] : local.l${at + 1}]`,
      );
      const { draft } = await drafted(settings, `locals {\n ${locals.join("\n")}\n l40 = "x"\n }`);
      expect(draft.unsupported.length).toBeGreaterThan(0);
    },
    30_000,
  );
});
