import { base64 } from "oslo/encoding";
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type SealedPlace, sealerFrom } from "./seal.ts";
import { maskMap, openMap, sealedNames, sealMap } from "./sealed-map.ts";

const sealer = sealerFrom(`k1:${base64.encode(new Uint8Array(32).fill(1))}`);
const place: SealedPlace = { table: "instances", tenantId: "t1", row: "r1", column: "variables" };
const seal = (map: JsonMap, ...names: string[]) => sealMap(map, new Set(names), sealer, place);
const own = (text: string) => JSON.parse(text) as JsonMap;

describe("a map with secrets", () => {
  it("seals secret values, keeps the others readable, and opens to the original", async () => {
    const map = own('{"size":3,"password":"hunter2","deep":{"a":[null]},"__proto__":"x"}');
    const sealed = await seal(map, "password", "deep", "missing");
    expect(JSON.stringify(sealed)).not.toContain("hunter2");
    expect(sealed["size"]).toBe(3);
    expect(sealedNames(sealed)).toEqual(new Set(["password", "deep"]));
    expect(await openMap(sealed, sealer, place)).toEqual(map);
  });

  it("shows its secrets as [secret]", async () => {
    const masked = maskMap(await seal({ size: 3, password: "hunter2" }, "password"));
    expect(masked).toEqual({ size: 3, password: "[secret]" });
  });

  it("does not open input that imitates a sealed value", async () => {
    const stolen = await seal({ password: "hunter2" }, "password");
    const given = { copy: stolen["password"] ?? null };
    const sealed = await seal(given);
    expect(sealedNames(sealed)).toEqual(new Set(["copy"]));
    expect(await openMap(sealed, sealer, place)).toEqual(given);
  });

  it.each<JsonMap>([
    { a: { $sealed: 1 } },
    { a: { $sealed: "v1", more: 1 } },
    { a: ["$sealed"] },
    { $sealed: "v1.k1.x.y" },
  ])("treats %j as a plain value", async (map) => {
    expect(sealedNames(map)).toEqual(new Set());
    expect(await openMap(await seal(map), sealer, place)).toEqual(map);
  });

  it("does not open in another place", async () => {
    const sealed = await seal({ password: "hunter2" }, "password");
    await expect(openMap(sealed, sealer, { ...place, row: "r2" })).rejects.toThrow(
      /changed or moved/,
    );
  });
});
