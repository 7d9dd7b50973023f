import { expect, it } from "vitest";
import { availableProviders, providerFor, providerTypes } from "./registry.ts";
import { pathProperties } from "./rest/rest-type.ts";
import type { RestTypes } from "./rest/rest-types.ts";

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

it.for(providerTypes().filter(({ name }) => name !== "mock"))(
  "says of $name which objects the paths of its types name",
  (types) => {
    const problems = types.types().flatMap((type) => {
      const row = (types as Partial<RestTypes>).rowOf?.(type);
      if (row === undefined) return [];
      const named = Object.keys(types.facts(type)?.refers ?? {});
      return pathProperties(row, row.properties ?? {})
        .filter((property) => !named.includes(property))
        .map((property) => `${type}: ${property}`);
    });
    expect(problems).toEqual([]);
  },
);
