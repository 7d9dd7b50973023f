import * as fc from "fast-check";
import { expect, it } from "vitest";
import { folded } from "./folded.ts";

it.for([
  ["ÄÖÜ", "äöü"],
  ["Straße", "STRASSE"],
  ["STRAẞE", "strasse"],
  ["İstanbul", "istanbul"],
  ["ISPARTA", "ısparta"],
  ["ΟΔΟΣ", "οδος"],
  ["ΟΔΟΣ", "οδοσ"],
  ["Москва", "МОСКВА"],
  ["ＡＢＣ１", "abc1"],
  ["E\u0301", "é"],
  ["ǅ", "ǆ"],
  ["ﬁ", "FI"],
  ["ΐ", "ι\u0308\u0301"],
  ["K", "k"],
] as const)("makes %s and %s one text", ([one, other]) => {
  expect(folded(one)).toBe(folded(other));
});

it.for([
  ["e", "é"],
  ["a", "ä"],
  ["o", "0"],
  ["е", "e"],
] as const)("leaves %s and %s two texts", ([one, other]) => {
  expect(folded(one)).not.toBe(folded(other));
});

it("gives one text for all encodings of a character", () => {
  const other: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    const form = folded(text);
    if (form.length > 18 * text.length) other.push(text);
    const ways = [text.toLowerCase(), text.toUpperCase(), form, text.normalize("NFKD")];
    for (const way of ways) if (way !== text && folded(way) !== form) other.push(text);
  }
  expect(other).toEqual([]);
});

it("gives one text for all encodings of a text", () => {
  const hard = fc.constantFrom(
    ...Array.from("iIİıßẞſΣσςͅΐǰŉﬁÅΩK"),
    "\u0307",
    "\u0301",
    "\u0323",
    "\u0345",
    "가",
    "A",
  );
  const text = fc.array(fc.oneof(hard, fc.string({ unit: "grapheme", maxLength: 1 })));
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join("");
      const form = folded(whole);
      expect(folded(form)).toBe(form);
      expect(folded(whole.normalize("NFD"))).toBe(form);
      expect(folded(whole.normalize("NFC"))).toBe(form);
    }),
    { numRuns: 2_000 },
  );
});
