import { applyPatch } from "rfc6902";
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { afterUpdate, beforeUpdate } from "#test/support/sent-update.ts";
import { jsonPatch } from "./json-patch.ts";
import type { AwsType } from "./row-parts.ts";

function patchOf(
  current: JsonMap,
  {
    before = beforeUpdate,
    after = afterUpdate,
    unsure = false,
  }: { before?: JsonMap; after?: JsonMap; unsure?: boolean },
  row: Partial<AwsType> = {},
): Json[] | undefined {
  const whole: AwsType = { path: "/", update: "DIALECT", ...row };
  return jsonPatch({ before, after, unsure }, { row: whole, current });
}

describe("an update by JSON patch", () => {
  const current: JsonMap = {
    ...beforeUpdate,
    arn: "arn:1",
    settings: { tier: "a", labels: { y: "2", x: "1" }, key: "k", madeBy: "cloud" },
  };

  it("changes the object as it is, and nothing that only the cloud set", () => {
    const object = structuredClone(current);
    const patch = patchOf(current, {});
    expect(applyPatch(object, patch as never)).toEqual([null, null, null, null]);
    expect(object).toEqual({
      arn: "arn:1",
      settings: { tier: "a", labels: { x: "3" }, key: "k", madeBy: "cloud" },
      disks: [{ type: "ssd", gb: 2 }],
    });
  });

  it("replaces a list as a whole, since the cloud may show it in another order", () => {
    const change = { before: { tags: ["a", "b", "c"] }, after: { tags: ["a", "c"] } };
    expect(patchOf({ tags: ["c", "b", "a"] }, change)).toEqual([
      { op: "replace", path: "/tags", value: ["a", "c"] },
    ]);
  });

  it("has nothing left to do when it is repeated", () => {
    const change = { before: { size: 1 }, after: { size: 2 } };
    expect(patchOf({ size: 2, state: "on" }, change)).toBeUndefined();
    expect(patchOf({ size: 2 }, { ...change, unsure: true })).toBeUndefined();
  });

  it("sends everything that the object lacks when an earlier update may have been applied", () => {
    const change = { before: { size: 1, note: "x" }, after: { size: 1 }, unsure: true };
    expect(patchOf({ size: 3, note: "x" }, change)).toEqual([
      { op: "remove", path: "/note" },
      { op: "replace", path: "/size", value: 1 },
    ]);
  });

  it("adds what is sent but never shown again, which the cloud would lose", () => {
    const patch = patchOf(
      { ...beforeUpdate, settings: { tier: "a" } },
      { after: { ...beforeUpdate, old: 2 } },
      { writeOnly: ["settings.key", "disks[*].type"] },
    );
    expect(patch).toContainEqual({ op: "add", path: "/settings/key", value: "k" });
    expect(patch).toContainEqual({ op: "replace", path: "/old", value: 2 });
    expect(patch).toContainEqual({ op: "replace", path: "/disks", value: beforeUpdate["disks"] });
    expect(patch).toHaveLength(3);
  });

  it("adds whatever the object does not show, where the row does not know what is never shown", () => {
    const patch = patchOf(
      { size: 1, login: { user: "u" }, added: true },
      {
        before: { size: 1, login: { user: "u", password: "p" }, keys: [1] },
        after: { size: 2, login: { user: "u", password: "p" }, keys: [1] },
      },
      { hidesUnknown: true },
    );
    expect(patch).toContainEqual({ op: "add", path: "/login/password", value: "p" });
    expect(patch).toContainEqual({ op: "add", path: "/keys", value: [1] });
    expect(patch).toContainEqual({ op: "replace", path: "/size", value: 2 });
    expect(patch).toHaveLength(3);
  });
});
