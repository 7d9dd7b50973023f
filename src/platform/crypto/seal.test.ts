import { base64 } from "oslo/encoding";
import { describe, expect, it } from "vitest";
import { SealBroken, type SealedPlace, sealerFrom } from "./seal.ts";

const keyOf = (byte: number) => base64.encode(new Uint8Array(32).fill(byte));
const [k1, k2] = [`k1:${keyOf(1)}`, `k2:${keyOf(2)}`];
const place: SealedPlace = { table: "webhooks", tenantId: "t1", row: "r1", column: "secret" };
const sealer = sealerFrom(k1);

describe("a sealed value", () => {
  it.each(["", "secret", "Ämter 🚀 \0", "x".repeat(100_000)])(
    "opens to the original value: %#",
    async (text) => {
      expect(await sealer.open(await sealer.seal(text, place), place)).toBe(text);
    },
  );

  it("has a version, the key id, a unique nonce and an opaque ciphertext", async () => {
    const [one, two] = [await sealer.seal("secret", place), await sealer.seal("secret", place)];
    expect(one).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
    expect(one).not.toBe(two);
    expect(one).not.toContain("secret");
  });

  it.each<Partial<SealedPlace>>([
    { table: "api_keys" },
    { tenantId: "t2" },
    { row: "r2" },
    { column: "old_secrets" },
    { table: 'webhooks","t1', tenantId: "" },
  ])("does not open in another place: %j", async (moved) => {
    const sealed = await sealer.seal("secret", place);
    await expect(sealer.open(sealed, { ...place, ...moved })).rejects.toThrow(SealBroken);
  });

  it("does not open when any part is changed", async () => {
    const sealed = await sealer.seal("secret", place);
    const [, , iv = "", text = ""] = sealed.split(".");
    const other = (part: string) => (part.startsWith("A") ? "B" : "A") + part.slice(1);
    for (const changed of [
      `v2.k1.${iv}.${text}`,
      `v1.k9.${iv}.${text}`,
      `v1.k1.${other(iv)}.${text}`,
      `v1.k1.${iv}.${other(text)}`,
      `v1.k1.${iv}.${text.slice(0, -4)}`,
      `v1.k1.${iv}.`,
      `v1.k1..${text}`,
      `${sealed}.more`,
      `v1.k1.${iv}`,
      "",
      "secret",
    ])
      await expect(sealer.open(changed, place), changed).rejects.toThrow(SealBroken);
  });

  it("does not open with another key of the same id", async () => {
    const sealed = await sealer.seal("secret", place);
    await expect(sealerFrom(`k1:${keyOf(9)}`).open(sealed, place)).rejects.toThrow(SealBroken);
  });

  it("opens after a key rotation while the ring contains its key", async () => {
    const sealed = await sealer.seal("secret", place);
    const rotated = sealerFrom(`${k2},${k1}`);
    expect(await rotated.open(sealed, place)).toBe("secret");
    const resealed = await rotated.seal("secret", place);
    expect(resealed).toMatch(/^v1\.k2\./);
    await expect(sealerFrom(k2).open(sealed, place)).rejects.toThrow(SealBroken);
    expect(await sealerFrom(k2).open(resealed, place)).toBe("secret");
  });
});

describe("a derived key", () => {
  it("is stable per purpose, differs between purposes and from the ring's key", async () => {
    const [one, same, other] = await Promise.all(
      ["cursor", "cursor", "csrf"].map((purpose) => sealer.derive(purpose)),
    );
    expect(one).toHaveLength(32);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(one).not.toEqual(new Uint8Array(32).fill(1));
  });
});

describe("a key ring", () => {
  it.each([
    undefined,
    "",
    ",",
    "k1",
    `k1:${base64.encode(new Uint8Array(31))}`,
    `k1:${base64.encode(new Uint8Array(33))}`,
    "k1:not base64",
    `:${keyOf(1)}`,
    `k 1:${keyOf(1)}`,
    `${k1},k2`,
  ])("throws for %j", (ring) => {
    expect(() => sealerFrom(ring)).toThrow(/SEALING_KEYS/);
  });

  it("may contain spaces and a trailing comma", () => {
    expect(() => sealerFrom(` ${k1} , ${k2} ,`)).not.toThrow();
  });
});
