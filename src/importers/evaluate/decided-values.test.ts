import { describe, expect, it } from "vitest";
import { literal } from "#importers/expression.ts";
import { terraformParser } from "#importers/hcl/terraform.ts";
import { ImportLog } from "#importers/import-log.ts";
import { ImportWork } from "#importers/import-work.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import type { Bound, Decided, Scope } from "./scope.ts";
import { scopesOf } from "./scopes.ts";

async function scopesIn(files: Readonly<Record<string, string>>): Promise<Scope[]> {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const modules = withoutSecrets(parsedBy(terraformParser, given, log).modules);
  expect(log.warnings()).toEqual([]);
  const root = modules.find(({ path }) => path === ".");
  if (root === undefined) throw new Error("no root");
  return scopesOf(root, new Map(modules.map((one) => [one.path, one])), new ImportWork()).all;
}

/** A value with all its content: `open` is a part that the files do not decide, `error` one that Terraform refuses. */
function whole(bound: Bound): unknown {
  const of: Decided | undefined = bound.scope.decided.decide(bound);
  switch (of?.kind) {
    case undefined:
      return "open";
    case "error":
      return "error";
    case "literal":
      return of.value;
    case "list":
      return of.items.map(whole);
    case "map":
      return Object.fromEntries([...of.members].map(([name, one]) => [name, whole(one)]));
  }
}

function localIn(scope: Scope | undefined, name = "x"): unknown {
  const local = scope?.locals.get(name);
  if (scope === undefined || local === undefined) throw new Error(`no local ${name}`);
  return whole(scope.decided.bound(local.value, scope));
}

/** The value of an expression in a root module with further names. */
async function decided(expression: string, more = ""): Promise<unknown> {
  const [root] = await scopesIn({
    "main.tf": `
      variable "root" { default = true }
      resource "aws_vpc" "one" { cidr_block = "10.0.0.0/16" }
      resource "aws_vpc" "none" { count = 0 }
      resource "aws_vpc" "two" { count = 2 }
      resource "aws_vpc" "each" { for_each = toset(["b", "a"]) }
      locals {
        list = ["a", "b", null, ""]
        map = { b = 2, a = 1 }
        x = ${expression}
      }
      ${more}`,
  });
  return localIn(root);
}

/** The value of a called module's variable; `given`: the arguments of the call. */
async function variable(declaration: string, given = ""): Promise<unknown> {
  const [, called] = await scopesIn({
    "main.tf": `module "m" {\n source = "./m"\n ${given}\n }`,
    "m/main.tf": `variable "v" {\n ${declaration}\n }\n locals { x = var.v }`,
  });
  return localIn(called);
}

describe("an operator of literals", () => {
  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["7 % 4", 3],
    ["5 / 2", 2.5],
    ["1 / 3", "open"],
    ["1 / 0", "error"],
    ['"2" * 3', 6],
    ["0.1 + 0.2", "open"],
    ["9007199254740991 + 1", "open"],
    ["-local.map.b", -2],
    ["2 > 1 && 1 >= 1 && 1 < 2 && 1 <= 1", true],
    ["1 == 1", true],
    ['"a" != "b"', true],
    ['1 == "1"', "open"],
    ["null == null", true],
    ["local.map != null", true],
    ["[] == []", "open"],
    ["!true", false],
    ["true ? 1 : var.root", 1],
    ["false ? var.root : 2", 2],
    ["var.root ? 1 : 2", "open"],
    ["false && var.root", false],
    ["true && var.root", "open"],
    ["var.root || true", true],
    ["var.root || false", "open"],
    ["aws_vpc.one.id != null", "open"],
    ['"${1}-${local.map.a}"', "1-1"],
    ['"a${local.list[2]}"', "error"],
  ])("evaluates %s: %j", async (expression, expected) => {
    expect(await decided(expression)).toEqual(expected);
  });
});

