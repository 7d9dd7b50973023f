import { expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import { Secret } from "#engine/value.ts";
import { lostWithParent } from "./lost-with-parent.ts";
import type { DesiredResource } from "./plan-steps.ts";

const stored = (id: string, inputs = {}) =>
  ({ id, type: "azure:a/b", inputs, outputs: {} }) as unknown as StoredResource;
const replaced = {
  decision: { action: "replace" },
  deleteFirst: true,
  stored: stored("/groups/a/stores/one"),
} as unknown as DesiredResource;

it.each([
  ["/groups/a/stores/one", true],
  ["/groups/a/stores/one/services/default", true],
  ["/groups/a/stores/one-more", false],
  ["/groups/a/stores", false],
  ["/groups/a", false],
])("an object in %s goes with /groups/a/stores/one: %j", (parent, isLost) => {
  const child = stored("child", { parent });
  const lost = lostWithParent(child, { location: ["parent"] }, [replaced]);
  expect(lost).toBe(isLost ? replaced : undefined);
});

it("an id that means the same in any letter case is compared so", () => {
  const child = stored("child", { parent: "/groups/A/stores/One/services/default" });
  const facts = { location: ["parent"] };
  expect(lostWithParent(child, facts, [replaced])).toBeUndefined();
  expect(lostWithParent(child, { ...facts, caseInsensitive: ["parent"] }, [replaced])).toBe(
    replaced,
  );
});

it.each<[string, object]>([
  ["is updated", { decision: { action: "update" } }],
  ["is deleted after its replacement is there", { deleteFirst: false }],
  ["is retained by the template", { retainOnDelete: true }],
  ["was retained when last applied", { stored: { ...replaced.stored, retainOnDelete: true } }],
  ["does not exist", { stored: undefined }],
])("an object does not go with one that %s", (_, more) => {
  const child = stored("child", { parent: "/groups/a/stores/one" });
  const parent = { ...replaced, ...more };
  expect(lostWithParent(child, { location: ["parent"] }, [parent])).toBeUndefined();
});

it("a place may name the containing object by one of its outputs", () => {
  const parent = {
    ...replaced,
    stored: { ...stored("g-1"), outputs: { name: "one", port: 80 } },
  } as unknown as DesiredResource;
  const facts = { location: ["parent"], refers: { parent: "a/b" } };
  for (const place of ["one", new Secret("one")])
    expect(lostWithParent(stored("child", { parent: place }), facts, [parent])).toBe(parent);
  expect(lostWithParent(stored("child", { parent: 80 }), facts, [parent])).toBe(parent);
  expect(lostWithParent(stored("child", { parent: "two" }), facts, [parent])).toBeUndefined();
  const other = { location: ["parent"], refers: { parent: "a/c" } };
  expect(lostWithParent(stored("child", { parent: "one" }), other, [parent])).toBeUndefined();
});
