import { expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, type ValueMap } from "#engine/value.ts";
import { requireSpelled } from "./require-spelled.ts";

const place = { path: "", line: 3, column: 1 };
const declaration = { type: "model:Thing", place, places: new Map() };
const check = (properties: ValueMap, freeKeys: readonly string[] | undefined = ["labels"]) => {
  requireSpelled("one", declaration, properties, { ...(freeKeys && { freeKeys }) });
};

it.each<[string, ValueMap]>([
  ["kms_key", { kms_key: "k" }],
  ["a.0.kms_key", { a: [{ kms_key: unknown }] }],
  ["a.kms_key", { a: new Secret({ kms_key: "k" }) }],
  ["a.kms_key", { a: new PartlyKnown({ kms_key: "k" }) }],
  ["labels.a.kms_key", { labels: { a: { kms_key: "k" } } }],
])("refuses %s, a second spelling of a key", (path, properties) => {
  expect(() => check(properties)).toThrow(
    expect.objectContaining({
      code: "reference_not_allowed",
      message: expect.stringContaining(`"${path}"`),
    }),
  );
});

it("takes keys of the template's own maps, texts, and every key of a cloud with one spelling", () => {
  expect(() => {
    check({ labels: { cost_center: "a_b" }, name: "a_b", list: ["a_b"] });
    requireSpelled("one", declaration, { kms_key: "k" }, {});
    requireSpelled("one", declaration, { kms_key: "k" }, undefined);
  }).not.toThrow();
});