describe("a function of literals", () => {
  it.each([
    ["length(local.list)", 4],
    ["length(local.map)", 2],
    ['length("abc")', 3],
    ['length("é")', "open"],
    ["length(var.root)", "open"],
    ["length(aws_vpc.two)", 2],
    ["length(aws_vpc.none[*].id)", 0],
    ['contains(local.list, "b")', true],
    ['contains(local.list, "z")', false],
    ['contains([var.root, "b"], "b")', true],
    ['contains([var.root], "b")', "open"],
    ["compact(local.list)", ["a", "b"]],
    ["compact([aws_vpc.one.id, null])", ["open"]],
    ["compact([var.root])", "open"],
    ["flatten([[1, [2]], 3])", [1, 2, 3]],
    ["flatten([[var.root]])", "open"],
    ["distinct([1, 2, 1])", [1, 2]],
    ["concat(local.list, [var.root])", ["a", "b", null, "", "open"]],
    ["keys(local.map)", ["a", "b"]],
    ["values(local.map)", [1, 2]],
    ["merge(local.map, null, { b = 3, c = var.root })", { a: 1, b: 3, c: "open" }],
    ["merge(local.map, var.root)", "open"],
    ['toset(["b", "a", "b"])', ["a", "b"]],
    ["tolist([1])", [1]],
    ['tonumber("2")', 2],
    ['tobool("true")', true],
    ["tostring(2)", "2"],
    ["tostring(null)", null],
    ['zipmap(["a", "b"], [1, 2])', { a: 1, b: 2 }],
    ['zipmap(["a"], [])', "error"],
    ["coalescelist([], [1])", [1]],
    ["slice([1, 2, 3], 1, 3)", [2, 3]],
    ["slice([1], 0, 2)", "error"],
    ["reverse([1, 2])", [2, 1]],
    ['sort(["b", "a"])', ["a", "b"]],
    ["range(3)", [0, 1, 2]],
    ["range(1, 4, 2)", [1, 3]],
    ["range(2, 0)", [2, 1]],
    ["range(1000000)", "open"],
    ["min(3, 1, 2)", 1],
    ["max(3, 1, 2)", 3],
    ["floor(1.5) + ceil(1.5) + abs(-1)", 4],
    ['join("-", ["a", 1])', "a-1"],
    ['split(",", "a,b")', ["a", "b"]],
    ['format("%s-%02d%%", "a", 7)', "a-07%"],
    ['format("%s", [])', "open"],
    [
      'format("%x %X %o %b %03d %+d|%-4d|%4d", 255, 255, 8, 5, -7, 4, 1, 2)',
      "ff FF 10 101 -07 +4|1   |   2",
    ],
    [
      'format("%-4s|%4s|%.2s|%t|%q|%v|%#v", "ab", "cd", "xyz", "true", "x", null, "y")',
      'ab  |  cd|xy|true|"x"|null|"y"',
    ],
    ['format("%.1f %07.2f %f", 3.14159, -2.5, 1)', "3.1 -002.50 1.000000"],
    ['format("%[2]s-%[1]s", "one", "two")', "two-one"],
    ['format("%d", 1.5)', "open"],
    ['format("%.0s", "a")', "open"],
    ['format("%.1f", 0.25)', "open"],
    ['format("%e", 1)', "open"],
    ['format("100%", 1)', "open"],
    ['replace("a.b.c", ".", "-")', "a-b-c"],
    ['replace("abc", "/b/", "")', "ac"],
    ['lower(upper("a"))', "a"],
    ['trimspace(" a ")', "a"],
    ['trimprefix(trimsuffix("abc", "c"), "a")', "b"],
    ['startswith("abc", "ab") && endswith("abc", "bc") && strcontains("abc", "b")', true],
    ["alltrue([true, false, var.root])", false],
    ["anytrue([var.root, true])", true],
    ["alltrue([true, var.root])", "open"],
    // The documentation's own examples.
    ['cidrsubnet("172.16.0.0/12", 4, 2)', "172.18.0.0/16"],
    ['cidrsubnet("10.1.2.0/24", 4, 15)', "10.1.2.240/28"],
    ['cidrhost("10.12.112.0/20", 16)', "10.12.112.16"],
    ['cidrhost("10.12.112.0/20", 268)', "10.12.113.12"],
    ['cidrsubnet("fd00:fd12:3456:7890::/56", 16, 162)', "open"],
    ["can(var.root)", "open"],
    ['can(regex("^[a-z]+$", "abc"))', true],
    ['can(regex("^[a-z]+$", "abc1"))', false],
    ['can(regex("(a)(b)", "ab"))', true],
    ["can([local.missing])", "open"],
    ['length(regexall("^[a-z]{2}-", "eu-west-1a")) > 0 ? "zone" : null', "zone"],
    ['length(regexall("^[a-z]{2}-", "euw1-az1")) > 0 ? "zone" : null', null],
    // The documentation's own examples.
    ['regexall("[a-z]+", "1234abcd5678efgh9")', ["abcd", "efgh"]],
    ['regexall("[a-z]+", "123456789")', []],
    ['regex("[a-z]+", "53453453.345345aaabbbccc23454")', "aaabbbccc"],
    ['regex("(\\d\\d\\d\\d)-(\\d\\d)-(\\d\\d)", "2019-02-01")', ["2019", "02", "01"]],
    ['replace("hello world", "/w.*d/", "everybody")', "hello everybody"],
    ['replace("a1b22c", "/[0-9]+/", "")', "abc"],
    ['replace("abc", "/(b)/", "$${1}")', "open"],
    ['regex("a(x)?b", "ab")', [null]],
    ['regex("[a-z]+", "1")', "error"],
    ['regexall("[a-z]*", "a1")', "open"],
    ['regexall("(?i)a", "A")', "open"],
    ['regexall("a", "ä")', "open"],
    ["regexall(var.root, aws_vpc.one.id)", "open"],
    ["unknown(1)", "open"],
    ["one([])", null],
    ["one([1])", 1],
    ["one([1, 2])", "error"],
    ["one(aws_vpc.none[*].id)", null],
    ['element(["a", "b"], 3)', "b"],
    ['lookup(local.map, "a", 5)', 1],
    ['lookup(local.map, "z", 5)', 5],
    ['lookup(local.map, "z")', "error"],
    ['coalesce(null, "", "a", var.root)', "a"],
    ["coalesce(null)", "error"],
    ["coalesce(var.root, 1)", "open"],
    ["try(local.map.z, local.map.a)", 1],
    ["try(aws_vpc.none[0].id, null)", null],
    ['try(aws_vpc.each["c"].id, "none")', "none"],
    ["try(aws_vpc.two[0].id, null)", "open"],
    ["try(var.root.part, 1)", "open"],
    ["try(local.map.z)", "error"],
    ["lookup({}, var.root, 5)", 5],
    ["lookup(local.map, var.root, 5)", "open"],
    ["jsondecode(jsonencode(local.map))", "open"],
    ['jsondecode("{\\"a\\": [1, null]}").a', [1, null]],
    ["try(jsondecode(local.map), local.map).b", 2],
    ['jsondecode("[")', "open"],
    ["jsondecode(null)", "error"],
  ])("evaluates %s: %j", async (expression, expected) => {
    expect(await decided(expression)).toEqual(expected);
  });
});

