import { encodeHex } from "oslo/encoding";
import { expect, it } from "vitest";
import { constantTimeEqual, digestHex } from "./digest.ts";
import { signHmac } from "./hmac.ts";

// FIPS 180-4 and RFC 4231, test case 2.
it.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
])("computes the SHA-256 of %j", async (text, expected) => {
  expect(await digestHex(text)).toBe(expected);
});

it("signs with HMAC-SHA256", async () => {
  const key = Uint8Array.from([0x4a, 0x65, 0x66, 0x65]);
  const signature = await signHmac(key, "what do ya want for nothing?");
  expect(encodeHex(signature)).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

it.each([
  ["", "", true],
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "Abc", false],
  ["abc", "ab", false],
  ["", "a", false],
])("compares %j with %j: %s", (a, b, equal) => {
  expect(constantTimeEqual(a, b)).toBe(equal);
});
