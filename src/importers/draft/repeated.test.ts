import { describe, expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";
import { drafted as wholeDraft } from "#test/support/drafted.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Box": knownType(
    {
      properties: {
        Name: text,
        Mode: text,
        Color: text,
        Password: text,
        Boxes: { type: "array", items: text },
        Lid: { type: "object", object: { properties: { Color: text } } },
      },
    },
    { outputs: ["Arn"] },
  ),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: { fake_box: { type: "aws:AWS::Fake::Box", unless: ["locked"] } },
};

async function drafted(files: Readonly<Record<string, string>> | string, existing?: ExistingIds) {
  const made = await draftOfTable(table, types, files, existing);
  const { mapped, partlyMapped, notMapped } = made.draft;
  return { ...made, counts: [mapped, partlyMapped, notMapped] };
}

/** The properties of the only box that reads others and has no gaps. */
async function reading(expression: string, boxes: string): Promise<unknown> {
  const { resources, gaps } = await drafted(
    `${boxes}\n resource "fake_box" "reader" {\n boxes = ${expression}\n }`,
  );
  expect(gaps.filter((gap) => gap.includes("reader"))).toEqual([]);
  return resources["boxReader"]?.properties["Boxes"];
}

const none = 'resource "fake_box" "x" {\n count = 0\n }';
const one = 'resource "fake_box" "x" {\n count = 1\n }';
const three = 'resource "fake_box" "x" {\n count = 3\n }';
const each = 'resource "fake_box" "x" {\n for_each = toset(["b", "a"])\n }';

describe("a resource with `count`", () => {
  it("that is 0 is neither drafted nor counted, and listed as not made", async () => {
    const { draft, counts } = await drafted(`${none}\n resource "fake_box" "other" {}`);
    expect(counts).toEqual([1, 0, 0]);
    expect(draft.coverage).toMatchObject([{ type: "fake_box", mapped: 1, notMapped: 0 }]);
    expect(draft.unsupported).toEqual([
      {
        address: "fake_box.x",
        path: null,
        file: "main.tf",
        line: 1,
        code: "not_made",
        reason: expect.stringContaining("`count` is 0"),
      },
    ]);
  });

  it("that is 0 is not made whatever its type is", async () => {
    const { draft, counts } = await drafted('resource "other_thing" "x" {\n count = 0\n }');
    expect(counts).toEqual([0, 0, 0]);
    expect(draft.unsupported).toMatchObject([{ code: "not_made" }]);
  });

  it("that is 1 is drafted once, under its own name", async () => {
    const { resources, counts, gaps } = await drafted(one);
    expect(Object.keys(resources)).toEqual(["boxX"]);
    expect([counts, gaps]).toEqual([[1, 0, 0], []]);
  });

  it("that is more is drafted for each index", async () => {
    const { resources, counts } = await drafted(
      'resource "fake_box" "x" {\n count = 2\n name = "box-${count.index + 1}"\n mode = ["a", "b"][count.index]\n }',
    );
    expect(resources).toMatchObject({
      boxX1: { properties: { Name: "box-1", Mode: "a" } },
      boxX2: { properties: { Name: "box-2", Mode: "b" } },
    });
    expect(counts).toEqual([2, 0, 0]);
  });

  it.each([
    ["a condition that a variable decides", "count = var.on ? 1 : 0", { when: "${on}" }],
    ["a negated condition", "count = var.on ? 0 : 1", { when: "${!on}" }],
    ["two conditions", "count = var.on ? (var.n > 2 ? 1 : 0) : 0", { when: "${(on && (n > 2))}" }],
    ["a number", "count = var.n", { forEach: "${lists.range(n).map(nth, string(nth))}" }],
    ["a number beyond ten", "count = 21", { forEach: "${lists.range(21).map(nth, string(nth))}" }],
  ])("that is %s stays one", async (_, count, repeat) => {
    const { resources, counts, gaps } = await drafted(
      `variable "on" { default = true }
      variable "n" { default = 3 }
      resource "fake_box" "x" {
        ${count}
      }`,
    );
    expect([counts, gaps]).toEqual([[1, 0, 0], []]);
    expect(resources["boxX"]).toMatchObject(repeat);
  });

  it("that another object decides is left out: no plan knows the number", async () => {
    const { draft, counts } = await drafted(
      `resource "fake_box" "o" {}\n resource "fake_box" "x" {\n count = fake_box.o.arn == "a" ? 1 : 0\n }`,
    );
    expect(counts).toEqual([1, 0, 1]);
    expect(draft.unsupported).toMatchObject([{ address: "fake_box.x", path: null }]);
  });

  it.each([
    ["[fake_box.x[0].arn]", one, ["${boxX.Arn}"]],
    ["[fake_box.x.arn]", one, ["${boxX.Arn}"]],
    ["[one(fake_box.x[*].arn)]", one, ["${boxX.Arn}"]],
    ['[try(fake_box.x[0].arn, "none")]', one, ["${boxX.Arn}"]],
    ['[try(fake_box.x[0].arn, "none")]', none, ["none"]],
    ['[coalesce(one(fake_box.x[*].arn), "none")]', none, ["none"]],
    ['[coalesce(one(fake_box.x[*].arn), "none")]', one, ["${boxX.Arn}"]],
    ["[length(fake_box.x) > 0 ? fake_box.x[0].arn : null]", none, []],
    ["fake_box.x[*].arn", none, []],
    ["fake_box.x[*].arn", three, ["${boxX1.Arn}", "${boxX2.Arn}", "${boxX3.Arn}"]],
    ["fake_box.x.*.arn", one, ["${boxX.Arn}"]],
    ["[fake_box.x[2].arn]", three, ["${boxX3.Arn}"]],
    ["[element(fake_box.x[*].arn, 4)]", three, ["${boxX2.Arn}"]],
    ["concat(fake_box.x[*].arn, [fake_box.x[0].arn])", one, ["${boxX.Arn}", "${boxX.Arn}"]],
    ['[join("", fake_box.x[*].arn)]', none, [""]],
  ])("is read by %s of %j", async (expression, boxes, expected) => {
    expect(await reading(expression, boxes)).toEqual(expected);
  });

  it("that does not make a referred object loses only the reference", async () => {
    const { draft, resources } = await drafted(
      `${none}\n resource "fake_box" "y" {\n name = fake_box.x[0].arn\n mode = "m"\n }`,
    );
    expect(resources["boxY"]?.properties).toEqual({ Mode: "m" });
    expect(draft.unsupported.map(({ address, code }) => [address, code])).toEqual([
      ["fake_box.y", "not_expressible"],
      ["fake_box.x", "not_made"],
    ]);
  });
});