describe("a `for`", () => {
  it.each([
    ["[for s in local.list : s if s != null]", ["a", "b", ""]],
    ["[for i, s in local.list : i]", [0, 1, 2, 3]],
    ['[for k, v in local.map : format("%s%d", k, v)]', ["a1", "b2"]],
    ["[for v in local.map : v * 10]", [10, 20]],
    ["{ for k, v in local.map : upper(k) => v }", { A: 1, B: 2 }],
    ["{ for k, v in local.map : v => k }", { 1: "a", 2: "b" }],
    ['{ for s in ["a", "bc", "bd"] : bcrypt(s) => s }', "open"],
    ['[for s in ["a"] : md5(s)]', ["0cc175b9c0f1b6a831c399e269772661"]],
    [
      '{ for s in ["a1", "b2", "a3"] : trimsuffix(s, "1") => s... }',
      { a: ["a1"], b2: ["b2"], a3: ["a3"] },
    ],
    ["{ for s in range(4) : s % 2 => s... }", { 0: [0, 2], 1: [1, 3] }],
    ["{ for s in range(4) : s % 2 => s }", "error"],
    ['[for k, v in toset(["b", "a"]) : "${k}${v}"]', ["aa", "bb"]],
    ['[for k, v in tolist(toset(["b", "a"])) : "${k}${v}"]', ["0a", "1b"]],
    [
      "[for a in [1, 2] : [for b in [3, 4] : a * b]]",
      [
        [3, 4],
        [6, 8],
      ],
    ],
    ["[for a in [[1], [2, 3]] : [for a in a : a]]", [[1], [2, 3]]],
    ["flatten([for a in [1, 2] : [for b in [3, 4] : a * b if b > a + 1]])", [3, 4, 8]],
    [
      "merge([for k in local.list : { for s in [k] : s => 1 } if k != null]...)",
      { a: 1, b: 1, "": 1 },
    ],
    ["max([for v in local.map : v]...)", 2],
    ["max(1, var.root...)", "open"],
    ["[for local in [{ map = 7 }] : local.map]", [7]],
    ["[for s in var.root : s]", "open"],
    ["[for s in [var.root, 1] : s]", ["open", 1]],
    ["[for s in [var.root, 1] : s if s == 1]", "open"],
    ["{ for s in [var.root] : s => 1 }", "open"],
    ["[for s in 5 : s]", "error"],
    ["[for s in null : s]", "error"],
    ['[for s in "text" : s]', "error"],
    ["[for s in [1] : s if 5]", "error"],
    ["{ for s in [null] : s => 1 }", "error"],
    ["{ for s in [[]] : s => 1 }", "error"],
    ["[for s in local.map.z : s]", "error"],
    ["[for s in range(1000) : s][999]", 999],
    ["[for s in aws_vpc.two : s.id]", ["open", "open"]],
    ["[for s in aws_vpc.none : s.id]", []],
    ["{ for k, s in aws_vpc.each : k => s.id }", { a: "open", b: "open" }],
    ["length([for s in aws_vpc.two : s.id])", 2],
    [
      "flatten([aws_vpc.two[*].id, [for s in aws_vpc.each : s.arn]])",
      ["open", "open", "open", "open"],
    ],
    ["flatten([aws_vpc.one.ipv6_association_ids])", "open"],
    ["length(slice(aws_vpc.one.zones, 1, 3))", 2],
    ["slice(var.root, 0, 2)", ["open", "open"]],
    ["slice(aws_vpc.one.zones, 3, 1)", "open"],
    ["slice(aws_vpc.one.zones, 0, 1000000)", "open"],
    ["slice(aws_vpc.none[0].zones, 0, 1)", "error"],
    [
      '[for i, z in slice(aws_vpc.one.zones, 0, 2) : cidrsubnet("10.0.0.0/16", 8, i)]',
      ["10.0.0.0/24", "10.0.1.0/24"],
    ],
  ])("evaluates %s: %j", async (expression, expected) => {
    expect(await decided(expression)).toEqual(expected);
  });

  it("over itself is open", async () => {
    expect(await decided("[for s in local.x : s]")).toBe("open");
    expect(await decided("[for s in local.y : s]", "locals { y = [for s in local.x : s] }")).toBe(
      "open",
    );
  });

  it("that its own tool would not finish ends", async () => {
    const nested = "[for a in range(900) : [for b in range(900) : [for c in range(900) : a]]]";
    expect(await decided(`length(flatten(${nested}))`)).toBe("open");
  });
});

