import * as fc from "fast-check";
import { expect, it } from "vitest";
import { repeatedMember } from "./repeated-member.ts";

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
  expect(repeatedMember(text)).toBe(name);
});

it("finds nothing in what JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      expect(repeatedMember(JSON.stringify(value, null, indent))).toBeUndefined();
    }),
  );
});
