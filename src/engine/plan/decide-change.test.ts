import { expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import { unknown } from "#engine/value.ts";
import { deployed, modelFacts, modelOptions } from "#test/support/model-instance.ts";
import { asLost, knownIn } from "#test/support/stored-resource.ts";
import { decideChange } from "./decide-change.ts";

const type = "model:Plain";
const stored = knownIn(deployed({ net: { properties: { size: 1, tags: "a" } } }).state, "net");
const lost = asLost(stored);
const declaration = { type, options: modelOptions({ ignoreChanges: ["tags"] }) };

it("sends old values for ignored changes", () => {
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
  const versioned = { ...stored, type: `${type}@2024-01-01` };
  const newer = { ...declaration, type: `${type}@2025-01-01` };
  const decision = decideChange(newer, versioned, { size: 2, tags: "a" }, modelFacts(type));
  expect(decision).toMatchObject({ action: "update", inputs: { size: 2 } });
});

it("decides for certain once all values are known", () => {
  const ask = (at: typeof unknown | number) =>
    decideChange(declaration, stored, { size: 1, tags: "a", at }, modelFacts(type));
  expect(ask(unknown)).toMatchObject({ action: "replace", tentative: false });
  const before = { ...stored, inputs: { size: 1, at: 1 } };
  const again = (at: typeof unknown | number) =>
    decideChange(declaration, before, { size: 1, at }, modelFacts(type));
  expect(again(unknown)).toMatchObject({ action: "replace", tentative: true });
  expect(again(1)).toMatchObject({ action: "unchanged", tentative: false, changes: [] });
  expect(again(2)).toMatchObject({ action: "replace", tentative: false });
});

it("repeats an update that may not have taken effect, even if every difference is unknown", () => {
  const unsure = { ...stored, state: "unsure" as const };
  const decision = decideChange(
    declaration,
    unsure,
    { size: unknown, tags: "a" },
    modelFacts(type),
  );
  expect(decision).toMatchObject({ action: "update", tentative: false });
});

it.for<[what: string, more: object, options: object, properties: object, expected: object]>([
  ["creates a missing object again", { drift: { kind: "missing" } }, {}, {}, { action: "create" }],
  [
    "replaces a tainted object, also if it seems gone: it may still exist",
    { drift: { kind: "missing" }, state: "tainted" },
    {},
    {},
    { action: "replace", reason: "tainted" },
  ],
  [
    "takes an import for a create that was never answered",
    lost,
    { import: "p-7" },
    {},
    { action: "create", reason: "import p-7" },
  ],
  ["keeps its object, whatever `import` names", {}, { import: "p-7" }, {}, { action: "unchanged" }],
  [
    "looks for a lost object that is wanted as it was sent",
    lost,
    {},
    {},
    { action: "update", reason: expect.stringContaining("looked for first") },
  ],
  [
    "replaces a lost object that is wanted otherwise",
    lost,
    {},
    { size: 2 },
    { action: "replace", reason: expect.stringContaining("other properties are wanted") },
  ],
  [
    "looks for a lost object that is wanted otherwise and whose delete would leave it there",
    { ...lost, retainOnDelete: true },
    {},
    { size: 2 },
    { action: "update" },
  ],
  [
    "replaces a lost object that is wanted in another place, also if its delete would leave it there",
    { ...lost, retainOnDelete: true },
    {},
    { fixed: "new" },
    { action: "replace" },
  ],
  [
    "looks for a lost object of which secrets are not known any more, if its delete would leave it there",
    { ...lost, retainOnDelete: true, sealedInputs: { plain: [], sealed: "s" } },
    {},
    { fixed: "new" },
    { action: "update" },
  ],
  [
    "reads an object whose create was not seen to end, although nothing changes",
    { state: "unready" },
    {},
    {},
    { action: "update" },
  ],
  [
    "replaces an object whose create was not seen to end, if it cannot be changed in place",
    { state: "unready" },
    {},
    { fixed: "new" },
    { action: "replace" },
  ],
])("%s", ([, more, options, properties, expected]) => {
  const known = ("token" in more ? more : { ...stored, ...more }) as StoredResource;
  const asked = { type, options: modelOptions(options) };
  const wanted = { size: 1, tags: "a", ...properties };
  expect(decideChange(asked, known, wanted, modelFacts(type))).toMatchObject(expected);
});

it("does not repeat an update of a property that no update can change", () => {
  const rigid = { type: "model:Rigid", options: modelOptions() };
  const unsure = { ...stored, type: rigid.type, state: "unsure" as const };
  const decision = decideChange(rigid, unsure, { size: 1, tags: "a" }, modelFacts(rigid.type));
  expect(decision).toMatchObject({ action: "unchanged" });
});

it("reports that an import has no effect on a resource with another object", () => {
  const imports = (id: string) => ({
    type,
    options: modelOptions({ ignoreChanges: ["tags"], import: id }),
  });
  const ask = (id: string) =>
    decideChange(imports(id), stored, { size: 1, tags: "a" }, modelFacts(type));
  expect(ask("other")).toMatchObject({
    action: "unchanged",
    reason: `it has the object ${stored?.id}: \`import: other\` has no effect`,
  });
  expect(ask(stored?.id ?? "")).not.toHaveProperty("reason");
});