describe("a resource with `for_each`", () => {
  it("is drafted for each member, with its key and value", async () => {
    const { resources, counts, gaps } = await drafted(`
      variable "color" { default = "red" }
      locals {
        boxes = { "a b" = { mode = "m", color = var.color }, c = { mode = "n", color = "blue" } }
      }
      resource "fake_box" "x" {
        for_each = local.boxes
        name     = "box \${each.key}"
        mode     = each.value.mode
        lid { color = each.value["color"] }
      }`);
    expect(resources).toMatchObject({
      boxXAB: { properties: { Name: "box a b", Mode: "m", Lid: { Color: "${color}" } } },
      boxXC: { properties: { Name: "box c", Mode: "n", Lid: { Color: "blue" } } },
    });
    expect([counts, gaps]).toEqual([[2, 0, 0], []]);
  });

  it("is left out as a whole where our type cannot express one of its objects", async () => {
    const { resources, draft } = await drafted(
      'resource "fake_box" "x" {\n for_each = { a = null, b = "yes" }\n locked = each.value\n }',
    );
    expect(resources).toEqual({});
    expect(draft.unsupported).toMatchObject([{ address: "fake_box.x", code: "not_expressible" }]);
  });

  it("over nothing is not made", async () => {
    const { draft } = await drafted('resource "fake_box" "x" {\n for_each = {}\n }');
    expect(draft.unsupported).toMatchObject([{ code: "not_made" }]);
  });

  it("over another resource's objects is drafted for each of them", async () => {
    const { resources } = await drafted(
      `${each}\n resource "fake_box" "y" {\n for_each = fake_box.x\n name = each.value.arn\n }`,
    );
    expect(resources).toMatchObject({
      boxYA: { properties: { Name: "${boxXA.Arn}" } },
      boxYB: { properties: { Name: "${boxXB.Arn}" } },
    });
  });

  it.each([
    ['[fake_box.x["a"].arn]', ["${boxXA.Arn}"]],
    ["values(fake_box.x)[*].arn", ["${boxXA.Arn}", "${boxXB.Arn}"]],
    ["keys(fake_box.x)", ["a", "b"]],
    ['[try(fake_box.x["c"].arn, "none")]', ["none"]],
  ])("is read by %s", async (expression, expected) => {
    expect(await reading(expression, each)).toEqual(expected);
  });

  it("asks for a secret of each of its objects", async () => {
    const { config, resources } = await drafted(`
      resource "fake_box" "x" {
        for_each = { a = "canary-one", b = "canary-two" }
        password = each.value
      }`);
    expect(JSON.stringify([config, resources])).not.toContain("canary");
    expect(Object.values(config)).toEqual([
      { type: "string", secret: true, description: expect.stringContaining("fake_box.x[") },
      { type: "string", secret: true, description: expect.stringContaining("fake_box.x[") },
    ]);
  });
});

