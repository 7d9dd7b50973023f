import { describe, expect, it } from "vitest";
import { withDefaults } from "./target-defaults.ts";
import { unknown, type ValueMap } from "./value.ts";

const facts = {
  regionProperty: "region",
  defaults: { region: { region: true }, "place.project": { config: "project" } },
} as const;
const target = { region: "eu-1", config: { project: "p-1" } };
const complete = (
  properties: ValueMap,
  stored?: { type: string; inputs: ValueMap },
  more: Partial<typeof target> = {},
) => withDefaults(properties, "model:Plain", facts, { ...target, ...more }, stored);

describe("the target's defaults", () => {
  it("fill properties that the template leaves out, at any depth, and no others", () => {
    expect(complete({ name: "a" })).toEqual({
      name: "a",
      region: "eu-1",
      place: { project: "p-1" },
    });
    const given = { region: "us-1", place: { project: null, other: 1 } };
    expect(complete(given)).toEqual(given);
    expect(complete({ place: { other: 1 } })).toMatchObject({
      place: { other: 1, project: "p-1" },
    });
    expect(complete({ place: unknown, region: unknown })).toEqual({
      place: unknown,
      region: unknown,
    });
  });

  it("fill a region that is null, since a cloud would otherwise choose one", () => {
    expect(complete({ region: null })).toMatchObject({ region: "eu-1" });
  });

  it("fill no region if another property gives the object's place", () => {
    const global = { ...facts, regionElsewhere: { type: ["GLOBAL"] } } as const;
    expect(withDefaults({ type: "GLOBAL" }, "model:Plain", global, target, undefined)).toEqual({
      type: "GLOBAL",
      place: { project: "p-1" },
    });
    expect(
      withDefaults({ type: "OTHER" }, "model:Plain", global, target, undefined),
    ).toHaveProperty("region", "eu-1");
  });

  it("fill nothing that the target's config does not contain", () => {
    expect(complete({}, undefined, { config: {} as typeof target.config })).toEqual({
      region: "eu-1",
    });
  });

  it("leave an existing object's values when the target's config changes", () => {
    const stored = { type: "model:Plain", inputs: { region: "us-9", place: { project: "p-0" } } };
    expect(complete({}, stored)).toEqual(stored.inputs);
    const early = { type: "model:Plain", inputs: { name: "a" } };
    expect(complete({ name: "a" }, early)).toEqual({ name: "a" });
    expect(complete({}, { ...stored, type: "model:Other" })).toMatchObject({ region: "eu-1" });
  });
});
