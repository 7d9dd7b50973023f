import { expect, it } from "vitest";
import { unknown } from "#engine/value.ts";
import { deployed, modelFacts, modelOptions } from "#test/support/model-instance.ts";
import { decideChange } from "./decide-change.ts";

const type = "model:Plain";
const stored = deployed({ net: { properties: { size: 1, tags: "a" } } }).state.current.get("net");
const declaration = { type, options: modelOptions({ ignoreChanges: ["tags"] }) };

it("sends old values where changes are ignored", () => {
  const decision = decideChange(declaration, stored, { size: 2, tags: "b" }, modelFacts(type));
  expect(decision).toMatchObject({ action: "update", inputs: { size: 2, tags: "a" } });
});

it("ignores nothing when the object is new or of another type", () => {
  const properties = { size: 2, tags: "b" };
  expect(decideChange(declaration, undefined, properties, modelFacts(type))).toMatchObject({
    action: "create",
    inputs: properties,
  });
  const retyped = { ...declaration, type: "model:Rigid" };
  expect(decideChange(retyped, stored, properties, undefined)).toMatchObject({
    action: "replace",
    inputs: properties,
  });
});

it("does not replace an object because the version of its API changes", () => {
  const versioned = stored && { ...stored, type: `${type}@2024-01-01` };
  const newer = { ...declaration, type: `${type}@2025-01-01` };
  const decision = decideChange(newer, versioned, { size: 2, tags: "a" }, modelFacts(type));
  expect(decision).toMatchObject({ action: "update", inputs: { size: 2 } });
});

it("decides for certain once all values are known", () => {
  const ask = (at: typeof unknown | number) =>
    decideChange(declaration, stored, { size: 1, tags: "a", at }, modelFacts(type));
  expect(ask(unknown)).toMatchObject({ action: "replace", tentative: false });
  const before = stored && { ...stored, inputs: { size: 1, at: 1 } };
  const again = (at: typeof unknown | number) =>
    decideChange(declaration, before, { size: 1, at }, modelFacts(type));
  expect(again(unknown)).toMatchObject({ action: "replace", tentative: true });
  expect(again(1)).toMatchObject({ action: "unchanged", tentative: false, changes: [] });
  expect(again(2)).toMatchObject({ action: "replace", tentative: false });
});

it("repeats an update that may not have taken effect, even if every difference is unknown", () => {
  const unsure = stored && { ...stored, unsure: true };
  const decision = decideChange(
    declaration,
    unsure,
    { size: unknown, tags: "a" },
    modelFacts(type),
  );
  expect(decision).toMatchObject({ action: "update", tentative: false });
});
