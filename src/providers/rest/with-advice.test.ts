import { expect, it } from "vitest";
import { withAdvice } from "./with-advice.ts";

it.each([
  ["unknown key", "Set another.", "unknown key. Set another."],
  ["Unknown key.", "Set another.", "Unknown key. Set another."],
  ["unknown key", "", "unknown key"],
])("joins %j and %j", (words, advice, whole) => {
  expect(withAdvice(words, advice)).toBe(whole);
});