describe("a part of a value", () => {
  it.each([
    ["local.map.b", 2],
    ['local.map["b"]', 2],
    ["local.list[0]", "a"],
    ["local.list[local.map.a]", "b"],
    ["local.list[9]", "error"],
    ["local.list[2].a", "error"],
    ["{ a = [{ b = 1 }] }.a[0].b", 1],
    ["[{ a = 1 }, { a = 2 }][*].a", [1, 2]],
    ["[{ a = 1 }, {}][*].a", "error"],
    ["null[*].a", []],
    ["local.map[*].b", [2]],
    ["aws_vpc.two[*].id", ["open", "open"]],
    ["values(aws_vpc.each)[*].id", ["open", "open"]],
    ["keys(aws_vpc.each)", ["a", "b"]],
    ["aws_vpc.one[*].id", ["open"]],
    ["aws_vpc.none[0].id", "error"],
    ["aws_vpc.unknown[0].id", "open"],
    ["local.unknown", "open"],
    ["local.map[var.root]", "open"],
  ])("is read by %s: %j", async (expression, expected) => {
    expect(await decided(expression)).toEqual(expected);
  });
});

describe("a variable", () => {
  it("of the root is open, whatever its default", async () => {
    expect(await decided("var.root")).toBe("open");
  });

  it.each([
    ["default = 1", "", 1],
    ["default = 1", "v = 2", 2],
    ["default = null", "", null],
    ["", "", "open"],
    ["default = 1\n nullable = false", "v = null", 1],
    ["default = 1", "v = null", null],
    ["default = 1\n sensitive = true", "", "open"],
    ["type = string", "v = 1", "1"],
    ["type = number", 'v = "1"', 1],
    ["type = bool", 'v = "true"', true],
    ["type = bool", 'v = "maybe"', "error"],
    ["type = any", "v = [1]", [1]],
    ["type = list(string)", "v = [1, 2]", ["1", "2"]],
    ["type = set(string)", 'v = ["b", "a", "b"]', ["a", "b"]],
    ["type = map(number)", 'v = { a = "1" }', { a: 1 }],
    ["type = map(string)", "v = []", "error"],
    ["type = object({ a = string })", "v = { a = 1, b = 2 }", { a: "1" }],
    ["type = object({ a = string })", "v = {}", "error"],
    [
      'type = map(object({ a = optional(string, "x"), b = optional(number) }))',
      "v = { k = { a = null }, l = { b = 1 } }",
      { k: { a: "x", b: null }, l: { a: "x", b: 1 } },
    ],
    ["type = tuple([string])", "v = [1]", "open"],
  ])("declared with %j and given %j is %j", async (declaration, given, expected) => {
    expect(await variable(declaration, given)).toEqual(expected);
  });

  it("of a module in a module has the values of both calls", async () => {
    const [, , inner] = await scopesIn({
      "main.tf": 'module "a" {\n source = "./a"\n on = true\n }',
      "a/main.tf": 'variable "on" {}\n module "b" {\n source = "../b"\n on = !var.on\n }',
      "b/main.tf": 'variable "on" {}\n locals { x = var.on ? "yes" : "no" }',
    });
    expect(localIn(inner)).toBe("no");
  });

  it("that the root's module passes on is open", async () => {
    const [, called] = await scopesIn({
      "main.tf":
        'variable "on" { default = true }\n module "m" {\n source = "./m"\n on = var.on\n }',
      "m/main.tf": 'variable "on" { default = false }\n locals { x = var.on }',
    });
    expect(localIn(called)).toBe("open");
  });
});

