import { expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
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
