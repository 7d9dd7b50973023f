import { expect, it } from "vitest";
import { availableProviders, providerFor } from "./registry.ts";

it("loads a provider by its name", async () => {
  expect((await providerFor("mock"))?.name).toBe("mock");
});

it.for(["nothing", "constructor", "__proto__", "", "MOCK"])("has no provider %j", async (name) => {
  expect(await providerFor(name)).toBeUndefined();
});

it("lists exactly the providers that can be loaded", async () => {
  expect(availableProviders()).toContain("mock");
  for (const name of availableProviders()) expect((await providerFor(name))?.name).toBe(name);
});
