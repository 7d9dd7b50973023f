import { expect, it } from "vitest";
import { identityKeysFrom } from "#kernel/identity/identity-keys.ts";
import { rotatedRing } from "./identity-ring.ts";

const kidsOf = async (ring: string) =>
  (await identityKeysFrom(ring)).published.map(({ kid }) => kid);

it("rotates in three steps: the next key is published before it signs, the last one after", async () => {
  const ring = rotatedRing("", "next");
  const [old] = await kidsOf(ring);
  const published = rotatedRing(ring, "next");
  const [still, next] = await kidsOf(published);
  expect(still).toBe(old);
  const used = rotatedRing(`${published}\n`, "use");
  expect(await kidsOf(used)).toEqual([next, old]);
  expect(await kidsOf(rotatedRing(used, "drop"))).toEqual([next]);
});

it("refuses a step that would use a key that no cloud knows, or lose the only one", () => {
  const ring = rotatedRing("", "next");
  expect(() => rotatedRing(ring, "use")).toThrow("no other key to use");
  expect(() => rotatedRing(ring, "drop")).toThrow("no other key to drop");
  expect(() => rotatedRing(rotatedRing(ring, "next"), "next")).toThrow("is under way");
});

it("fits into a secret of Workers with two keys, and with three", () => {
  const ring = rotatedRing("", "next");
  expect(ring.length * 3 + 2).toBeLessThan(5 * 1024);
});