describe("a name of a secret", () => {
  it("is decided only for a boolean", async () => {
    const text = `locals {
      create_password = true
      password = format("%s", "a-canary")
      api_token = { a = lower("a-canary") }
      y = local.password
      z = local.api_token["a"]
      x = local.create_password ? 1 : 2
      w = values({ password = { value = lower("a-canary") } })[0].value
    }`;
    const [root] = await scopesIn({ "main.tf": text });
    const said = ["w", "x", "y", "z"].map((name) => localIn(root, name));
    expect(said).toEqual(["open", 1, "open", "open"]);
  });
});

describe("an output of a module", () => {
  const files = {
    "main.tf": `
      module "one" { source = "./m" }
      module "two" {
        source = "./m"
        count = 2
        name = "n\${count.index}"
      }
      module "each" {
        source = "./m"
        for_each = { a = "first", b = "second" }
        name = "\${each.key}-\${each.value}"
      }
      module "none" {
        source = "./m"
        count = length(module.two) - 2
      }
      locals {
        a = module.one.name
        b = module.two[1].name
        c = module.each["b"].name
        d = [module.two[*].name, values(module.each)[*].name]
        e = try(module.none[0].name, "none")
        f = module.two[2].name
        g = module.one.other
        h = length(module.none)
      }`,
    "m/main.tf": 'variable "name" { default = "d" }\n output "name" { value = var.name }',
  };

  it.each([
    ["a", "d"],
    ["b", "n1"],
    ["c", "b-second"],
    [
      "d",
      [
        ["n0", "n1"],
        ["a-first", "b-second"],
      ],
    ],
    ["e", "none"],
    ["f", "error"],
    ["g", "error"],
    ["h", 0],
  ])("has the value of its instance: %s", async (name, expected) => {
    const [root] = await scopesIn(files);
    expect(localIn(root, name)).toEqual(expected);
  });

  it("has scopes in the order of the calls, each with its own address", async () => {
    const scopes = await scopesIn(files);
    expect(scopes.map(({ prefix }) => prefix)).toEqual([
      "",
      "module.one.",
      "module.two[0].",
      "module.two[1].",
      'module.each["a"].',
      'module.each["b"].',
    ]);
    expect(scopes.map(({ label }) => label)).toEqual([
      "",
      "one",
      "two 1",
      "two 2",
      "each a",
      "each b",
    ]);
  });
});

