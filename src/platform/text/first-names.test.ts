import { expect, it } from "vitest";
import { firstNames } from "./first-names.ts";

it.for([
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [["a", "b", "c", "d"], "a, b and 2 more"],
] as const)("names of %j the first two: %s", ([names, said]) => {
  expect(firstNames(names, 2)).toBe(said);
});
