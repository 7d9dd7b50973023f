import { expect, it } from "vitest";
import { packJson, unpackJson } from "./packed-json.ts";

it.each([null, "", "ü\u0000\u{1f600}", [1, { a: ["b"] }], { key: "x".repeat(100_000) }])(
  "is the same after packing: %j",
  async (value) => {
    expect(await unpackJson(await packJson(value))).toEqual(value);
  },
);

it("has a repeated long name only once", async () => {
  const folder = Array.from({ length: 1_000 }, (_, at) => ((at * 7919) % 36).toString(36)).join("");
  const items = Array.from({ length: 100 }, (_, at) => ({ file: `${folder}/${at}.tf`, line: at }));
  const packed = await packJson(items);
  expect(JSON.stringify(items).length).toBeGreaterThan(100_000);
  expect(packed.length).toBeLessThan(4_000);
});

it("is refused if `packJson` did not make it", async () => {
  await expect(unpackJson("[]")).rejects.toThrow(/./);
});
