import { describe, expect, it } from "vitest";
import { asOneLine, isOneLine, isPlainText } from "./visible-text.ts";

const seen = [
  "Shop",
  "Łódź · naïve café",
  "北京 東京 서울",
  "עברית",
  "العربية",
  "👩‍👩‍👧 family",
  "❤️‍🔥 and 1️⃣",
  "🏃🏽‍♂️",
  "a\u00a0b",
];
const unseen = [
  "a\u0000b",
  "a\rb",
  "a\u001bb",
  "a\u007fb",
  "a\u009bb",
  ...[
    0x200b, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff, 0x2028, 0x2029, 0x061c, 0x2060,
  ].map((code) => `a${String.fromCharCode(code)}b`),
  "a\ud800b",
];

describe("one line", () => {
  it.each(seen)("may be %j", (text) => expect(isOneLine(text)).toBe(true));
  it.each([
    ...unseen,
    "a\nb",
    "a\tb",
    "a\u200db",
    "👩\u200d",
    "\u200d👩",
    "a\u200cb",
    "a\u00adb",
    "\u3164",
    "a\ufe0fb",
  ])("may not be %j", (text) => {
    expect(isOneLine(text)).toBe(false);
    expect(isOneLine(asOneLine(text))).toBe(true);
  });
});

describe("a text of several lines", () => {
  it.each([...seen, "a\n\tb\r\nc", "می\u200cخواهم"])("may be %j", (text) =>
    expect(isPlainText(text)).toBe(true),
  );
  it.each(unseen.filter((text) => text !== "a\rb"))("may not be %j", (text) =>
    expect(isPlainText(text)).toBe(false),
  );
});

it("takes no longer for a text that almost matches", () => {
  const startedMs = performance.now();
  expect(isOneLine("👩‍".repeat(50_000))).toBe(false);
  expect(isOneLine("👩️".repeat(50_000))).toBe(true);
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});
