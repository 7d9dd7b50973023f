import { globSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { availableProviders, providerFor, providerTypes } from "./registry.ts";
import type * as rest from "./rest/rest-provider.ts";
import { pathProperties } from "./rest/rest-type.ts";
import type * as types from "./rest/rest-types.ts";

it("loads a provider by its name", () => {
  expect(providerFor("mock")?.name).toBe("mock");
});

it.for(["nothing", "constructor", "__proto__", "", "MOCK"])("has no provider %j", (name) => {
  expect(providerFor(name)).toBeUndefined();
});

it("lists exactly the providers that can be loaded", () => {
  expect(availableProviders()).toContain("mock");
  for (const name of availableProviders()) expect(providerFor(name)?.name).toBe(name);
});

describe("when the Worker starts", () => {
  afterEach(() => {
    vi.doUnmock("#providers/rest/rest-types.ts");
    vi.doUnmock("#providers/rest/rest-provider.ts");
    vi.resetModules();
  });

  it("no provider and none of its rows are made before they are used", async () => {
    const made: string[] = [];
    vi.resetModules();
    vi.doMock("#providers/rest/rest-types.ts", async (load) => {
      const { restTypes } = await load<typeof types>();
      return {
        restTypes: (...[name, makeRows]: Parameters<typeof types.restTypes>) =>
          restTypes(name, () => {
            made.push(`rows of ${name}`);
            return makeRows();
          }),
      };
    });
    vi.doMock("#providers/rest/rest-provider.ts", async (load) => {
      const { restProvider } = await load<typeof rest>();
      return {
        restProvider: (...[definition]: Parameters<typeof restProvider>) => {
          made.push(definition.types.name);
          return restProvider(definition);
        },
      };
    });
    const registry = await import("./registry.ts");
    const { catalogue } = await import("./catalogue/catalogue.ts");
    catalogue();
    expect(made).toEqual([]);

    expect(catalogue().facts("mock:Server")).toBeDefined();
    expect(catalogue().facts("mock:Network")).toBeDefined();
    expect(made).toEqual(["rows of mock"]);
    registry.providerFor("mock");
    registry.providerFor("mock");
    expect(made).toEqual(["rows of mock", "mock"]);
    expect(registry.availableProviders()).toContain("digitalocean");
    expect(catalogue().types()).toContain("digitalocean:Droplet");
    expect(made.slice(2).toSorted()).toEqual([
      "rows of aws",
      "rows of coreweave",
      "rows of digitalocean",
      "rows of gcp",
      "rows of magalu",
      "rows of oci",
      "rows of render",
      "rows of supabase",
      "rows of vercel",
      "rows of vultr",
    ]);
  });

  const isRow = (value: object) => Object.hasOwn(value, "path") && Object.hasOwn(value, "update");
  const tables = globSync("*/*{types,rows,provider}.ts", { cwd: import.meta.dirname }).filter(
    (file) => !/^(auth|catalogue|rest)[/\\]/.test(file),
  );

  it.for(tables)("%s has no row outside a function", async (file) => {
    const module: object = await import(path.join(import.meta.dirname, file));
    for (const [name, value] of Object.entries(module))
      for (const one of [value, ...Object.values(value as object)])
        expect(isRow(one as object), `${name} holds a row`).toBe(false);
  });
});

it.for(providerTypes().filter(({ name }) => name !== "mock"))(
  "says of $name which objects the paths of its types name",
  (provider) => {
    const problems = provider.types().flatMap((type) => {
      const row = (provider as Partial<types.RestTypes>).rowOf?.(type);
      if (row === undefined) return [];
      const named = Object.keys(provider.facts(type)?.refers ?? {});
      return pathProperties(row, row.takes?.properties ?? {})
        .filter((property) => property !== row.region?.property && !named.includes(property))
        .map((property) => `${type}: ${property}`);
    });
    expect(problems).toEqual([]);
  },
);
