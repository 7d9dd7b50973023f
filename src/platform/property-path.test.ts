import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyKey, formatPropertyPath, parsePropertyPath } from "./property-path.ts";

describe("a property path", () => {
  it.for([
    ["settings.size", ["settings", "size"]],
    ["rules[0].port", ["rules", 0, "port"]],
    ['labels["a.b"]', ["labels", "a.b"]],
    ['["a]\\"b"].c', ['a]"b', "c"]],
    ["rules[*].port", ["rules", anyKey, "port"]],
    ["*", [anyKey]],
    ["rules.*", ["rules", anyKey]],
    ["a-b.__proto__", ["a-b", "__proto__"]],
  ] as const)("reads %s", ([text, path]) => {
    expect(parsePropertyPath(text)).toEqual(path);
  });

  it.for(["", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", 'a["b]', 'a["\\q"]', "a[0]b"])(
    "refuses %s",
    (text) => {
      expect(parsePropertyPath(text)).toBeUndefined();
    },
  );

  it("round-trips through formatting and parsing", () => {
    const segment = fc.oneof(fc.string(), fc.nat(1000));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (path) => {
        expect(parsePropertyPath(formatPropertyPath(path))).toEqual(path);
      }),
    );
  });

  it("never throws for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("[", "]", ".", '"', "\\", "a", "*", "0") }),
        (text) => {
          expect(() => parsePropertyPath(text)).not.toThrow();
        },
      ),
    );
  });
});
