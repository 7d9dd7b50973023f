import { expect, it } from "vitest";
import { identityKeysFrom } from "#kernel/identity/identity-keys.ts";
import { rotatedRing } from "./identity-ring.ts";

const kidsOf = async (ring: string) =>
  (await identityKeysFrom(ring)).published.map(({ kid }) => kid);

it("rotates in three steps: the next key is published before it signs, the last one after", async () => {
  const ring = await rotatedRing("", "next");
  const [old] = await kidsOf(ring);
  const published = await rotatedRing(ring, "next");
  const [still, next] = await kidsOf(published);
  expect(still).toBe(old);
  const used = await rotatedRing(`${published}\n`, "use");
  expect(await kidsOf(used)).toEqual([next, old]);
  expect(await kidsOf(await rotatedRing(used, "drop"))).toEqual([next]);
});

it("refuses a step that would use a key that no cloud knows, or lose the only one", async () => {
  const ring = await rotatedRing("", "next");
  await expect(rotatedRing(ring, "use")).rejects.toThrow("no other key to use");
  await expect(rotatedRing(ring, "drop")).rejects.toThrow("no other key to drop");
  const two = await rotatedRing(ring, "next");
  await expect(rotatedRing(two, "next")).rejects.toThrow("is under way");
});

it("fits into a secret of Workers with two keys, and with three", async () => {
  const ring = await rotatedRing("", "next");
  expect(ring.length * 3 + 2).toBeLessThan(5 * 1024);
});