describe("a hostile expression", () => {
  it.each([
    ["a local of itself", "local.x"],
    ["a list of itself", "[local.x][0]"],
    ["itself under a condition", "true ? local.x : 1"],
    ["the first of itself", "try(local.x, coalesce(local.x, 1))"],
  ])("ends: %s", async (_, expression) => {
    expect(await decided(expression)).toBe("open");
  });

  it("that is a part of itself ends, and Terraform refuses it", async () => {
    expect(await decided("local.x.a")).toBe("error");
  });

  it("ends where two calls depend on each other", async () => {
    const [root] = await scopesIn({
      "main.tf": `
        module "a" {
          source = "./m"
          count = module.b.n
        }
        module "b" {
          source = "./m"
          count = module.a.n
        }
        locals { x = length(module.a) }`,
      "m/main.tf": 'output "n" { value = 1 }',
    });
    expect(localIn(root)).toBe("open");
  });

  it.each([
    ["texts", (at: number) => `"\${local.x${at}}\${local.x${at}}"`, '"ab"'],
    ["lists", (at: number) => `concat(local.x${at}, local.x${at})`, "[1]"],
    ["lists of lists", (at: number) => `flatten([local.x${at}, local.x${at}])`, "[1]"],
    ["conditions", (at: number) => `local.x${at} == 1 ? local.x${at} : local.x${at}`, "var.root"],
  ])("is open where %s double with every line", async (_, line, first) => {
    const lines = Array.from({ length: 60 }, (__, at) => `x${at + 1} = ${line(at)}`);
    const text = `variable "root" {}\n locals {\n x0 = ${first}\n ${lines.join("\n")}\n}`;
    const spentMs = processorTime();
    const [root] = await scopesIn({ "main.tf": text });
    expect(localIn(root, "x60")).toBe("open");
    expect(spentMs()).toBeLessThan(2_000);
  });

  it("is open after a budget of steps, so that the work on a draft ends", async () => {
    const [root] = await scopesIn({ "main.tf": "locals { x = 1 }" });
    if (root === undefined) throw new Error("no root");
    // The limits of one value and of the draft.
    for (let values = 0; values < 7; values += 1) {
      root.decided.next({ expression: literal(values), scope: root });
      root.decided.spend(59_000);
    }
    expect(root.decided.spend(59_000)).toBe(false);
    expect(root.decided.isSpent).toBe(true);
  });
});

