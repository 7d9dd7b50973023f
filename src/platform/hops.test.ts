import { expect, it } from "vitest";
import { parseHops } from "./hops.ts";

it.for([
  [undefined, 0],
  ["", 0],
  [" , ", 0],
  ["0", 0],
  ["9", 9],
  ["009", 9],
  ["00010", 10],
  ["9, 9", 9],
  ["10, 10", 10],
  ["3,10,,1", 10],
  ["99999", 10],
  ["9".repeat(400), 10],
  ["-1", 10],
  ["1e1", 10],
  ["1, x", 10],
  ["1;q=1", 10],
  ["0,".repeat(200_000), 0],
] as const)("counts the hops in case %#", ([header, hops]) => {
  expect(parseHops(header, 10)).toBe(hops);
});
