import { describe, expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";
import { plannedDraft } from "#test/support/planned-draft.ts";

const text: ValueShape = { type: "string" };
const pair: ValueShape = { type: "object", object: { properties: { Key: text, Value: text } } };
const rule: ValueShape = {
  type: "object",
  object: { properties: { Port: { type: "integer" }, Protocol: text, Cidr: text } },
};
const types = {
  "aws:AWS::Fake::Box": knownType(
    {
      properties: {
        Name: text,
        Mode: text,
        Boxes: { type: "array", items: text },
        Tags: { type: "array", items: pair },
        Rules: { type: "array", items: rule },
        Lid: { type: "object", object: { properties: { Color: text } } },
        Locked: { type: "boolean" },
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
      properties: {
        tags: { to: "Tags", as: "pairs" },
        rule: {
          to: "Rules",
          members: { protocol: { to: "Protocol", values: { tcp: "TCP", all: "-1" } } },
        },
        zone: { to: "Rules", each: { cidrs: "Cidr" } },
      },
    },
  },
  parts: { fake_lock: { partOf: "box", type: "aws:AWS::Fake::Box" } },
};

const variables = `
variable "on" { default = true }
variable "env" { default = "dev" }
variable "n" { default = 2 }
variable "names" {
  type    = list(string)
  default = ["a"]
}
variable "boxes" {
  type    = map(object({ name = string, mode = optional(string, "m"), tag = optional(string) }))
  default = { x = { name = "first" } }
}
variable "rules" {
  type    = list(object({ port = number, protocol = string }))
  default = []
}
variable "mode" {
  type    = string
  default = null
}
`;

async function drafted(source: string) {
  const { draft, gaps, ...made } = await draftOfTable(table, types, variables + source);
  return {
    ...made,
    gaps,
    planned: (given = {}) =>
      plannedDraft(draft.source ?? "", given, (address) => ({
        id: `id of ${address}`,
        Arn: `arn of ${address}`,
        Name: `name of ${address}`,
      })),
  };
}

const box = (label: string, settings: string) =>
  `resource "fake_box" "${label}" {\n${settings}\n}\n`;

describe("a condition that a variable decides", () => {
  const one = box("a", 'count = var.on ? 1 : 0\n name = "a-${count.index}"');

  it("leaves the object out", async () => {
    const { planned, gaps } = await drafted(one + box("b", ""));
    expect(gaps).toEqual([]);
    expect(planned().resources).toEqual({ boxA: { Name: "a-0" }, boxB: {} });
    expect(planned({ on: false }).resources).toEqual({ boxB: {} });
  });

  it.for<[string, unknown, unknown]>([
    ["fake_box.a[0].arn", "arn of boxA", Error],
    ["one(fake_box.a[*].arn)", "arn of boxA", undefined],
    ['try(fake_box.a[0].arn, "none")', "arn of boxA", "none"],
    ["try(fake_box.a[0].arn, null)", "arn of boxA", undefined],
    ["var.on ? fake_box.a[0].arn : null", "arn of boxA", undefined],
    ['var.on ? fake_box.a[0].arn : "none"', "arn of boxA", "none"],
    ['join("", fake_box.a[*].arn)', "arn of boxA", ""],
    ["length(fake_box.a)", 1, 0],
    ["fake_box.a[*].arn", ["arn of boxA"], []],
    ["[for box in fake_box.a : box.arn]", ["arn of boxA"], []],
    ['element(concat(fake_box.a[*].arn, ["none"]), 0)', "arn of boxA", "none"],
    ['"${try(fake_box.a[0].arn, "none")}!"', "arn of boxA!", "none!"],
  ])("is read by %s", async ([expression, made, without]) => {
    const { planned, gaps } = await drafted(`${one}output "o" { value = ${expression} }`);
    expect(gaps).toEqual([]);
    expect(planned().outputs["o"]).toEqual(made);
    const left = () => planned({ on: false }).outputs["o"];
    if (without === Error) expect(left).toThrow("is not included");
    else expect(left()).toEqual(without);
  });

  it("is known to a reader with the same condition", async () => {
    const { resources } = await drafted(
      one + box("b", 'count = var.on && var.env == "prod" ? 1 : 0\n name = fake_box.a[0].arn'),
    );
    expect(resources["boxB"]?.properties).toEqual({ Name: "${boxA.Arn}" });
  });
});

describe("a number that a variable decides", () => {
  const several = box("a", 'count = var.n\n name = "a-${count.index + 1}"');

  it("makes as many objects", async () => {
    const { planned, gaps } = await drafted(several);
    expect(gaps).toEqual([]);
    expect(planned({ n: 3 }).resources).toEqual({
      'boxA["0"]': { Name: "a-1" },
      'boxA["1"]': { Name: "a-2" },
      'boxA["2"]': { Name: "a-3" },
    });
  });

  it.for<[string, unknown]>([
    ["fake_box.a[1].arn", 'arn of boxA["1"]'],
    ["fake_box.a[*].arn", Array.from({ length: 12 }, (_, at) => `arn of boxA["${at}"]`)],
    ["length(fake_box.a)", 12],
    ["element(fake_box.a[*].arn, 13)", 'arn of boxA["1"]'],
    ["fake_box.a[var.n - 1].arn", 'arn of boxA["11"]'],
  ])("is read by %s, in the order of the numbers", async ([expression, expected]) => {
    const { planned, gaps } = await drafted(`${several}output "o" { value = ${expression} }`);
    expect(gaps).toEqual([]);
    expect(planned({ n: 12 }).outputs["o"]).toEqual(expected);
  });

  it("pairs with the objects of another number", async () => {
    const { resources, planned } = await drafted(
      several +
        box(
          "b",
          'count = var.n\n name = fake_box.a[count.index].arn\n mode = format("%02d", count.index)',
        ),
    );
    expect(resources["boxB"]?.properties["Name"]).toBe("${boxA[each.key].Arn}");
    expect(planned().resources['boxB["1"]']).toEqual({ Name: 'arn of boxA["1"]', Mode: "01" });
  });
});

describe("a loop that a variable decides", () => {
  const each = box(
    "a",
    "for_each = var.boxes\n name = each.value.name\n mode = each.value.mode\n tags = { tag = each.value.tag, key = each.key }",
  );

  it("makes an object for each key, with the defaults of its type", async () => {
    const { resources, planned, gaps } = await drafted(each);
    expect(gaps).toEqual([]);
    expect(resources["boxA"]).toMatchObject({ forEach: "${boxes}" });
    expect(
      planned({ boxes: { p: { name: "P", mode: "q", tag: "t" }, z: { name: "Z" } } }).resources,
    ).toEqual({
      'boxA["p"]': {
        Name: "P",
        Mode: "q",
        Tags: [
          { Key: "tag", Value: "t" },
          { Key: "key", Value: "p" },
        ],
      },
      'boxA["z"]': { Name: "Z", Mode: "m", Tags: [{ Key: "key", Value: "z" }] },
    });
  });

  it.for<[string, unknown]>([
    ['fake_box.a["x"].arn', 'arn of boxA["x"]'],
    ["values(fake_box.a)[*].arn", ['arn of boxA["x"]', 'arn of boxA["y"]']],
    ["[for box in fake_box.a : box.arn]", ['arn of boxA["x"]', 'arn of boxA["y"]']],
    ['{ for k, box in fake_box.a : upper(k) => box.arn if k != "x" }', { Y: 'arn of boxA["y"]' }],
    ["keys(fake_box.a)", ["x", "y"]],
    ['lookup({ for k, box in fake_box.a : k => box.arn }, "q", "none")', "none"],
    ['try(fake_box.a["q"].arn, "none")', "none"],
    ["length(fake_box.a)", 2],
  ])("is read by %s", async ([expression, expected]) => {
    const { planned, gaps } = await drafted(`${each}output "o" { value = ${expression} }`);
    expect(gaps).toEqual([]);
    expect(planned({ boxes: { x: { name: "X" }, y: { name: "Y" } } }).outputs["o"]).toEqual(
      expected,
    );
  });

  it.for<[string, unknown]>([
    ["var.names", ["p", "q"]],
    ["toset(var.names)", ["p", "q"]],
    ['{ for name in var.names : "${name}!" => name }', ["p!", "q!"]],
    ["var.on ? toset(var.names) : []", ["p", "q"]],
    ['toset(concat(var.names, ["p"]))', ["p", "q"]],
    ['{ for k, one in var.boxes : k => one if one.mode == "m" }', ["x"]],
    ['merge(var.boxes, { w = { name = "W" } })', ["w", "x"]],
    ["local.all", ["p-0", "q-1"]],
  ])("runs over %s", async ([collection, keys]) => {
    const { planned, gaps } = await drafted(
      `locals { all = { for i, name in var.names : "\${name}-\${i}" => name } }
      ${box("a", `for_each = ${collection}\n name = each.key`)}`,
    );
    expect(gaps).toEqual([]);
    const { resources } = planned({ names: ["p", "q"] });
    expect(Object.values(resources).map(({ Name }) => Name)).toEqual(keys);
  });

  it("runs over the objects of another loop", async () => {
    const { resources, planned, gaps } = await drafted(
      each + box("b", "for_each = fake_box.a\n name = each.value.arn"),
    );
    expect(gaps).toEqual([]);
    expect(resources["boxB"]).toMatchObject({
      forEach: "${boxA}",
      properties: { Name: "${each.value.Arn}" },
    });
    expect(planned().resources['boxB["x"]']).toEqual({ Name: 'arn of boxA["x"]' });
  });

  it("takes parts that repeat in the same way into its objects", async () => {
    const lock = (collection: string) =>
      `resource "fake_lock" "l" {\n for_each = ${collection}\n box = fake_box.a[each.key].id\n locked = each.key == "x"\n }`;
    const same = await drafted(each + lock("var.boxes"));
    expect(same.gaps).toEqual([]);
    expect(same.planned().resources['boxA["x"]']).toMatchObject({ Locked: true });
    expect((await drafted(each + lock("toset(var.names)"))).gaps).toEqual(["fake_lock.l"]);
  });
});

describe("blocks that a variable decides", () => {
  it("become a list", async () => {
    const { planned, gaps } = await drafted(
      box(
        "a",
        `rule { port = 1 }
        dynamic "rule" {
          for_each = var.rules
          content {
            port     = rule.value.port
            protocol = rule.value.protocol
          }
        }`,
      ),
    );
    expect(gaps).toEqual([]);
    expect(planned({ rules: [{ port: 80, protocol: "tcp" }] }).resources["boxA"]).toEqual({
      Rules: [{ Port: 1 }, { Port: 80, Protocol: "TCP" }],
    });
  });

  it("of which each says several become one list", async () => {
    const { planned, gaps } = await drafted(
      box(
        "a",
        `dynamic "zone" {
          for_each = var.rules
          content {
            port  = zone.value.port
            cidrs = ["10.0.0.0/8", zone.value.protocol]
          }
        }`,
      ),
    );
    expect(gaps).toEqual([]);
    expect(planned({ rules: [{ port: 80, protocol: "x" }] }).resources["boxA"]).toEqual({
      Rules: [
        { Port: 80, Cidr: "10.0.0.0/8" },
        { Port: 80, Cidr: "x" },
      ],
    });
  });

  it("of which there may be one become a part that may be left out", async () => {
    const { planned, gaps } = await drafted(
      box(
        "a",
        `dynamic "lid" {
          for_each = var.mode != null ? [var.mode] : []
          content { color = lid.value }
        }`,
      ),
    );
    expect(gaps).toEqual([]);
    expect(planned().resources["boxA"]).toEqual({});
    expect(planned({ mode: "red" }).resources["boxA"]).toEqual({ Lid: { Color: "red" } });
  });
});

it("leaves out a value whose variable is null by default", async () => {
  const { resources, planned, gaps } = await drafted(box("a", "mode = var.mode"));
  expect(gaps).toEqual([]);
  expect(resources["boxA"]?.properties).toEqual({ Mode: '${(mode != "" ? mode : omit())}' });
  expect(planned().resources["boxA"]).toEqual({});
  expect(planned({ mode: "m" }).resources["boxA"]).toEqual({ Mode: "m" });
});

it("writes more than ten objects that the files decide as a loop, unless it would lose something", async () => {
  const names = Array.from({ length: 11 }, (_, at) => `n${at}`);
  const { resources, planned, gaps } = await drafted(
    box("a", `for_each = toset(${JSON.stringify(names)})\n name = each.key`) +
      box("b", 'count = 11\n name = join("", regexall("[0-9]", "a${count.index}"))') +
      box("c", 'name = fake_box.a["n3"].arn\n mode = fake_box.b[3].name'),
  );
  expect(gaps).toEqual([]);
  expect(Object.keys(resources).filter((name) => name.startsWith("boxA"))).toEqual(["boxA"]);
  expect(Object.keys(resources).filter((name) => name.startsWith("boxB"))).toHaveLength(11);
  expect(planned().resources["boxC"]).toEqual({ Name: 'arn of boxA["n3"]', Mode: "name of boxB4" });
});

it("keeps the reader of a loop that has no form", async () => {
  const { resources, gaps } = await drafted(
    box("a", 'for_each = toset(regexall("[a-z]", var.env))\n name = each.key') +
      box("b", 'name = "b"\n mode = fake_box.a["x"].arn'),
  );
  expect(gaps).toEqual(["fake_box.a"]);
  expect(resources["boxB"]?.properties).toEqual({ Name: "b", Mode: "${fakeBoxAXArn}" });
});

it("has each item of a set once", async () => {
  const { planned, gaps } = await drafted(
    box("a", 'boxes = toset([for name in var.names : "x-${name}"])'),
  );
  expect(gaps).toEqual([]);
  expect(planned({ names: ["a", "b", "a"] }).resources["boxA"]).toEqual({ Boxes: ["x-a", "x-b"] });
});

describe("an attribute with a default of its own", () => {
  const declared = `
variable "cfg" {
  type    = object({ days = optional(number, 7), tag = optional(string), must = string })
  default = { must = "m" }
}
variable "cfgs" {
  type    = map(object({ days = optional(number, 7), tag = optional(string) }))
  default = { k = {} }
}
variable "any" {
  type    = any
  default = {}
}
locals { key = var.on ? "k" : "gone" }
`;

  it.for<[string, unknown, unknown]>([
    ["var.cfg.days", 7, 3],
    ["try(var.cfg.days, 1)", 7, 3],
    ['lookup(var.cfg, "days", 1)', 7, 3],
    ['"${var.cfg.days} days"', "7 days", "3 days"],
    ["can(var.cfg.days)", true, true],
    ["var.cfg.tag", undefined, "t"],
    ['try(var.cfg.tag, "none")', undefined, "t"],
    ['coalesce(var.cfg.tag, "none")', "none", "t"],
    ["var.cfg.days > 5 ? 1 : 2", 1, 2],
    ['var.cfgs["k"].days', 7, 3],
    ['try(var.cfgs["k"].days, 1)', 7, 3],
    ['try(var.cfgs["gone"].days, 1)', 1, 1],
    ['try(var.cfgs["k"].tag, "none")', undefined, "t"],
    ['lookup(var.cfgs["k"], "days", 1)', 7, 3],
    ["var.cfgs[local.key].days", 7, 3],
    ["try(var.any.days, 1)", 1, 3],
    ['lookup(var.any, "days", 1)', 1, 3],
  ])("is read by %s", async ([expression, without, made]) => {
    const { planned, gaps } = await drafted(
      `${declared}${box("a", "")}output "o" { value = ${expression} }`,
    );
    expect(gaps).toEqual([]);
    expect(planned().outputs["o"]).toEqual(without);
    const given = { days: 3, tag: "t" };
    const all = { cfg: { ...given, must: "m" }, cfgs: { k: given }, any: given };
    expect(planned(all).outputs["o"]).toEqual(made);
  });
});

it("converts a formula to the type of its property", async () => {
  const { planned, gaps } = await drafted(box("a", 'name = "${var.n + 1}"\n mode = var.n > 1'));
  expect(gaps).toEqual([]);
  expect(planned().resources["boxA"]).toEqual({ Name: "3", Mode: "true" });
});

it.for<[string, unknown]>([
  ["var.tags", [{ Key: "a", Value: "1" }]],
  [
    'merge(var.tags, { Name = "n" })',
    [
      { Key: "Name", Value: "n" },
      { Key: "a", Value: "1" },
    ],
  ],
  [
    'merge({ Name = "n" }, var.on ? { b = 2 } : {})',
    [
      { Key: "Name", Value: "n" },
      { Key: "b", Value: "2" },
    ],
  ],
  ["{ for key, one in var.tags : upper(key) => one }", [{ Key: "A", Value: "1" }]],
  ["var.none", undefined],
])("makes pairs of the map that a deployment knows: %s", async ([expression, pairs]) => {
  const { planned, gaps } = await drafted(
    `variable "tags" {\n type = map(string)\n default = {}\n}\nvariable "none" {\n type = map(string)\n default = null\n}\n${box("a", `tags = ${expression}`)}`,
  );
  expect(gaps).toEqual([]);
  expect(planned({ tags: { a: 1 } }).resources["boxA"]).toEqual(
    pairs === undefined ? {} : { Tags: pairs },
  );
  const empty = planned({ none: { c: "d" } }).resources["boxA"];
  if (pairs === undefined) expect(empty).toEqual({ Tags: [{ Key: "c", Value: "d" }] });
});

it.for<[string, unknown, unknown]>([
  ['format("${var.env}-%s-%03d", var.names[0], var.n)', "dev-a-002", "prod-b-002"],
  ['length(regexall("^d[a-z]+$", var.env)) > 0', true, false],
  ['length(regexall("^d[a-z]+$", var.env)) == 0 ? "other" : "dev"', "dev", "other"],
  ['strcontains(var.env, "ev")', true, false],
  ['setunion(var.names, ["a"])', ["a"], ["a", "b"]],
  ['coalescelist(var.names, ["none"])', ["a"], ["b"]],
  ["abs(var.n - 5)", 3, 3],
  ['indent(2, "${var.env}\\nx")', "dev\n  x", "prod\n  x"],
])("computes %s from variables", async ([expression, made, other]) => {
  const { planned, gaps } = await drafted(`${box("a", "")}output "o" { value = ${expression} }`);
  expect(gaps).toEqual([]);
  expect(planned().outputs["o"]).toEqual(made);
  expect(planned({ env: "prod", names: ["b"] }).outputs["o"]).toEqual(other);
});
