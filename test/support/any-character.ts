import * as fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any code point but unpaired surrogates, which UTF-8 cannot encode: a `unit` of `fc.string`. The library's unit
 * "binary" is the same, but builds a table of a million entries before the first value.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map(
    (place) => String.fromCodePoint(place < SURROGATES_FROM ? place : place + SURROGATES),
    (character) => {
      const code = typeof character === "string" ? character.codePointAt(0) : undefined;
      if (code === undefined || String.fromCodePoint(code) !== character)
        throw new Error("Not one character");
      if (code < SURROGATES_FROM) return code;
      if (code < SURROGATES_FROM + SURROGATES) throw new Error("An unpaired surrogate");
      return code - SURROGATES;
    },
  );