describe("the instances of a resource", () => {
  it.each([
    ["count = 0", { kind: "count", count: 0 }],
    ["count = 1", { kind: "count", count: 1 }],
    ['count = "2"', { kind: "count", count: 2 }],
    ["count = 20", { kind: "count", count: 20 }],
    ["count = 501", undefined],
    ["count = 1.5", undefined],
    ["count = -1", undefined],
    ["count = null", undefined],
    ["count = var.root", undefined],
    ["", { kind: "one" }],
    ["for_each = {}", { kind: "each", keys: [] }],
    ["for_each = { b = var.root, a = 1 }", { kind: "each", keys: ["b", "a"] }],
    ['for_each = toset(["b", "a"])', { kind: "each", keys: ["a", "b"] }],
    ["for_each = aws_vpc.two", undefined],
    ["for_each = var.root", undefined],
    ["for_each = { for k in var.root : k => k }", undefined],
    ["for_each = toset([var.root])", undefined],
    [`for_each = { ${"k".repeat(201)} = 1 }`, undefined],
    [
      `for_each = { ${Array.from({ length: 501 }, (_, at) => `k${at} = 1`).join(", ")} }`,
      undefined,
    ],
  ])("are decided by %j", async (settings, expected) => {
    const [root] = await scopesIn({
      "main.tf": `
        variable "root" {}
        resource "aws_vpc" "two" { count = 2 }
        resource "aws_vpc" "this" {
          ${settings}
        }`,
    });
    const source = root?.resources.get("aws_vpc.this");
    const found = root && source && root.decided.instances(source, root);
    const shown =
      found?.kind === "each" ? { kind: "each", keys: [...found.members.keys()] } : found;
    expect(shown).toEqual(expected);
  });
});

describe("a function of texts or sets", () => {
  it.each([
    ['substr("hello", 1, 3)', "ell"],
    ['substr("hello", -3, -1)', "llo"],
    ['substr("hello", 9, 2)', ""],
    ['substr("h\u00e9llo", 0, 2)', "open"],
    ['title("hello wide-world it_s")', "Hello Wide-World It_s"],
    ['strrev("abc")', "cba"],
    ['chomp("a\\n\\r\\n")', "a"],
    ['trim("..a.b..", ".")', "a.b"],
    ['trim("....", ".")', ""],
    ['indent(2, "a\\nb")', "a\n  b"],
    ['formatlist("%s-%s", ["a", "b"], "x")', ["a-x", "b-x"]],
    ['formatlist("%s-%s", ["a", "b"], ["x"])', "error"],
    ['formatlist("%s", "a")', "open"],
    ['parseint("ff", 16)', 255],
    ['parseint("fg", 16)', "error"],
    ['basename("a/b/c.zip")', "c.zip"],
    ['dirname("a/b/c.zip")', "a/b"],
    ['dirname("c.zip")', "."],
    ['dirname("/c.zip")', "/"],
    ['dirname("a/../b")', "open"],
    ["pow(2, 5)", 32],
    ["signum(-3)", -1],
    ["sum([1, 2, 3])", 6],
    ["sum([])", "error"],
    ['index(["a", "b"], "b")', 1],
    ['index(["a"], "c")', "error"],
    ['setunion(["b", "a"], ["c", "a"])', ["a", "b", "c"]],
    ['setintersection(["b", "a"], ["a", "c"])', ["a"]],
    ['setsubtract(["b", "a"], ["a"])', ["b"]],
    [
      'setproduct(["a", "b"], ["x", "y"])',
      [
        ["a", "x"],
        ["a", "y"],
        ["b", "x"],
        ["b", "y"],
      ],
    ],
    ['chunklist(["a", "b", "c"], 2)', [["a", "b"], ["c"]]],
    ['matchkeys(["x", "y"], ["a", "b"], ["b"])', ["y"]],
    ['transpose({ a = ["x", "y"], b = ["y"] })', { x: ["a"], y: ["a", "b"] }],
    [
      'cidrsubnets("10.0.0.0/16", 4, 4, 8, 4)',
      ["10.0.0.0/20", "10.0.16.0/20", "10.0.32.0/24", "10.0.48.0/20"],
    ],
    ['cidrsubnets("10.0.0.0/30", 1, 1, 1)', "open"],
    ['cidrnetmask("172.16.0.0/12")', "255.240.0.0"],
    ['nonsensitive("a")', "a"],
  ])("%s", async (expression, wanted) => {
    expect(await decided(expression)).toEqual(wanted);
  });
});
