import { providerNames, type ProviderName, type TypeFacts } from "./provider.ts";
import type { RestProvider } from "./rest-definition.ts";
import { factsOf, type RestType } from "./rest-type.ts";
import { mockTypes } from "./mock/types.ts";

interface Entry {
  rows: Readonly<Record<string, RestType>>;
  /** Any well-formed type name is accepted. */
  open: boolean;
  load: () => Promise<RestProvider>;
}

const entries: Readonly<Partial<Record<ProviderName, Entry>>> = {
  mock: {
    rows: mockTypes,
    open: false,
    load: async () => (await import("./mock/index.ts")).mock,
  },
};

function entryOf(name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name as ProviderName] : undefined;
}

const loaded = new Map<string, RestProvider>();

/** The provider of that name, loaded when first asked for; `undefined` when there is none. */
export async function providerFor(name: string): Promise<RestProvider | undefined> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const provider = await entryOf(name)?.load();
  if (provider !== undefined) loaded.set(name, provider);
  return provider;
}

/** The providers that targets may name, in the order of `providerNames`. */
export function availableProviders(): readonly ProviderName[] {
  return providerNames.filter((name) => entryOf(name) !== undefined);
}

/** All resource types, from the tables alone: no signer is loaded. */
export interface Catalog {
  facts(type: string): TypeFacts | undefined;
  types(): readonly string[];
  /** Providers that accept any well-formed type name. */
  openProviders: ReadonlySet<string>;
}

function buildCatalog(): Catalog {
  const facts = new Map<string, TypeFacts>();
  const openProviders = new Set<string>();
  for (const name of availableProviders()) {
    const entry = entryOf(name);
    if (entry === undefined) continue;
    if (entry.open) openProviders.add(name);
    for (const [key, row] of Object.entries(entry.rows)) facts.set(`${name}:${key}`, factsOf(row));
  }
  const types = [...facts.keys()];
  return { facts: (type) => facts.get(type), types: () => types, openProviders };
}

let built: Catalog | undefined;

/** The catalog that templates are checked against. Built once, always the same. */
export function catalog(): Catalog {
  built ??= buildCatalog();
  return built;
}
