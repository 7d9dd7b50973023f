import { describe, expect, it } from "vitest";
import { fillPath, placeholdersIn } from "./fill-path.ts";

describe("fillPath", () => {
  it("fills each placeholder from the first source that has it", () => {
    const filled = fillPath("/v1/{project}/regions/{region}/things/{id}", [
      { id: 7 },
      { project: "own" },
      { project: "config", region: "nyc" },
    ]);
    expect(filled).toEqual({ ok: true, path: "/v1/own/regions/nyc/things/7" });
  });

  it("encodes characters that would change the path", () => {
    const filled = fillPath("/v1/{a}", [{ a: "x/../y?z#%2e" }]);
    expect(filled).toEqual({ ok: true, path: "/v1/x%2F..%2Fy%3Fz%23%252e" });
  });

  it.for([[undefined], [null], [""]])("rejects a placeholder without a value: %j", ([value]) => {
    const filled = fillPath("/v1/{a}", [value === undefined ? {} : { a: value }]);
    expect(filled).toMatchObject({ ok: false, code: "missing_path_value" });
    expect(filled.ok ? "" : filled.message).toContain('"a"');
  });

  it.for([["."], [".."], [{}], [true], ["\ud800"]])(
    "rejects a value that is not a valid path segment: %j",
    ([value]) => {
      const filled = fillPath("/v1/{a}", [{ a: value ?? null }]);
      expect(filled).toMatchObject({ ok: false, code: "invalid_path_value" });
    },
  );

  it("ignores inherited names", () => {
    const filled = fillPath("/{constructor}", [{}]);
    expect(filled).toMatchObject({ ok: false, code: "missing_path_value" });
  });

  it("lists each placeholder once", () => {
    expect(placeholdersIn("/{a}/{b}/{a}?x={c_1}")).toEqual(["a", "b", "c_1"]);
  });
});
