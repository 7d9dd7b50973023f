import { expect, it } from "vitest";
import { availableProviders, providerFor } from "#providers/registry.ts";
import { catalogue } from "./catalogue.ts";

it("lists the same types and facts as the providers", async () => {
  const fromProviders: string[] = [];
  for (const name of availableProviders()) {
    const provider = await providerFor(name);
    for (const type of provider?.types() ?? []) {
      fromProviders.push(type);
      expect(catalogue().facts(type)).toEqual(provider?.facts(type));
    }
    expect(catalogue().openProviders.has(name)).toBe(provider?.openTypes);
  }
  expect(catalogue().types()).toEqual(fromProviders);
  expect(fromProviders).toContain("mock:Network");
});

it("has no facts for inherited names", () => {
  for (const type of ["constructor", "__proto__", "mock:constructor", "mock:"])
    expect(catalogue().facts(type)).toBeUndefined();
});
