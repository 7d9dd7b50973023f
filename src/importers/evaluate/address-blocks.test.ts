import { describe, expect, it } from "vitest";
import { addressIn, firstBlocks, subBlock } from "./address-blocks.ts";

describe("a part of a block of addresses", () => {
  it.each([
    ["10.0.0.0/16", 8, 0, "10.0.0.0/24"],
    ["10.0.0.0/16", 8, 255, "10.0.255.0/24"],
    ["10.1.2.3/16", 4, 15, "10.1.240.0/20"],
    ["0.0.0.0/0", 32, 4_294_967_295, "255.255.255.255/32"],
    ["192.168.7.0/24", 0, 0, "192.168.7.0/24"],
  ])("is a block by number: %s, %i bits, number %i", (block, bits, number, expected) => {
    expect(subBlock(block, bits, number)).toBe(expected);
  });

  it.each([
    ["10.0.0.0/16", 8, 256],
    ["10.0.0.0/16", 17, 0],
    ["10.0.0.0/16", -1, 0],
    ["10.0.0.0/16", 8, 0.5],
    ["10.0.0.256/16", 8, 0],
    ["10.0.0.0/33", 8, 0],
    ["fd00::/8", 8, 0],
    ["${network}", 8, 0],
    ["10.0.0.0/16", Number.NaN, 0],
  ])("does not exist: %s, %d bits, number %d", (block, bits, number) => {
    expect(subBlock(block, bits, number)).toBeUndefined();
  });

  it("is one of the first blocks, with so many bits for hosts", () => {
    expect(firstBlocks("10.40.0.0/16", 3, 8)).toEqual([
      "10.40.0.0/24",
      "10.40.1.0/24",
      "10.40.2.0/24",
    ]);
    expect(firstBlocks("10.40.0.0/24", 3, 7)).toBeUndefined();
    expect(firstBlocks("10.40.0.0/16", 257, 1)).toBeUndefined();
  });

  it("is an address, counted from either end", () => {
    expect(addressIn("10.0.1.0/24", 5)).toBe("10.0.1.5");
    expect(addressIn("10.0.1.0/24", -1)).toBe("10.0.1.255");
    expect(addressIn("10.0.1.0/24", 256)).toBeUndefined();
    expect(addressIn("10.0.1.0/24", -257)).toBeUndefined();
  });
});
