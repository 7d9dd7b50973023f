import { expect, it } from "vitest";
import { extendsText } from "./extends-text.ts";

it.for([
  ["1.34", "1.34.1-do.0", true],
  ["1.34.1", "1.34.1-do.0", true],
  ["1.34.1-do.0", "1.34.1-do.0", true],
  ["latest", "1.34.1-do.0", true],
  ["1.3", "1.34.1-do.0", false],
  ["1.35", "1.34.1-do.0", false],
  ["", "1.34.1-do.0", false],
  ["1.34", undefined, false],
  [1.34, "1.34.1", false],
] as const)("%s is shown as %s: %s", ([sent, shown, expected]) => {
  expect(extendsText(sent, shown)).toBe(expected);
});
