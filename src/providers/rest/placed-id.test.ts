import { describe, expect, it } from "vitest";
import { located, ownIds, placedId, placedOutcome } from "./placed-id.ts";
import type { Attempt } from "./requests/attempt.ts";

const attempt = (within: string | undefined, properties: Attempt["properties"]): Attempt =>
  ({
    row: { path: "/things", update: "PUT", ...(within === undefined ? {} : { id: { within } }) },
    type: "digitalocean:Thing",
    properties,
    context: { config: {}, region: "r" },
  }) as unknown as Attempt;

describe("an id that is unique within a parent", () => {
  const inCluster = attempt("{cluster}", { cluster: "c1" });

  it("has the parent before it for the engine, and not for the cloud", () => {
    expect(placedId(inCluster, "shop")).toBe("c1/shop");
    expect(located(inCluster, "c1/shop")).toMatchObject({ ok: true, id: "shop" });
    expect(placedOutcome(inCluster, { kind: "done", id: "shop", outputs: { id: "shop" } })).toEqual(
      { kind: "done", id: "c1/shop", outputs: { id: "c1/shop" } },
    );
    expect(
      placedOutcome(inCluster, { kind: "done", id: "shop", outputs: { id: "x-1" } }),
    ).toMatchObject({ outputs: { id: "x-1" } });
    expect(placedOutcome(inCluster, { kind: "gone" })).toEqual({ kind: "gone" });
  });

  it("names the parent where no property does, so that it can be read by its id alone", () => {
    expect(located(attempt("{cluster}", {}), "c1/shop")).toMatchObject({
      id: "shop",
      attempt: { properties: { cluster: "c1" } },
    });
    expect(located(attempt("{zone}/{cluster}", {}), "z/c1/a/b")).toMatchObject({
      id: "a/b",
      attempt: { properties: { zone: "z", cluster: "c1" } },
    });
  });

  it.for(["shop", "c1/", "", "c2/shop"])("is refused as %j", (id) => {
    expect(located(inCluster, id)).toMatchObject({
      ok: false,
      failed: {
        code: "invalid_id",
        message: expect.stringContaining("<cluster>/<name or id>") as string,
      },
    });
  });

  it("is looked for beside those of the same parent", () => {
    expect(ownIds(inCluster, ["c1/shop", "c2/shop", "c11/x"])).toEqual(["shop"]);
    expect(ownIds(attempt(undefined, {}), ["a"])).toEqual(["a"]);
  });
});

it("leaves other ids as they are", () => {
  const plain = attempt(undefined, {});
  expect(placedId(plain, "a/b")).toBe("a/b");
  expect(located(plain, "a/b")).toMatchObject({ ok: true, id: "a/b" });
});
