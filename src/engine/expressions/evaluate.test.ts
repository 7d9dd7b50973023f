import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, unknownOf, type Value } from "#engine/value.ts";
import { Budget } from "./budget.ts";
import { evaluate, type Evaluated } from "./evaluate.ts";
import { parse } from "./parse.ts";
import { explain } from "./problem.ts";
import type { Scope } from "./scope.ts";

const secret = (value: Value) => new Secret(value, { sealed: false });
const sealed = (value: Value) => new Secret(value);

const values: { [name: string]: Value } = {
  list: [3, 1, 2],
  map: { b: 2, a: 1, "10": 0, "9": 0, constructor: "c", ["__proto__"]: "p" },
  texts: ["x", "y"],
  open: unknown,
  "open-number": unknownOf("number"),
  "open-list": unknownOf("array"),
  server: new PartlyKnown(
    { name: "web", tags: ["a"], size: { cpu: 2 } },
    { id: unknownOf("string") },
  ),
  own: secret("s3"),
  "own-list": secret([1, 2]),
  password: sealed("hunter2"),
  settings: sealed({ a: 1 }),
  database: { id: "db-1", uri: sealed("postgres://x") },
  price: 7,
};

const scope: Scope = {
  lookup: (name) => {
    if (name === "monitor") return { kind: "absent" };
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? { kind: "unknown name" } : { kind: "value", value };
  },
  names: () => Object.keys(values),
  isFraction: (name) => name === "price",
};

function evaluated(text: string): Evaluated {
  const parsed = parse(text);
  if (parsed.kind === "problem") throw new Error(explain(parsed.problem).message);
  return evaluate(parsed.node, scope, new Budget());
}

function valueOf(text: string): Value {
  const result = evaluated(text);
  if (result.kind === "value") return result.value;
  throw new Error(result.kind === "problem" ? explain(result.problem).message : "omitted");
}

function codeOf(text: string): string {
  const result = evaluated(text);
  return result.kind === "problem" ? result.problem.kind : JSON.stringify(result);
}

describe("a value", () => {
  it.for<[text: string, value: Value]>([
    ["7 / 2", 3],
    ["-7 / 2", -3],
    ["7 / 2.0", 3.5],
    ["price / 2", 3.5],
    ["cel.bind(x, 7.0, x / 2)", 3.5],
    ["double(7) / 2", 3.5],
    ["0.5 * 4 / 4", 0.5],
    ["-7 % 4", -3],
    ["1 == 1.0", true],
    ["'é' < '😀' && '\uffff' < '😀'", true],
    ["'a' in map", true],
    ["'toString' in map", false],
    ["map.constructor + map.`__proto__` + map['__proto__']", "cpp"],
    ["{'__proto__': 1}.`__proto__`", 1],
    ["map.map(k, k)", ["10", "9", "__proto__", "a", "b", "constructor"]],
    ["map.filter(k, k < 'b')", ["10", "9", "__proto__", "a"]],
    ["map.transformList(k, v, k)", ["10", "9", "__proto__", "a", "b", "constructor"]],
    ["list.transformList(i, v, i * v)", [0, 1, 4]],
    ["texts.transformMap(i, v, v)", { "0": "x", "1": "y" }],
    ["map.transformMap(k, v, k == 'a', v)", { a: 1 }],
    [
      "[{'n': 'x', 'v': 1}, {'n': 'y', 'v': 2}].transformMapEntry(i, e, {e.n: e.v + i})",
      { x: 1, y: 3 },
    ],
    ["texts.transformMapEntry(i, v, i > 0, {v: i})", { y: 1 }],
    ["{'hello': 'a'}.transformMapEntry(k, v, {k.reverse(): v})", { olleh: "a" }],
    ["map.transformMapEntry(k, v, {})", {}],
    [
      "list.transformMapEntry(i, v, v == 2 ? omit() : {string(v): i, 'at' + string(i): v})",
      {
        "3": 0,
        at0: 3,
        "1": 1,
        at1: 1,
      },
    ],
    ["['a=1', 'b'].transformMapEntry(i, v, cel.bind(e, v.split('='), {?e[0]: e[?1]}))", { a: "1" }],
    ["{'__proto__': 1}.transformMapEntry(k, v, {k: v}).`__proto__`", 1],
    ["list.exists(x, x.a == 1 || x == 2)", true],
    ["map.?c.orValue('none')", "none"],
    ["map.?b.orValue('none')", 2],
    ["list[?7].hasValue()", false],
    ["[1, ?map.?c, ?optional.of(2)]", [1, 2]],
    ["{'a': 1, ?'b': map.?c}", { a: 1 }],
    ["[1, map.a == 2 ? 5 : omit(), 2]", [1, 2]],
    ["{'a': 1, 'b': omit()}", { a: 1 }],
    ["has(monitor)", false],
    ["has(list)", true],
    ["has(monitor) ? monitor.id : 'none'", "none"],
    ["monitor.?id.orValue('none')", "none"],
    ["true || 1 / 0 == 1", true],
    ["1 / 0 == 1 || true", true],
    ["false && nothing", false],
    ["map.a == 1 ? 'x' : nothing", "x"],
    ["texts.map(x, omit())", []],
    ['texts.map(x, "left out")', ["left out", "left out"]],
  ])("%s", ([text, value]) => {
    expect(valueOf(text)).toEqual(value);
  });
});

