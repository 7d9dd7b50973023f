import { expect, it } from "vitest";
import { expandDependencies } from "./expand-dependencies.ts";

it("gives each address the addresses that its template's names stand for", () => {
  const addresses = ["net", 'node["a/b"]', 'node["c"]', 'part/disk["x"]', "part/key", "web"];
  const declared = new Map([
    ["node", ["net"]],
    ["part", ["node"]],
    ["web", ["node", "part", "gone"]],
    // As the state has it of an object that was deployed.
    ['node["c"]', ['node["a/b"]']],
  ]);
  expect(Object.fromEntries(expandDependencies(addresses, declared))).toEqual({
    net: [],
    'node["a/b"]': ["net"],
    'node["c"]': ['node["a/b"]'],
    'part/disk["x"]': ['node["a/b"]', 'node["c"]'],
    "part/key": ['node["a/b"]', 'node["c"]'],
    web: ['node["a/b"]', 'node["c"]', 'part/disk["x"]', "part/key", "gone"],
  });
});