describe("a call of a module", () => {
  const box =
    'variable "name" {}\n resource "fake_box" "this" {\n name = var.name\n }\n output "arn" {\n value = fake_box.this.arn\n }';

  it("with `count` and `for_each` exists for each of its instances", async () => {
    const { resources, outputs, gaps } = await drafted({
      "main.tf": `
        module "some" {
          source = "./box"
          count  = 2
          name   = "n\${count.index}"
        }
        module "each" {
          source   = "./box"
          for_each = { k = "v" }
          name     = each.value
        }
        module "one" {
          source = "./box"
          count  = 1
          name   = "single"
        }
        module "none" {
          source = "./box"
          count  = 0
          name   = "not there"
        }
        output "arns" {
          value = [module.some[1].arn, module.each["k"].arn, module.one[0].arn, one(module.one[*].arn)]
        }
        output "none" { value = try(module.none[0].arn, "none") }`,
      "box/main.tf": box,
    });
    expect(resources).toMatchObject({
      some1Box: { properties: { Name: "n0" } },
      some2Box: { properties: { Name: "n1" } },
      eachKBox: { properties: { Name: "v" } },
      oneBox: { properties: { Name: "single" } },
    });
    expect(Object.keys(resources)).toHaveLength(4);
    expect(outputs).toEqual({
      arns: ["${some2Box.Arn}", "${eachKBox.Arn}", "${oneBox.Arn}", "${oneBox.Arn}"],
      none: "none",
    });
    expect(gaps).toEqual(["module.none"]);
  });

  it("decides by its arguments and by the defaults of the module", async () => {
    const { resources, draft } = await drafted({
      "main.tf": 'module "m" {\n source = "./m"\n create = true\n }',
      "m/main.tf": `
        variable "create" { default = false }
        variable "more" { default = false }
        variable "tags" {
          type    = object({ color = optional(string, "red") })
          default = {}
        }
        locals { on = var.create && !var.more }
        resource "fake_box" "a" {
          count = local.on ? 1 : 0
          name  = var.more ? "more" : "less"
          color = var.tags.color
        }
        resource "fake_box" "b" {
          count = var.more ? 1 : 0
        }`,
    });
    expect(resources).toEqual({
      mBoxA: { type: "aws:AWS::Fake::Box", properties: { Name: "less", Color: "red" } },
    });
    expect(draft.unsupported).toMatchObject([{ address: "module.m.fake_box.b", code: "not_made" }]);
  });

  it("that the files do not decide uses the module as a component", async () => {
    const { counts, config, draft } = await drafted({
      "main.tf": `
        variable "on" { default = true }
        module "m" {
          source = "./box"
          count  = var.on ? 1 : 0
          name   = "n"
        }
        resource "fake_box" "x" { name = module.m[0].arn }`,
      "box/main.tf": box,
    });
    expect(counts).toEqual([1, 0, 0]);
    expect(Object.keys(config)).toHaveLength(1);
    expect(draft.unsupported).toMatchObject([{ address: "module.m", code: "component", line: 3 }]);
  });

  it("is a dependency with all its objects", async () => {
    const { resources } = await drafted({
      "main.tf": `
        module "m" {
          source = "./box"
          count  = 2
          name   = "n"
        }
        module "more" {
          source = "./box"
          name   = "n"
        }
        resource "fake_box" "x" {
          count = 2
        }
        resource "fake_box" "y" {
          depends_on = [module.m, fake_box.x]
        }`,
      "box/main.tf": box,
    });
    expect(resources["boxY"]?.options).toEqual({
      dependsOn: ["${m1Box}", "${m2Box}", "${boxX1}", "${boxX2}"],
    });
  });

  it("passes its dependencies to all its modules", async () => {
    const { resources, gaps } = await drafted({
      "main.tf": `
        module "first" {
          source = "./box"
          name   = "n"
        }
        resource "fake_box" "x" {
        }
        module "then" {
          source     = "./outer"
          count      = 2
          depends_on = [module.first, fake_box.x]
        }`,
      "outer/main.tf": `
        module "inner" {
          source     = "../box"
          name       = "n"
          depends_on = [fake_box.own]
        }
        resource "fake_box" "own" {
        }`,
      "box/main.tf": box,
    });
    expect(gaps).toEqual([]);
    expect(resources["then1BoxOwn"]?.options).toEqual({ dependsOn: ["${firstBox}", "${boxX}"] });
    expect(resources["then2InnerBox"]?.options).toEqual({
      dependsOn: ["${then2BoxOwn}", "${firstBox}", "${boxX}"],
    });
    expect(resources["firstBox"]?.options).toBeUndefined();
  });

  it("depends on the sources of a module's output, and not on the rest of the module", async () => {
    const { resources, gaps } = await drafted({
      "main.tf": `
        module "m" {
          source = "./m"
          count  = 2
          late   = fake_box.late.arn
        }
        resource "fake_box" "late" {
          depends_on = [module.m.early]
        }
        resource "fake_box" "later" {
          depends_on = [module.m[0].late]
        }
        resource "fake_box" "last" {
          depends_on = [module.m[1]]
        }
        module "n" {
          source     = "./n"
          depends_on = [module.m.inner]
        }`,
      "m/main.tf": `
        variable "late" {}
        locals {
          early = [for box in [fake_box.early] : box.arn]
          late  = var.late
        }
        resource "fake_box" "early" {
        }
        resource "fake_box" "own" {
          name = var.late
        }
        module "inner" {
          source = "../n"
        }
        output "early" {
          value = local.early
        }
        output "late" {
          value = "\${local.late}/x"
        }
        output "inner" {
          value      = 1
          depends_on = [module.inner.box]
        }`,
      "n/main.tf": `
        resource "fake_box" "box" {
        }
        resource "fake_box" "other" {
        }
        output "box" {
          value = fake_box.box
        }`,
    });
    expect(gaps).toEqual([]);
    const waits = (name: string) => resources[name]?.options?.["dependsOn"];
    expect(waits("boxLate")).toEqual(["${m1BoxEarly}", "${m2BoxEarly}"]);
    expect(waits("boxLater")).toEqual(["${boxLate}"]);
    expect(waits("boxLast")).toHaveLength(8);
    expect(waits("nBox")).toEqual(["${m1InnerBox}", "${m2InnerBox}"]);
    expect(resources["m1BoxOwn"]?.properties).toEqual({ Name: "${boxLate.Arn}" });
  });

  it("depends on a whole module where its outputs refer to each other without end", async () => {
    const outputs = 3_000;
    const lines = (line: (at: number) => string) =>
      Array.from({ length: outputs }, (_, at) => line(at)).join("\n");
    const through = lines(
      (at) => `variable "v${at}" {}\noutput "o${at}" {\n value = var.v${at}\n}`,
    );
    const call = (name: string, given: (at: number) => string) =>
      `module "${name}" {\n source = "./${name}"\n${lines((at) => ` v${at} = ${given(at)}`)}\n}`;
    const { resources } = await drafted({
      "main.tf": `
        ${call("a", (at) => `module.b.o${at}`)}
        ${call("b", (at) => `module.a.o${at + 1}`)}
        resource "fake_box" "x" {
          depends_on = [module.a.o0]
        }`,
      "a/main.tf": `${through}\nresource "fake_box" "y" {\n}`,
      "b/main.tf": `${through}\nresource "fake_box" "z" {\n}`,
    });
    expect(resources["boxX"]?.options).toEqual({
      dependsOn: [expect.stringMatching(/^\$\{[ab]Box[YZ]\}$/)],
    });
  });

  it("replaces a dependency that the draft lacks by the dependencies of that", async () => {
    const { resources } = await drafted({
      "main.tf": `
        resource "fake_box" "r" {
        }
        resource "time_sleep" "t" {
          depends_on = [fake_box.r]
        }
        data "fake_lookup" "d" {
          of = local.names
        }
        locals {
          names = [fake_box.s.arn, null_resource.round.id]
        }
        resource "fake_box" "s" {
        }
        resource "null_resource" "round" {
          triggers   = { of = null_resource.back.id }
          depends_on = [time_sleep.t]
        }
        resource "null_resource" "back" {
          triggers = { of = null_resource.round.id }
        }
        resource "fake_box" "x" {
          depends_on = [time_sleep.t]
        }
        resource "fake_box" "y" {
          depends_on = [data.fake_lookup.d]
        }`,
    });
    expect(resources["boxX"]?.options).toEqual({ dependsOn: ["${boxR}"] });
    expect(resources["boxY"]?.options).toEqual({ dependsOn: ["${boxS}", "${boxR}"] });
  });

  it("depends on outputs that all read the same long list", async () => {
    const lines = (count: number, line: (at: number) => string, between = "\n") =>
      Array.from({ length: count }, (_, at) => line(at)).join(between);
    const { resources } = await drafted({
      "main.tf": `
        module "m" {
          source = "./m"
          all    = [${lines(20_000, () => "fake_box.r[0].id", ",")}]
        }
        resource "fake_box" "r" {
          count = 3
        }
        ${lines(300, (at) => `resource "fake_box" "x${at}" {\n depends_on = [module.m.o${at}]\n}`)}`,
      "m/main.tf": `variable "all" {}\n${lines(300, (at) => `output "o${at}" {\n value = var.all\n}`)}`,
    });
    expect(resources["boxX299"]?.options?.["dependsOn"]).toHaveLength(3);
  });

  it("is listed where its dependencies would take the place of resources", async () => {
    const boxes = (count: number) =>
      Array.from({ length: count }, (_, at) => `resource "fake_box" "b${at}" {\n}`).join("\n");
    const { resources, draft } = await drafted({
      "main.tf": `
        module "first" {
          source = "./first"
        }
        module "then" {
          source     = "./then"
          depends_on = [module.first]
        }`,
      "first/main.tf": boxes(50),
      "then/main.tf": boxes(41),
    });
    expect(Object.keys(resources)).toHaveLength(91);
    expect(resources["thenBoxB0"]?.options).toBeUndefined();
    expect(draft.unsupported).toEqual([
      {
        address: "module.then",
        file: "main.tf",
        line: 7,
        path: "depends_on",
        code: "not_expressible",
        reason: expect.stringContaining("Each of its 41 objects would list all 50"),
      },
    ]);
  });
});

