import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

it.for([
  ["regoin", "region"],
  ["Region", "region"],
  ["dbPasword", "dbPassword"],
  ["nett", "net"],
])("takes %s to mean %s", ([written, meant]) => {
  expect(nearest(written ?? "", ["db", "net", "region", "dbPassword"])).toBe(meant);
});

it("suggests nothing when no name is close", () => {
  expect(nearest("elephant", ["db", "net", "region"])).toBeUndefined();
  expect(nearest("x", ["y"])).toBeUndefined();
});

it("prefers the closest of several", () => {
  expect(nearest("server1", ["server10", "servers", "server2", "server1x1"])).toBe("server10");
});

it("gives up on names beyond 128 characters instead of comparing them", () => {
  const long = "a".repeat(129);
  expect(nearest(long, [long])).toBeUndefined();
});
