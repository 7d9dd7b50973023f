import { expect, it } from "vitest";
import { Secret, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { ignoredAsShown } from "./ignored-as-shown.ts";

interface Case {
  values: ValueMap;
  inputs: ValueMap;
  outputs: ValueMap;
  shown: ValueMap;
  ignores: string[];
  facts?: Partial<TypeFacts>;
}

it.for<[string, Case, ValueMap]>([
  [
    "the value changed outside",
    {
      values: { size: 1, tag: "y" },
      inputs: { size: 1, tag: "x" },
      outputs: { size: 1, tag: "x" },
      shown: { size: 5, tag: "z" },
      ignores: ["size"],
    },
    { size: 5, tag: "y" },
  ],
  [
    "one member of a map, and one added outside",
    {
      values: { env: { A: 2, B: 1 } },
      inputs: { env: { A: 1, B: 1 } },
      outputs: { env: { A: 1, B: 1 } },
      shown: { env: { A: 1, B: 5, C: 9, D: 9 } },
      ignores: ["env.B", "env.C"],
    },
    { env: { A: 2, B: 5, C: 9 } },
  ],
  [
    "nothing, if it was removed outside",
    {
      values: { env: { A: 2, B: 1 } },
      inputs: { env: { A: 1, B: 1 } },
      outputs: { env: { A: 1, B: 1 } },
      shown: { env: { A: 1 } },
      ignores: ["env.B"],
    },
    { env: { A: 2 } },
  ],
  [
    "the sent value, if the object shows the cloud's form of it",
    {
      values: { size: "1", tag: "y" },
      inputs: { size: "1", tag: "x" },
      outputs: { size: { slug: "one" }, tag: "x" },
      shown: { size: { slug: "one" }, tag: "x" },
      ignores: ["size"],
    },
    { size: "1", tag: "y" },
  ],
  [
    "the sent value, if it is never shown",
    {
      values: { key: "k", tag: "y" },
      inputs: { key: "k", tag: "x" },
      outputs: { tag: "x" },
      shown: { key: "***", tag: "x" },
      ignores: ["key"],
      facts: { writeOnly: ["key"] },
    },
    { key: "k", tag: "y" },
  ],
  [
    "the value shown under another name",
    {
      values: { size: "a", tag: "y" },
      inputs: { size: "a", tag: "x" },
      outputs: { size_slug: "a", tag: "x" },
      shown: { size_slug: "b", tag: "x" },
      ignores: ["size"],
      facts: { shownAt: { size: "size_slug" } },
    },
    { size: "b", tag: "y" },
  ],
  [
    "nothing that the template does not set and the path only leads into",
    {
      values: { tag: "y" },
      inputs: { tag: "x" },
      outputs: { tag: "x" },
      shown: { tag: "x", env: { B: 1 } },
      ignores: ["env.B"],
    },
    { tag: "y" },
  ],
  [
    "a secret as one",
    {
      values: { key: new Secret("k"), tag: "y" },
      inputs: { key: new Secret("k"), tag: "x" },
      outputs: { key: new Secret("k"), tag: "x" },
      shown: { key: "other", tag: "x" },
      ignores: ["key"],
    },
    { key: new Secret("other"), tag: "y" },
  ],
])("an ignored property is %s", ([, one, expected]) => {
  const { values, inputs, outputs, shown, ignores, facts = {} } = one;
  const rules = { ...facts, ignoreChanges: ignores };
  expect(ignoredAsShown(values, { inputs, outputs }, shown, rules)).toEqual(expected);
});