describe("a setting", () => {
  const called = (settings: string, given = "") => ({
    "main.tf": `module "m" {\n source = "./m"\n ${given}\n }`,
    "m/main.tf": `variable "v" { default = null }\n resource "fake_box" "x" {\n ${settings}\n }`,
  });

  it.each([
    ["name = var.v"],
    ["name = var.v == null ? null : upper(var.v)"],
    ["unknown = var.v"],
    ["locked = var.v"],
  ])("that the files decide to be null is no gap: %s", async (settings) => {
    const { gaps, resources } = await drafted(called(settings));
    expect([gaps, resources["mBoxX"]?.properties]).toEqual([[], {}]);
  });

  it("that is an output and decided to be null is omitted", async () => {
    const { outputs, gaps } = await drafted({
      ...called(""),
      "main.tf":
        'module "m" {\n source = "./m"\n }\n variable "v" { default = null }\n output "o" { value = module.m.o }\n output "v" { value = var.v }',
      "m/main.tf":
        'output "o" { value = try(fake_box.x[0].arn, null) }\n resource "fake_box" "x" { count = 0 }',
    });
    expect([outputs, gaps]).toEqual([{}, ["module.m.fake_box.x"]]);
  });

  it("under a decided condition is the branch, with its own names", async () => {
    const { resources, gaps } = await drafted(
      called(
        'name = var.v == null ? "none" : var.v\n lid = var.v != null ? { color = var.v } : null',
        'v = "red"',
      ),
    );
    expect(resources["mBoxX"]?.properties).toEqual({ Name: "red", Lid: { Color: "red" } });
    expect(gaps).toEqual([]);
  });

  it("under an open condition becomes an expression, or is asked for if it is a secret", async () => {
    const { resources, config, draft } = await drafted(`
      variable "on" { default = true }
      resource "fake_box" "x" {
        name     = var.on ? "a" : "b"
        password = var.on ? "canary" : null
      }`);
    expect(draft.unsupported).toEqual([]);
    expect(resources["boxX"]?.properties).toEqual({
      Name: '${(on ? "a" : "b")}',
      Password: "${xPassword}",
    });
    expect(config).toEqual({
      on: { type: "boolean", default: true },
      xPassword: {
        type: "string",
        secret: true,
        description: expect.stringContaining("fake_box.x"),
      },
    });
  });

  it("takes the first existing value of a root variable", async () => {
    const { resources, gaps } = await drafted(`
      variable "none" { default = null }
      variable "empty" { default = "" }
      variable "some" {}
      resource "fake_box" "x" {
        name  = coalesce(var.none, var.some)
        mode  = coalesce(var.empty, "m")
        color = try(var.some.color, "c")
      }`);
    expect(resources["boxX"]?.properties).toEqual({
      Name: '${(none != "" ? none : some)}',
      Mode: '${(empty != null && empty != "" ? empty : "m")}',
    });
    expect(gaps).toEqual(["fake_box.x Color"]);
  });
});

