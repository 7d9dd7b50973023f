import { describe, expect, it } from "vitest";
import { crc32 } from "#platform/crypto/crc32.ts";
import { checkedKey, keyPrefix, makeKey, parseKey } from "./api-key.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";

describe("a key", () => {
  it("contains the id of its row, and whether it claims to be an operator's", () => {
    const [tenant, operator] = [makeKey(id, false), makeKey(id, true)];
    expect(tenant).toMatch(/^cpk_01890a5dac96774bbcceb302099a8057_[0-9A-Za-z]{49}$/);
    expect(operator).toMatch(/^cpk_op01890a5dac96774bbcceb302099a8057_[0-9A-Za-z]{49}$/);
    expect(parseKey(tenant)).toEqual({ keyId: id, operator: false });
    expect(parseKey(operator)).toEqual({ keyId: id, operator: true });
    expect([checkedKey(tenant), checkedKey(operator)]).toEqual([true, true]);
  });

  it("ends with the CRC-32 of the rest, in base 62", () => {
    const key = makeKey(id, false);
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const value = key
      .slice(-6)
      .split("")
      .reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });

  it("is rejected if any one character differs", () => {
    const key = makeKey(id, false);
    for (let at = 0; at < key.length; at += 1) {
      const wrong = key.slice(0, at) + (key[at] === "0" ? "1" : "0") + key.slice(at + 1);
      expect(checkedKey(wrong), `character ${at}`).toBe(false);
    }
  });

  it.each([
    "",
    "cpk_",
    "cpk_x_y",
    ` ${makeKey(id, false)}`,
    `${makeKey(id, false)}\n`,
    makeKey(id, false).toUpperCase(),
  ])("is not found in %j", (text) => {
    expect(checkedKey(text)).toBe(false);
    expect(parseKey(text)).toBeUndefined();
  });

  it("is unique and uses every character", () => {
    const keys = Array.from({ length: 100 }, () => makeKey(id, false));
    const secrets = keys.map((key) => key.slice(-49, -6));
    expect(new Set(secrets).size).toBe(100);
    expect(new Set(secrets.join("")).size).toBe(62);
  });

  it("shows only four characters of its secret", () => {
    const key = makeKey(id, false);
    expect(keyPrefix(key)).toBe(key.slice(0, -45));
    expect(keyPrefix(key)).toHaveLength("cpk_".length + 32 + 1 + 4);
  });
});
