import { expect, it } from "vitest";
import {
  deployed,
  modelInput,
  type ModelProgram,
  modelPlan,
} from "#test/support/model-instance.ts";
import { saysWhatStays } from "./left-behind.ts";
import { makePlan } from "./plan.ts";
import type { ResourceChange } from "./steps.ts";

const says = "The cloud keeps a snapshot.";
const unless = [
  { snapshot: ["none"] },
  { cluster: true },
  { first: ["gone"], "disks[*].mode": ["gone"] },
] as const;
const box = (
  properties: NonNullable<ModelProgram[string]["properties"]>,
  options: ModelProgram[string]["options"] = {},
): ModelProgram => ({ box: { properties, options } });

/** The plan of a program, or of a destroy, where the cloud keeps a snapshot of objects without `snapshot`. */
function planned(program: ModelProgram | undefined, before: ModelProgram) {
  const input = modelInput(program, deployed(before).state);
  return makePlan({
    ...input,
    facts: (type) => {
      const facts = input.facts(type);
      return facts && { ...facts, immutable: ["zone"], leaves: { says, unless } };
    },
  }).changes[0];
}

it("a plan says what the cloud keeps of each object that it deletes", () => {
  const before = box({ zone: "a" });
  expect(planned(undefined, before)).toMatchObject({ action: "delete", leaves: says });
  expect(planned({}, before)).toMatchObject({ action: "delete", leaves: says });
  expect(planned(box({ zone: "b" }), before)).toMatchObject({ action: "replace", leaves: says });
});

it.each<[string, ModelProgram | undefined, ModelProgram]>([
  ["that is not deleted", box({ zone: "a", size: "2" }), box({ zone: "a" })],
  ["with the setting that leaves nothing", undefined, box({ snapshot: "none" })],
  ["with any value of a setting", undefined, box({ cluster: "c" })],
  ["with all of several settings", undefined, box({ first: "gone", disks: [{ mode: "gone" }] })],
  ["with those of no items", undefined, box({ first: "gone" })],
  ["that stays itself", undefined, box({}, { retainOnDelete: true })],
  [
    "that stays when it is replaced",
    box({ zone: "b" }, { retainOnDelete: true }),
    box({ zone: "a" }),
  ],
])("nothing stays of an object %s", (_, program, before) => {
  expect(planned(program, before)).not.toHaveProperty("leaves");
});

it.each([
  { snapshot: "ninety days" },
  { cluster: "" },
  { first: "gone", disks: [{ mode: "gone" }, { mode: "kept" }] },
  { first: "gone", disks: [{}] },
  { first: "kept", disks: [{ mode: "gone" }] },
])("something stays of an object with %j", (properties) => {
  expect(planned(undefined, box(properties))).toMatchObject({ leaves: says });
});

it("nothing is said of a type without the fact", () => {
  expect(modelPlan(undefined, deployed(box({})).state).changes[0]).not.toHaveProperty("leaves");
});

it("the log says what stays, for twenty objects and with the number of the others", () => {
  const change = (resource: string, leaves?: string): ResourceChange => ({
    resource,
    type: "model:Box",
    action: "delete",
    tentative: false,
    changes: [],
    ...(leaves === undefined ? {} : { leaves }),
  });
  expect(saysWhatStays([change("a"), change("b", says)])).toEqual([
    `After the delete of b: ${says}`,
  ]);
  const many = saysWhatStays(Array.from({ length: 23 }, (_, n) => change(`box${n}`, says)));
  expect(many).toHaveLength(21);
  expect(many.at(-1)).toBe("More stays of 3 others: see the plan.");
});
