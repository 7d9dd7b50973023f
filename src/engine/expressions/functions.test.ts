import { describe, expect, it } from "vitest";
import { isMap, type Value } from "#engine/value.ts";
import { Budget } from "./budget.ts";
import { evaluate } from "./evaluate.ts";
import { functions, specialFunctions } from "./functions.ts";
import { parse } from "./parse.ts";
import { explain } from "./problem.ts";
import type { Scope } from "./scope.ts";

const scope: Scope = { lookup: () => ({ kind: "unknown name" }), names: () => [] };

/** The value, or the words of the problem. */
function result(text: string): Value {
  const parsed = parse(text);
  if (parsed.kind === "problem") throw new Error(explain(parsed.problem).message);
  const evaluated = evaluate(parsed.node, scope, new Budget());
  if (evaluated.kind === "value") return evaluated.value;
  return evaluated.kind === "problem" ? { problem: explain(evaluated.problem).message } : "omitted";
}

const values: readonly [text: string, value: Value][] = [
  ["'a-b'.contains('-')", true],
  ["'ab'.startsWith('a') && 'ab'.endsWith('b')", true],
  ["'web-12'.matches('^[a-z]+-[0-9]+$')", true],
  ["matches('web', 'e')", true],
  ["'a.b.c'.replace('.', '-')", "a-b-c"],
  ["'a.b.c'.replace('.', '-', 1)", "a-b.c"],
  ["'ab'.replace('', '-')", "-a-b-"],
  ["'a,b,c'.split(',')", ["a", "b", "c"]],
  ["'a,b,c'.split(',', 2)", ["a", "b,c"]],
  ["'a,b'.split(',', 0)", []],
  ["'é😀'.split('')", ["é", "😀"]],
  ["['a', 1, true].join('-')", "a-1-true"],
  ["'Web É'.lowerAscii() + 'web é'.upperAscii()", "web ÉWEB é"],
  ["' a\\u00a0'.trim()", "a"],
  ["'😀bc'.substring(1)", "bc"],
  ["'😀bc'.substring(0, 1)", "😀"],
  ["'😀bc'.charAt(1)", "b"],
  ["'😀b😀'.indexOf('😀', 1)", 2],
  ["'😀b😀'.lastIndexOf('😀')", 2],
  ["'abc'.reverse()", "cba"],
  ["'%s is %d of %.2f, %x'.format(['a', 2, 1.005, 255])", "a is 2 of 1.00, ff"],
  ["'%s'.format([{'b': [1, 'x'], 'a': null}])", "{a: null, b: [1, x]}"],
  ["'%.0f %.0f %e'.format([2.5, 3.5, 1500.0])", "2 4 1.500000e+03"],
  ["size('😀') + size([1, 2]) + size({'a': 1})", 4],
  ["[3, 1, 2].sort()", [1, 2, 3]],
  ["['b', 'a', '😀', '\\uffff'].sort()", ["a", "b", "\uffff", "😀"]],
  ["[1, 2, 1, {'a': 1}, {'a': 1}].distinct()", [1, 2, { a: 1 }]],
  ["[1, [2, [3]]].flatten()", [1, 2, [3]]],
  ["[1, [2, [3]]].flatten(2)", [1, 2, 3]],
  ["[1, 2, 3].slice(1, 3)", [2, 3]],
  ["[1, 2].reverse()", [2, 1]],
  ["lists.range(3)", [0, 1, 2]],
  ["[5, 6].select(1)", 6],
  ["[5].singleOrNone()", 5],
  ["{'b': 1, 'a': 2, '10': 3}.keys()", ["10", "a", "b"]],
  ["{'b': 1, 'a': 2}.values()", [2, 1]],
  ["{'a': 1, 'b': 1}.merge({'b': 2})", { a: 1, b: 2 }],
  ["cidrSubnet('10.0.0.0/16', 8, 2)", "10.0.2.0/24"],
  ["cidrSubnet('fd00:fd12:3456:7890::/56', 16, 162)", "fd00:fd12:3456:7800:a200::/72"],
  ["cidrSubnet('10.1.2.3/16', 0, 0)", "10.1.0.0/16"],
  ["cidrHost('10.12.112.0/20', 16)", "10.12.112.16"],
  ["cidrHost('10.12.112.0/20', -1)", "10.12.127.255"],
  ["cidrHost('2001:db8::/32', 1)", "2001:db8::1"],
  ["cidrNetmask('172.16.0.0/12')", "255.240.0.0"],
  ["base64.encode('é😀')", "w6nwn5iA"],
  ["base64.decode('w6nwn5iA')", "é😀"],
  ["json.encode({'b': [1, null], 'a': 'x'})", '{"a":"x","b":[1,null]}'],
  ["json.decode('{\"a\":[1,2.5,null]}')", { a: [1, 2.5, null] }],
  ["sha1('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  ["sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["sha512('abc').substring(0, 16)", "ddaf35a193617aba"],
  ["string(1.5) + string(true) + string(10)", "1.5true10"],
  ["int('-42') + int(3.9) + int('007')", -32],
  ["double('1.5') * 2", 3],
  ["bool('true')", true],
  [
    "[null, true, 1, 'a', [], {}].map(x, type(x))",
    ["null", "boolean", "number", "string", "list", "map"],
  ],
  ["dyn(1)", 1],
  ["unsecret(secret('a'))", "a"],
  ["secret(1) == 1 ? omit() : 1", "omitted"],
  ["optional.ofNonZeroValue('').hasValue()", false],
  ["optional.none().or(optional.of(1)).value()", 1],
  ["optional.none().orValue(2)", 2],
];

const refused: readonly [text: string, problem: string][] = [
  [
    "'a'.matches('(')",
    "`matches` cannot use the pattern. The pattern is not a valid regular expression.",
  ],
  [
    "'a'.matches('(a)\\\\1')",
    "`matches` cannot use the pattern. Patterns do not support backreferences.",
  ],
  ["[{}].join('')", "`join` joins strings, numbers and booleans; one item is a map."],
  ["'%s'.format([])", "`format` has no value for clause 1: the list has 0."],
  ["'%q'.format([1])", "`format` has no verb `%q`."],
  ["'%d'.format(['a'])", "`format` takes a whole number for `%d`, not a string."],
  ["'%.101f'.format([1.0])", "`format` takes at most 100 digits after the point."],
  ["'abc'.substring(2, 1)", "`substring` takes an end that is not before the start."],
  ["'abc'.charAt(4)", "`charAt` takes a position within the text."],
  ["'abc'.charAt(1.5)", "`charAt` takes a whole number, not a number."],
  ["[1, 'a'].sort()", "`sort` takes items that are all numbers, all strings or all booleans."],
  ["lists.range(10001)", "`lists.range` takes a number from 0 to 10000."],
  ["[1].slice(1, 3)", "`slice` takes positions within the list, in order."],
  ["[1, 2].singleOrNone()", "`singleOrNone` takes a list of at most one item."],
  ["cidrSubnet('10.0.0.0/30', 4, 0)", "`cidrSubnet` takes 0 to 2 more bits for this range."],
  ["cidrSubnet('10.0.0.0/24', 2, 4)", "`cidrSubnet` takes a number below 4 for this many bits."],
  [
    "cidrHost('10.0.0.0/30', 4)",
    "`cidrHost` takes a number within the range, which has 4 addresses.",
  ],
  ["cidrHost('10.0.0.300/30', 1)", "`cidrHost` takes an address range."],
  ["cidrHost('10.00.0.0/30', 1)", "`cidrHost` takes an address range."],
  ["cidrHost('::1::/64', 1)", "`cidrHost` takes an address range."],
  ["cidrNetmask('::/64')", "`cidrNetmask` takes a range of version 4."],
  ["base64.decode('*')", "`base64.decode` takes a string in Base64."],
  ["base64.decode('/w==')", "`base64.decode` takes the Base64 of UTF-8 text."],
  ["json.decode('{')", "`json.decode` takes a text that is JSON."],
  ["json.decode('9007199254740993')", "`json.decode` takes whole numbers up to 2^53."],
  ["int('x')", "`int` takes a number, or a text of digits, up to 2^53."],
  ["double('')", "`double` takes a number, or a text that is one."],
  ["bool('yes')", "`bool` takes `true` or `false`."],
  ["'a'.trim(1)", "`trim` takes no arguments, not 1."],
  ["'a'.split()", "`split` takes 1 or 2 arguments, not none."],
  ["[].trim()", "`trim` takes a string, not a list."],
];

describe("the functions", () => {
  it.for(values)("give %s", ([text, value]) => {
    expect(result(text)).toEqual(value);
  });

  it.for(refused)("refuse %s", ([text, problem]) => {
    expect(result(text)).toEqual({ problem });
  });

  it("are all tested", () => {
    const texts = [...values, ...refused].map(([text]) => text).join("\n");
    for (const { name } of [...functions, ...specialFunctions])
      expect(texts).toMatch(new RegExp(`\\b${name.replace(".", "\\.")}\\(`));
  });

  it("are described for editors", () => {
    const names = [...functions, ...specialFunctions].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, description } of [...functions, ...specialFunctions])
      expect(description, name).toMatch(/^[A-Z].{10,160}\.$/);
    for (const { name, cost } of functions)
      if (cost !== undefined) expect(cost, name).toMatch(/\.$/);
  });

  it("have every name of the `fn::` form", () => {
    const template = functions.flatMap(({ template }) =>
      template === undefined ? [] : [template.name],
    );
    expect(template.sort()).toEqual([
      "fromBase64",
      "join",
      "length",
      "secret",
      "select",
      "sha1",
      "singleOrNone",
      "split",
      "toBase64",
      "toJSON",
      "unsecret",
    ]);
  });

  it("keep a member with a special name", () => {
    const merged = result("{'__proto__': 1}.merge({'constructor': 2})");
    expect(isMap(merged) ? Object.keys(merged).sort() : []).toEqual(["__proto__", "constructor"]);
  });
});
