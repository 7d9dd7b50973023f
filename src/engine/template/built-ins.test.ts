import { expect, it } from "vitest";
import { Budget } from "#engine/expressions/budget.ts";
import { functions } from "#engine/expressions/functions.ts";
import { PartlyKnown, Secret, unknown, unknownOf, type Value } from "#engine/value.ts";
import { callBuiltIn, resultTypeOf } from "./built-ins.ts";
import { builtIns } from "./expressions.ts";
import { ResolveError } from "./resolve-error.ts";
import type { BuiltIn } from "./template.ts";

const place = { path: "/outputs/a", line: 1, column: 1 };
const call = (fn: BuiltIn, argument: Value) => callBuiltIn(fn, argument, place, new Budget());
/** A secret that the template itself made. */
const s = (value: Value) => new Secret(value, { sealed: false });
const sealed = (value: Value) => new Secret(value);

it.for<[BuiltIn, Value, Value]>([
  ["join", ["-", ["a", 1, true]], "a-1-true"],
  ["join", ["-", []], ""],
  ["split", [",", "a,b,,c"], ["a", "b", "", "c"]],
  ["split", ["", "a😀"], ["a", "😀"]],
  ["select", [1, ["a", "b"]], "b"],
  ["select", [0, [null]], null],
  ["length", ["a", "b"], 2],
  ["length", "a😀", 2],
  ["length", { a: 1 }, 1],
  ["toJSON", { b: [1, null], a: "x" }, '{"a":"x","b":[1,null]}'],
  ["toJSON", "a", '"a"'],
  ["toBase64", "hé", "aMOp"],
  ["fromBase64", "aMOp", "hé"],
  ["sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  ["sha1", "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
  ["secret", 1, s(1)],
  ["unsecret", s("a"), "a"],
  ["unsecret", { a: [s("b")] }, { a: ["b"] }],
  ["singleOrNone", [], null],
  ["singleOrNone", ["a"], "a"],
])("fn::%s of %j is %j", ([fn, argument, expected]) => {
  expect(call(fn, argument)).toEqual(expected);
});

it("encodes and decodes a string of 300,000 characters", () => {
  const text = "aé😀".repeat(100_000);
  expect(call("fromBase64", call("toBase64", text))).toBe(text);
});

it.for<[BuiltIn, Value, Value]>([
  ["join", [s("-"), ["a"]], s("a")],
  ["join", ["-", s(["a", "b"])], s("a-b")],
  ["join", ["-", ["a", s("b")]], s("a-b")],
  ["split", [",", s("a,b")], s(["a", "b"])],
  ["select", [s(0), ["a"]], s("a")],
  ["select", [0, s(["a"])], s("a")],
  ["select", [0, ["a", s("b")]], "a"],
  ["select", [1, ["a", s("b")]], s("b")],
  ["length", s(["a"]), s(1)],
  ["length", [s("a")], 1],
  ["toJSON", { a: s("x") }, s('{"a":"x"}')],
  ["toBase64", s("a"), s("YQ==")],
  ["fromBase64", s("YQ=="), s("a")],
  ["sha1", s("abc"), s("a9993e364706816aba3e25717850c26c9cd0d89d")],
  ["singleOrNone", s(["a"]), s("a")],
  ["singleOrNone", [s("a")], s("a")],
  ["secret", s("a"), s("a")],
])("fn::%s keeps a secret argument secret: %j", ([fn, argument, expected]) => {
  expect(call(fn, argument)).toEqual(expected);
});

const resultOf: { readonly [fn: string]: Value } = {
  join: unknownOf("string"),
  split: unknownOf("array"),
  length: unknownOf("integer"),
  toJSON: unknownOf("string"),
  toBase64: unknownOf("string"),
  fromBase64: unknownOf("string"),
  sha1: unknownOf("string"),
};

it.for<[BuiltIn, Value]>([
  ["join", unknown],
  ["join", [unknownOf("string"), unknownOf("array")]],
  ["join", ["-", [unknownOf("integer", "object")]]],
  ["split", unknownOf("array")],
  ["select", [unknownOf("integer"), ["a"]]],
  ["length", unknownOf("number", "string")],
  ["sha1", unknownOf("string")],
  ["join", [unknown, ["a"]]],
  ["join", ["-", unknown]],
  ["join", ["-", ["a", unknown]]],
  ["split", [",", unknown]],
  ["split", [unknown, "a"]],
  ["select", [unknown, ["a"]]],
  ["select", [0, unknown]],
  ["select", [0, [unknown]]],
  ["length", unknown],
  ["length", new PartlyKnown({ a: 1 })],
  ["toJSON", { a: unknown }],
  ["toJSON", new PartlyKnown({ a: 1 })],
  ["toBase64", unknown],
  ["fromBase64", unknown],
  ["sha1", unknown],
  ["singleOrNone", unknown],
  ["unsecret", s(unknown)],
])("fn::%s of an unknown value is unknown, with the type of its results: %j", ([fn, argument]) => {
  expect(call(fn, argument)).toEqual(resultOf[fn] ?? unknown);
});

it.for<[BuiltIn, Value]>([
  ["join", [unknown, [s("a")]]],
  ["join", ["-", [unknown, s("a")]]],
  ["join", [s("-"), unknown]],
  ["split", [unknown, s("a")]],
  ["split", [s(","), unknown]],
  ["select", [unknown, ["a", s("b")]]],
  ["select", [s(0), unknown]],
  ["toJSON", [unknown, s("a")]],
  ["toJSON", new PartlyKnown({ a: s("x") })],
  ["sha1", s(unknown)],
  ["secret", unknown],
])("fn::%s stays secret if a part is unknown: %j", ([fn, argument]) => {
  expect(call(fn, argument)).toEqual(s(resultOf[fn] ?? unknown));
});

it.for<[BuiltIn, Value]>([
  ["join", "a"],
  ["join", ["-"]],
  ["join", ["-", ["a"], "b"]],
  ["join", [1, ["a"]]],
  ["join", ["-", "a"]],
  ["join", ["-", [["a"]]]],
  ["join", ["-", [null]]],
  ["join", [unknown, 5]],
  ["join", ["-", [unknown, s({})]]],
  ["split", ["-", 5]],
  ["split", [5, "a"]],
  ["select", ["0", ["a"]]],
  ["select", [-1, ["a"]]],
  ["select", [0.5, ["a"]]],
  ["select", [1, ["a"]]],
  ["select", [0, "a"]],
  ["length", 5],
  ["length", null],
  ["toBase64", 5],
  ["fromBase64", "not base64!"],
  ["fromBase64", "gID+"],
  ["sha1", ["a"]],
  ["singleOrNone", "a"],
  ["singleOrNone", ["a", "b"]],
  // Known only after apply, with a type that the function does not accept.
  ["join", unknownOf("string")],
  ["join", [unknownOf("array"), ["a"]]],
  ["join", ["-", unknownOf("object")]],
  ["join", ["-", ["a", unknownOf("array")]]],
  ["join", ["-", ["a", new PartlyKnown({})]]],
  ["split", ["-", unknownOf("integer")]],
  ["split", [unknownOf("boolean"), "a"]],
  ["select", [unknownOf("string"), ["a"]]],
  ["select", [0, new PartlyKnown({})]],
  ["select", [1, [unknown]]],
  ["length", unknownOf("boolean", "number")],
  ["toBase64", s(unknownOf("object"))],
  ["fromBase64", unknownOf("array")],
  ["sha1", new PartlyKnown({ a: 1 })],
  ["singleOrNone", unknownOf("string")],
])("fn::%s rejects %j", ([fn, argument]) => {
  expect(() => call(fn, argument)).toThrow(ResolveError);
  expect(() => call(fn, argument)).toThrow(`fn::${fn}`);
});

it("keeps secrets out of error messages", () => {
  expect(() => call("fromBase64", s("hunter2!"))).toThrow(/^(?!.*hunter2)/);
  expect(() => call("select", [s(71), ["a"]])).toThrow(/^(?!.*71)/);
  expect(() => call("fromBase64", sealed("hunter2!"))).toThrow(/^(?!.*hunter2)/);
});

it.for<[BuiltIn, Value, Value]>([
  ["unsecret", sealed("a"), sealed("a")],
  ["unsecret", sealed(unknown), sealed(unknown)],
  ["unsecret", s([sealed("a"), s("b")]), [sealed("a"), "b"]],
  ["unsecret", new PartlyKnown({ a: sealed("x") }), new PartlyKnown({ a: sealed("x") })],
  ["secret", sealed("a"), sealed("a")],
  ["join", ["-", [s("a"), sealed("b")]], sealed("a-b")],
  ["select", [s(0), [sealed("a")]], sealed("a")],
  ["length", [sealed("x")], 1],
  ["singleOrNone", [sealed("a")], sealed("a")],
  ["toJSON", { a: s("x"), b: sealed("y") }, sealed('{"a":"x","b":"y"}')],
  ["toBase64", sealed("a"), sealed("YQ==")],
  ["sha1", sealed(""), sealed("da39a3ee5e6b4b0d3255bfef95601890afd80709")],
])("fn::%s keeps a sealed argument sealed: %j", ([fn, argument, expected]) => {
  expect(call(fn, argument)).toEqual(expected);
  expect(call("unsecret", call(fn, argument))).toEqual(expected);
});

it.for<[BuiltIn, Value, Value]>([
  ["split", ["b", sealed("abc")], ["b", sealed("xyz")]],
  ["split", [sealed(","), "a,b"], [sealed("-"), "a,b"]],
  ["split", [unknown, sealed("a")], [",", sealed(unknown)]],
  ["fromBase64", sealed("YQ=="), sealed("not base64!")],
  ["singleOrNone", sealed(["a"]), sealed(["a", "b"])],
  ["select", [0, sealed(["a"])], [0, sealed("a")]],
  ["length", sealed("abc"), sealed(3)],
  ["join", sealed(["-", ["a"]]), sealed("a")],
  ["select", [sealed(0), ["a"]], [sealed(7), ["a"]]],
])("fn::%s does not reveal a sealed value by failing: %j", ([fn, one, other]) => {
  const refusals = [one, other].map((argument) => {
    try {
      return call(fn, argument);
    } catch (error) {
      return error;
    }
  });
  expect(refusals[0]).toMatchObject({ name: "ResolveError", code: "sealed_value" });
  expect(String(refusals[1])).toBe(String(refusals[0]));
});

it("every name is one of the table of functions, and every name of the table can be written", () => {
  const named = functions.flatMap(({ template }) => template?.name ?? []);
  expect(named.toSorted()).toEqual([...builtIns].sort());
  expect([resultTypeOf("length"), resultTypeOf("select")]).toEqual(["integer", undefined]);
});