describe("an unknown value", () => {
  it.for<[text: string, value: Value]>([
    ["open", unknown],
    ["open && false", false],
    ["open || true", true],
    ["open || false", unknownOf("boolean")],
    ["1 / 0 == 1 && open", unknownOf("boolean")],
    ["open ? 'x' : 'x'", "x"],
    ["server.?a == (open ? server.?a : list.a)", unknownOf("boolean")],
    ["open ? 'x' : 'y'", unknownOf("string")],
    ["open ? list[9] : 'y'", unknown],
    ["open-number + 1", unknownOf("number")],
    ["open-number == 'a'", false],
    ["[open, 1 + 1]", [unknown, 2]],
    ["[open, 1].map(x, x)[1]", 1],
    ["[open, 1].reverse()", [1, unknown]],
    ["size([open, 1])", 2],
    ["[1, open ? 2 : omit()]", unknownOf("array")],
    ["{'a': 1, 'b': open ? 2 : omit()}", new PartlyKnown({ a: 1 })],
    ["optional.ofNonZeroValue({'b': open ? 2 : omit()}).orValue({})", unknown],
    ["optional.ofNonZeroValue({'a': 1, 'b': open ? 2 : omit()}).orValue({}).a", 1],
    ["{open: 1, 'b': 2}.b", 2],
    ["server.name + '!'", "web!"],
    ["server.id", unknownOf("string")],
    ["server.address", unknown],
    ["server.tags[0]", "a"],
    ["server.tags[3]", unknown],
    ["server.size.gpu", unknown],
    ["has(server.name)", true],
    ["has(server.address)", unknownOf("boolean")],
    ["server.?address.orValue('x')", unknown],
    ["server.exists(k, k == 'name')", true],
    ["server.all(k, k == 'name')", false],
    ["server.all(k, true)", unknownOf("boolean")],
    ["open-list.exists(x, true)", unknownOf("boolean")],
    ["[1, open-number].filter(x, x == 1)", unknownOf("array")],
    ["[1, open-number].map(x, x == 1, x)", unknownOf("array")],
    ["[1, 2].exists(x, x == open || x == 2)", true],
    ["texts.transformMapEntry(i, v, i == 0 ? {v: open} : {v: 1})", { x: unknown, y: 1 }],
    ["texts.transformMapEntry(i, v, i == 0 ? open : {v: 1})", new PartlyKnown({ y: 1 })],
    ["texts.transformMapEntry(i, v, {open: 1, v: 2})", new PartlyKnown({ x: 2, y: 2 })],
    ["texts.transformMapEntry(i, v, open ? omit() : {v: 1})", new PartlyKnown({})],
    ["server.transformMapEntry(k, v, k == 'name', {v: k})", new PartlyKnown({ web: "name" })],
    ["open-list.transformMapEntry(i, v, {v: 1})", unknownOf("object")],
    ["server.merge({'name': 'db'}).name", "db"],
    ["{'name': 'db', 'x': 1}.merge(server).x", unknown],
    ["['a', open].join('-')", unknownOf("string")],
  ])("%s", ([text, value]) => {
    expect(valueOf(text)).toEqual(value);
  });

  it.for<[text: string, code: string]>([
    ["open-number.a", "wrong_kind"],
    ["open-number + 'a'", "wrong_kind"],
    ["open-list < 1", "wrong_kind"],
    ["open-number ? 1 : 2", "wrong_kind"],
    ["open-number.trim()", "wrong_kind"],
    ["server[0]", "wrong_kind"],
    ["open ? list[9] : list[8]", "no_such_item"],
  ])("fails for every value: %s", ([text, code]) => {
    expect(codeOf(text)).toBe(code);
  });

  it("may be left out", () => {
    expect(evaluated("open ? 1 : omit()")).toEqual({
      kind: "omitted",
      certain: false,
      secret: false,
    });
    expect(evaluated("omit()")).toEqual({ kind: "omitted", certain: true, secret: false });
    expect(evaluated("own == 'a' ? 1 : omit()")).toEqual({
      kind: "omitted",
      certain: true,
      secret: true,
    });
  });
});

