import { expect, it } from "vitest";
import { crc32 } from "./crc32.ts";

it.each([
  ["", 0x00000000],
  ["a", 0xe8b7be43],
  // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
  ["123456789", 0xcbf43926],
  ["The quick brown fox jumps over the lazy dog", 0x414fa339],
])("computes the CRC-32 of %j", (text, expected) => {
  expect(crc32(text)).toBe(expected);
});
