import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsingLosses } from "./parsing-losses.ts";

const numbersIn = (text: string) => parsingLosses(text, 100).numbers;

it.for([
  ['{"a":1,"a":2}', "a"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":{"b":1,"c":[{"d":1,"d" \n:2}]}}', "d"],
  ['{"a":[],"b":{},"a":0}', "a"],
  ['{"":1,"":2}', ""],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"\\\\":1,"\\"":2,"\\\\":3}', "\\"],
  ['{"a":"a","b":"a","c":["a","a"]}', undefined],
  ['{"a":{"a":1},"b":{"a":1}}', undefined],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"\\"a\\":","b":"},{\\"a\\":1"}', undefined],
  ['{"constructor":1,"toString":2}', undefined],
  ['"a"', undefined],
] as const)("finds what %s has twice", ([text, name]) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(parsingLosses(text, 1).repeated).toBe(name);
});

describe("numbers that become other ones", () => {
  it.for([
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "123456789012345678901234567890",
    "9007199254740993.0",
    "9007199254740993e0",
    "90071992547409.93e2",
    "9007199254740992.5",
    "1E20",
    "1e+23",
    "1e400",
    "-1e400",
    "1e-400",
    "-0.0001E-400",
    `${"9".repeat(400)}.5`,
  ])("finds %s", (text) => {
    expect(numbersIn(text)).toEqual([{ pointer: "", text }]);
  });

  it.for([
    "0",
    "-0",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740991.0",
    "1e3",
    "1E-3",
    "1e15",
    "0e999",
    "0.00e-999",
    "0.1",
    "0.30000000000000004",
    "0.10000000000000000555",
    "16.10",
    "3.14159265358979323846",
    '"9007199254740993"',
    '"1e400"',
  ])("takes %s", (text) => {
    expect(numbersIn(text)).toEqual([]);
  });

  it("says where they are", () => {
    const text =
      '{"a/~":[1,[2,1e400]],"9007199254740993":{"b":[{},{"c" :\n9007199254740993}]}, "d":-1E99}';
    expect(numbersIn(text)).toEqual([
      { pointer: "/a~1~0/1/1", text: "1e400" },
      { pointer: "/9007199254740993/b/1/c", text: "9007199254740993" },
      { pointer: "/d", text: "-1E99" },
    ]);
  });

  it("tells no more than are wanted", () => {
    expect(parsingLosses(JSON.stringify(Array(500).fill(1e20)), 3).numbers).toHaveLength(3);
  });

  it("takes every number that JSON.stringify writes of one within the exact range", () => {
    const within = Number.MAX_SAFE_INTEGER;
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeInteger(), fc.double({ min: -within, max: within, noNaN: true })),
        (number) => {
          expect(numbersIn(JSON.stringify([number]))).toEqual([]);
        },
      ),
    );
  });
});

it("finds nothing in the output of JSON.stringify", () => {
  const exact = fc.jsonValue().filter((value) => !/\d{16}|\de/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(exact, fc.constantFrom(0, 2), (value, indent) => {
      expect(parsingLosses(JSON.stringify(value, null, indent), 1)).toEqual({ numbers: [] });
    }),
  );
});