describe("a secret of the template", () => {
  it.for<[text: string, value: Value]>([
    ["own + '!'", secret("s3!")],
    ["own == 's3'", secret(true)],
    ["own == 's3' ? 'a' : 'b'", secret("a")],
    ["size(own-list)", secret(2)],
    ["own-list[0]", secret(1)],
    ["own-list.map(x, x)", secret([1, 2])],
    ["[1, own][0]", 1],
    ["{own: 1}", secret({ s3: 1 })],
    ["list.filter(x, own == 's3')", secret([3, 1, 2])],
    ["[1].transformMapEntry(i, v, {own: v})", secret({ s3: 1 })],
    ["[1].transformMapEntry(i, v, {'a': own})", { a: secret("s3") }],
    ["[1, own == 'a' ? 2 : omit()]", secret([1])],
    ["json.encode([own])", secret('["s3"]')],
    ["[own].reverse()", [secret("s3")]],
    ["own == 'a' || true", secret(true)],
    ["unsecret(own)", "s3"],
    ["secret(1)", secret(1)],
    ["(own == 's3' ? optional.of(1) : optional.none()).hasValue()", secret(true)],
  ])("%s", ([text, value]) => {
    expect(valueOf(text)).toEqual(value);
  });

  it("is in no problem", () => {
    for (const text of [
      "map[own]",
      "{own: 1, 's3': 2}",
      "list[own-list[1] + 5]",
      "base64.decode(own)",
      "{}[own].a",
      "own-list[7]",
      "[1, 2].transformMapEntry(i, v, {own: v})",
      "['s3', own].transformMapEntry(i, v, {v: 1})",
    ]) {
      const result = evaluated(text);
      expect(result.kind, text).toBe("problem");
      expect(JSON.stringify(result)).not.toMatch(/s3|"(?:index|length)"/);
    }
  });
});

describe("a sealed value", () => {
  it.for<[text: string, value: Value]>([
    ["password", sealed("hunter2")],
    ["'x-' + password", sealed("x-hunter2")],
    ["settings + '!'", sealed('{"a":1}!')],
    ["['a', password].join('-')", sealed("a-hunter2")],
    ["'%s:%s'.format(['u', password])", sealed("u:hunter2")],
    ["[password, 1]", [sealed("hunter2"), 1]],
    ["map.a == 1 ? password : 'x'", sealed("hunter2")],
    ["open ? password : 'x'", sealed(unknown)],
    ["map.?c.orValue(password)", sealed("hunter2")],
    ["database.id == 'db-1'", true],
    ["size([password])", 1],
    ["[password, 'a'].map(x, x)[1]", "a"],
    ["base64.encode(password)", sealed("aHVudGVyMg==")],
    ["json.encode({'p': password})", sealed('{"p":"hunter2"}')],
    ["unsecret(password)", sealed("hunter2")],
    ["has(database.uri)", true],
  ])("can be passed on: %s", ([text, value]) => {
    expect(valueOf(text)).toEqual(value);
  });

  it.for([
    "password == 'a'",
    "password == 'a' || true",
    "false && true || password != 'a'",
    "[password] == ['a']",
    "'a' in [password]",
    "password in ['a']",
    "password < 'a'",
    "password ? 1 : 2",
    "!password",
    "-password",
    "1 + password",
    "[1] + password",
    "list[password]",
    "settings.a",
    "settings.?a.orValue(1)",
    "has(settings.a)",
    "settings['a']",
    "size(password)",
    "password.matches('a')",
    "'a'.contains(password)",
    "settings.map(x, x)",
    "list.filter(x, password)",
    "list.exists(x, password == x) || true",
    "open-list.exists(x, password == x)",
    "{password: 1}",
    "[password].transformMapEntry(i, v, {v: 1})",
    "[1].transformMapEntry(i, v, settings)",
    "settings.transformMapEntry(k, v, {k: v})",
    "open-list.transformMapEntry(i, v, settings)",
    "open-list.transformMapEntry(i, v, {password: v})",
    "string(password)",
    "int(password)",
    "type(password)",
    "base64.decode(password)",
    "json.decode(password)",
    "[password, 'a'].sort()",
    "[password].distinct()",
    "[password].flatten()",
    "'%d'.format([password])",
    "password.format([1])",
    "texts.join(password)",
    "optional.ofNonZeroValue(password)",
    "password.orValue(1)",
    "password.optMap(x, x)",
    "[?password]",
    "cidrHost(password, 1)",
  ])("is refused: %s", (text) => {
    expect(codeOf(text)).toBe("sealed_value");
  });

  it("costs the same whatever it is", () => {
    const parsed = parse(
      "'a' + password + json.encode(password) + sha256(password) + [password].join('')",
    );
    if (parsed.kind === "problem") throw new Error(parsed.problem.kind);
    const left = (value: Value) => {
      const budget = new Budget();
      const lookup: Scope["lookup"] = () => ({ kind: "value", value: sealed(value) });
      expect(evaluate(parsed.node, { lookup, names: () => [] }, budget).kind).toBe("value");
      return budget.left;
    };
    expect(
      new Set([left("a"), left("a".repeat(200)), left(null), left([1, { a: [] }]), left(7)]).size,
    ).toBe(1);
  });
});

