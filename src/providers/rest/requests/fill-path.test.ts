import { describe, expect, it } from "vitest";
import { fillId, fillPath, placeholdersIn } from "./fill-path.ts";

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
    const filled = fillPath("/v1/{a}", [{ a: "x y?z#%2e" }]);
    expect(filled).toEqual({ ok: true, path: "/v1/x%20y%3Fz%23%252e" });
  });

  it.for([[undefined], [null], [""]])("rejects a placeholder without a value: %j", ([value]) => {
    const filled = fillPath("/v1/{a}", [value === undefined ? {} : { a: value }]);
    expect(filled).toMatchObject({ ok: false, code: "missing_path_value" });
    expect(filled.ok ? "" : filled.message).toContain('"a"');
  });

  it("takes a flag in the query alone", () => {
    const filled = fillPath("/v1/x?on={a}", [{ a: false }]);
    expect(filled).toEqual({ ok: true, path: "/v1/x?on=false" });
  });

  it("takes a slash in the query alone, where it divides nothing", () => {
    const filled = fillPath("/v1/{a}?under={b}", [{ a: "x", b: "y/z" }]);
    expect(filled).toEqual({ ok: true, path: "/v1/x?under=y%2Fz" });
  });

  it.for([["."], [".."], [{}], [true], ["\ud800"], ["x/y"], ["../x"], ["x\u0000"], ["x\ny"]])(
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

  it("lists the placeholders that keep slashes by their names", () => {
    expect(placeholdersIn("/v1/{+id}/{zone}")).toEqual(["id", "zone"]);
  });
});

describe("a placeholder that keeps slashes", () => {
  it.for([
    ["projects/p/topics/t", "/v1/projects/p/topics/t"],
    ["/subscriptions/s/x", "/v1/subscriptions/s/x"],
    ["a?b/c#d/e%2f", "/v1/a%3Fb/c%23d/e%252f"],
    [7, "/v1/7"],
  ] as const)("fills in %j, with its segments encoded", ([id, path]) => {
    expect(fillPath("/v1/{+id}", [{ id }])).toEqual({ ok: true, path });
  });

  it.for([["a/../b"], ["./a"], ["a//b"], ["a/"], ["//a"], ["/"], [{}], [true], ["a/\ud800"]])(
    "refuses a value that leads elsewhere: %j",
    ([id]) => {
      const filled = fillPath("/v1/{+id}", [{ id: id ?? null }]);
      expect(filled).toMatchObject({ ok: false, code: "invalid_path_value" });
    },
  );
});

describe("fillId", () => {
  it("makes an id of plain text", () => {
    const filled = fillId("projects/{project}/topics/{name}", [{ project: "p", name: "a b" }]);
    expect(filled).toEqual({ ok: true, path: "projects/p/topics/a b" });
  });

  it("keeps the slashes only where the placeholder says so", () => {
    const sources = [{ parent: "folders/f", name: "t" }];
    const filled = fillId("{+parent}/topics/{name}", sources);
    expect(filled).toEqual({ ok: true, path: "folders/f/topics/t" });
  });

  it.for([["t/../../other"], ["x/y"], [".."]])(
    "refuses a name that would make it the id of another object: %s",
    ([name = ""]) => {
      const filled = fillId("projects/p/topics/{name}", [{ name }]);
      expect(filled).toMatchObject({ ok: false, code: "invalid_path_value" });
    },
  );
});
