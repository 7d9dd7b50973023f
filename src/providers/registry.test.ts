import { expect, it } from "vitest";
import { availableProviders, catalog, providerFor } from "./registry.ts";

it("loads a provider by its name", async () => {
  expect((await providerFor("mock"))?.name).toBe("mock");
});

it.for(["nothing", "constructor", "__proto__", "", "MOCK"])("has no provider %j", async (name) => {
  expect(await providerFor(name)).toBeUndefined();
});

it("offers exactly the providers that load", async () => {
  expect(availableProviders()).toContain("mock");
  for (const name of availableProviders()) expect((await providerFor(name))?.name).toBe(name);
});

it("says in the catalog what the providers themselves say", async () => {
  const fromProviders: string[] = [];
  for (const name of availableProviders()) {
    const provider = await providerFor(name);
    for (const type of provider?.types() ?? []) {
      fromProviders.push(type);
      expect(catalog().facts(type)).toEqual(provider?.facts(type));
    }
    expect(catalog().openProviders.has(name)).toBe(provider?.openTypes);
  }
  expect(catalog().types()).toEqual(fromProviders);
  expect(fromProviders).toContain("mock:Network");
});

it("has no facts for names that every object has", () => {
  for (const type of ["constructor", "__proto__", "mock:constructor", "mock:"])
    expect(catalog().facts(type)).toBeUndefined();
});