describe("a problem", () => {
  it.for<[text: string, code: string]>([
    ["mpa.a", "unknown_name"],
    ["map.trimm()", "unknown_function"],
    ["trim('a')", "unknown_function"],
    ["'a'.trim(1)", "wrong_count"],
    ["omit(1)", "wrong_count"],
    ["map.z", "no_such_member"],
    ["list[3]", "no_such_item"],
    ["list[-1]", "no_such_item"],
    ["list[1.5]", "no_such_item"],
    ["null.a", "wrong_kind"],
    ["1 + 'a'", "wrong_kind"],
    ["1 < 'a'", "wrong_kind"],
    ["[1] < [2]", "wrong_kind"],
    ["1 / 0", "invalid_argument"],
    ["1.5 % 2", "invalid_argument"],
    ["9007199254740991 + 1", "invalid_argument"],
    ["1e308 * 10.0", "invalid_argument"],
    ["{'a': 1, 'a': 2}", "duplicate_key"],
    ["{1: 2}", "wrong_kind"],
    ["map.?a + 1", "optional_not_unwrapped"],
    ["optional.none().value()", "invalid_argument"],
    ["omit() + 1", "omission_not_used"],
    ["monitor.id", "absent_name"],
    ["monitor.?id.value()", "absent_name"],
    ["monitor.?id[0].value()", "absent_name"],
    ["cel.bind(monitor, map, monitor.?z.value())", "invalid_argument"],
    ["true && 1", "wrong_kind"],
    ["1 ? 2 : 3", "wrong_kind"],
    ["list.all(x, x)", "wrong_kind"],
    ["list.map(x, y)", "unknown_name"],
    ["1 .map(x, x)", "wrong_kind"],
    ["[1, 1].transformMapEntry(i, v, {string(v): i})", "duplicate_key"],
    ["texts.transformMapEntry(i, v, [v])", "wrong_kind"],
    ["texts.transformMapEntry(i, v, {v: 1}.?x)", "optional_not_unwrapped"],
    ["texts.transformMapEntry(i, v, i, {v: 1})", "wrong_kind"],
    ["[1].transformMapEntry(i, v, {v: 1})", "wrong_kind"],
  ])("%s: %s", ([text, code]) => {
    expect(codeOf(text)).toBe(code);
  });

  it.for([
    ["monitor.?id.value()", "`monitor` is not included: its condition `when` is false."],
    ["map.?z.value()", "`value` is called on an optional part of `map` without a value."],
    ["optional.none().value()", "`value` is called on an optional without a value."],
  ] as const)("names the part without a value: %s", ([text, message]) => {
    const result = evaluated(text);
    expect(result.kind === "problem" && explain(result.problem).message).toBe(message);
  });

  it("names what was probably meant", () => {
    const hintOf = (text: string) => {
      const result = evaluated(text);
      return result.kind === "problem" ? explain(result.problem).hint : undefined;
    };
    expect(hintOf("mpa.a")).toBe("Did you mean `map`?");
    expect(hintOf("price-x")).toBe(
      "`-` may be part of a name. For a subtraction, write `price - x`.",
    );
    expect(hintOf("'a'.upperAsci()")).toBe("Did you mean `upperAscii`?");
    expect(hintOf("list.fliter(x, x)")).toBe("Did you mean `filter`?");
    expect(hintOf("trim('a')")).toBe("Write `text.trim()`.");
    expect(hintOf("'a' + 1")).toBe("Make a string with `string(…)`.");
  });
});