describe("the adoption of existing objects", () => {
  it("finds each object by its address with the key of its instance", async () => {
    const ids = [
      "module.net[0].fake_box.this[0]",
      "module.net[0].fake_box.this[1]",
      'module.each["a b"].fake_box.this[0]',
    ];
    const call = (name: string, settings: string) =>
      `module "${name}" {\n source = "./m"\n ${settings}\n }\n`;
    const { resources, gaps } = await drafted(
      {
        "main.tf": `${call("net", "count = 1\n boxes = 2")} ${call("each", 'for_each = toset(["a b"])')}`,
        "m/main.tf":
          'variable "boxes" { default = 1 }\n resource "fake_box" "this" {\n count = var.boxes\n }',
      },
      new Map(ids.map((id) => [id, { id: `id of ${id}`, names: new Map() }])),
    );
    expect(gaps).toEqual([]);
    const imports = Object.entries(resources).map(([name, { options }]) => [
      name,
      options?.["import"],
    ]);
    expect(imports).toEqual([
      ["netBox1", `id of ${ids[0]}`],
      ["netBox2", `id of ${ids[1]}`],
      ["eachABBox", `id of ${ids[2]}`],
    ]);
  });
});

describe("a resource that is repeated often", () => {
  it("is drafted up to the limit of templates, and the rest listed", async () => {
    const { resources, draft } = await drafted({
      "main.tf": 'module "m" {\n source = "./m"\n count = 20\n }',
      "m/main.tf": Array.from(
        { length: 3 },
        (_, at) => `resource "fake_box" "b${at}" {\n count = 20\n }`,
      ).join("\n"),
    });
    // Each is a loop of 20 objects.
    expect(Object.keys(resources)).toHaveLength(25);
    expect(draft.unsupported.filter(({ code }) => code === "too_many")).toHaveLength(35);
  });

  it("ends where modules repeat modules that repeat modules", async () => {
    const call = (path: string) => `module "m" {\n source = "${path}"\n count = 20\n }\n`;
    const { resources } = await drafted({
      "main.tf": call("./a"),
      "a/main.tf": call("../b"),
      "b/main.tf": call("../c"),
      "c/main.tf": 'resource "fake_box" "b" {}',
    });
    expect(Object.keys(resources).length).toBeLessThanOrEqual(200);
  });
});

it("says that a chain of waits is too long to be followed", async () => {
  const waits = Array.from(
    { length: 130 },
    (_, at) =>
      `resource "time_sleep" "t${at}" {\n  depends_on = [${at === 129 ? "aws_sqs_queue.b" : `time_sleep.t${at + 1}`}]\n}\n`,
  ).join("");
  const { lost } = await wholeDraft({
    "main.tf": `resource "aws_sqs_queue" "a" {
  name       = "a"
  depends_on = [time_sleep.t0]
}
resource "aws_sqs_queue" "b" {
  name = "b"
}
${waits}`,
  });
  expect(lost).toContainEqual(["aws_sqs_queue.a", "depends_on", 3]);
});
