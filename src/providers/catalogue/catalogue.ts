/**
 * What is known of resource types, for checks, plans and editors: `verified` ones are rows of this installation's
 * providers, `described` ones come from the vendors' descriptions, which stand in shards (docs/decisions/0068). All
 * reading happens in `catalogueFor`; what it returns is pure.
 */
import type { ProviderTypes, TypeFacts } from "#providers/provider.ts";
import { availableProviders, providerTypes } from "#providers/registry.ts";
import {
  formatTypeName,
  parseTypeName,
  providerOfBareName,
  type TypeName,
} from "#providers/type-name.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import { type Assets, ShardCache } from "./shard-cache.ts";
import { factsIn, type ShardIndex } from "./shard.ts";

export interface Catalogue {
  /** Undefined when no provider has such a type, or nothing is known of it. */
  facts(type: string): TypeFacts | undefined;
  /** All type names that are known here, grouped by provider. */
  types(): readonly string[];
  /** Providers that have types beyond those listed. */
  openProviders: ReadonlySet<string>;
  /** Providers of templates to which this installation cannot deploy. */
  unavailableProviders: ReadonlySet<string>;
}

/** Providers of which a description may be deployed with the service. */
const describedProviders = ["aws", "azure", "gcp"] as const;
type DescribedProvider = (typeof describedProviders)[number];

/** Providers with types whose rows do not list all outputs, and whose descriptions name those: `src/providers/outputs`. */
const providersWithOutputs: ReadonlySet<string> = new Set([
  "coreweave",
  "magalu",
  "render",
  "supabase",
  "vercel",
  "vultr",
]);

const available: ReadonlySet<string> = new Set(availableProviders());
const unavailableProviders: ReadonlySet<string> = new Set(
  providerNames.filter((name) => !available.has(name)),
);

const verified: ReadonlyMap<string, ProviderTypes> = new Map(
  providerTypes().map((types) => [types.name, types]),
);
let names: readonly string[] | undefined;
/** Listed on first use: a list needs the rows of all providers. */
function verifiedNames(): readonly string[] {
  return (names ??= [...verified.values()].flatMap((types) => types.types()));
}

const withoutDescriptions: Catalogue = {
  facts: verifiedFacts,
  types: verifiedNames,
  openProviders: new Set([
    // A provider that deploys its own rows alone knows no others, whatever is described.
    ...describedProviders.filter((name) => verified.get(name)?.openTypes !== false),
    ...[...verified.values()].filter(({ openTypes }) => openTypes).map(({ name }) => name),
  ]),
  unavailableProviders,
};

/** The verified types alone, without reading anything. */
export function catalogue(): Catalogue {
  return withoutDescriptions;
}

function verifiedFacts(type: string): TypeFacts | undefined {
  return verified.get(parseTypeName(type)?.provider ?? "")?.facts(type);
}

const shared = new ShardCache();

/**
 * The catalogue with the descriptions of these types, as a template names them. Reads only the shards that they need,
 * and nothing if none of them can have a description. Throws when the assets cannot be read.
 */
export async function catalogueFor(
  types: Iterable<string>,
  assets: Assets,
  cache = shared,
): Promise<Catalogue> {
  const namesOf = new Map<DescribedProvider, Set<string>>();
  const withOutputs = new Set<string>();
  for (const type of types) {
    const parsed = parseTypeName(type);
    if (providersWithOutputs.has(parsed?.provider ?? "")) withOutputs.add(parsed?.provider ?? "");
    const provider = describedProviders.find(
      (name) => name === parsed?.provider || name === providerOfBareName(type),
    );
    if (provider === undefined) continue;
    const names = namesOf.get(provider) ?? new Set();
    namesOf.set(provider, names.add(parsed?.name ?? ""));
  }
  if (namesOf.size === 0 && withOutputs.size === 0) return withoutDescriptions;
  const [described, outputs] = await Promise.all([
    Promise.all([...namesOf].map(([provider, names]) => describe(provider, names, assets, cache))),
    Promise.all(
      [...withOutputs].map(async (provider): Promise<[string, OutputTable]> => {
        return [provider, (await cache.outputs(provider, assets)) ?? {}];
      }),
    ),
  ]);
  return combine(
    described.filter((one) => one !== undefined),
    new Map(outputs),
  );
}

/** Names of outputs, with spaces between them, by the vendor's name of the type. */
type OutputTable = Readonly<Record<string, string>>;

interface Description {
  provider: DescribedProvider;
  index: ShardIndex;
  facts: ReadonlyMap<string, TypeFacts>;
}

async function describe(
  provider: DescribedProvider,
  names: ReadonlySet<string>,
  assets: Assets,
  cache: ShardCache,
): Promise<Description | undefined> {
  const index = await cache.index(provider, assets);
  if (index === undefined) return undefined;
  const services = new Map<string, string[]>();
  for (const name of names) {
    const service = servicesOf(index).get(name);
    if (service !== undefined) services.set(service, [...(services.get(service) ?? []), name]);
  }
  const found = await Promise.all(
    [...services].map(async ([service, named]) => {
      const shard = await cache.shard(provider, service, assets);
      return named.map((name) => [name, factsIn(shard, name)] as const);
    }),
  );
  const facts = new Map<string, TypeFacts>();
  for (const [name, one] of found.flat()) if (one !== undefined) facts.set(name, one);
  return { provider, index, facts };
}

const serviceMaps = new WeakMap<ShardIndex, ReadonlyMap<string, string>>();

function servicesOf(index: ShardIndex): ReadonlyMap<string, string> {
  const known = serviceMaps.get(index);
  if (known !== undefined) return known;
  const made = new Map(
    Object.entries(index.services).flatMap(([service, names]) =>
      names.map((name): [string, string] => [name, service]),
    ),
  );
  serviceMaps.set(index, made);
  return made;
}

function combine(
  described: readonly Description[],
  outputs: ReadonlyMap<string, OutputTable>,
): Catalogue {
  const byProvider = new Map<string, Description>(described.map((one) => [one.provider, one]));
  let types: readonly string[] | undefined;
  const complete = new Set<string>(
    described.filter(({ index }) => index.complete).map(({ provider }) => provider),
  );
  const factsOf = (type: string): TypeFacts | undefined => {
    const name = parseTypeName(type);
    const known = withOutputs(verifiedFacts(type), name, outputs);
    if (name === undefined) return known;
    const description = ofVersion(byProvider.get(name.provider)?.facts.get(name.name), name);
    return known === undefined || description === undefined
      ? (known ?? description)
      : withDescription(known, description);
  };
  // A check asks several times for each resource, and a template has many of a type.
  const made = new Map<string, TypeFacts | undefined>();
  return {
    facts: (type) => {
      if (!made.has(type)) made.set(type, factsOf(type));
      return made.get(type);
    },
    types: () =>
      (types ??= [...new Set([...verifiedNames(), ...described.flatMap(describedNames)])]),
    openProviders: new Set(
      [...withoutDescriptions.openProviders].filter((name) => !complete.has(name)),
    ),
    unavailableProviders,
  };
}

/** The facts with the names of outputs that the vendor describes. */
function withOutputs(
  facts: TypeFacts | undefined,
  name: TypeName | undefined,
  outputs: ReadonlyMap<string, OutputTable>,
): TypeFacts | undefined {
  const table = outputs.get(name?.provider ?? "");
  if (facts === undefined || name === undefined || table === undefined) return facts;
  if (!Object.hasOwn(table, name.name)) return facts;
  const describedOutputs = table[name.name]?.split(" ") ?? [];
  return { ...facts, describedOutputs };
}

/** A description is of one version of the vendor's API: it says nothing of another that the template names. */
function ofVersion(facts: TypeFacts | undefined, { version }: TypeName): TypeFacts | undefined {
  return version === undefined || version === facts?.version ? facts : undefined;
}

/** What a row says counts, because it ran; the description adds what it does not say, above all the shape. */
function withDescription(known: TypeFacts, description: TypeFacts): TypeFacts {
  const required = known.required.length > 0 ? known.required : description.required;
  return { ...description, ...known, required };
}

function describedNames({ provider, index }: Pick<Description, "provider" | "index">): string[] {
  return Object.values(index.services).flatMap((names) =>
    names.map((name) => formatTypeName({ provider, name })),
  );
}

export interface ListedType {
  type: string;
  knowledge: "verified" | "described";
}

/** All types of a provider that are known here, by name. Throws when the assets cannot be read. */
export async function listTypes(
  provider: string,
  assets: Assets,
  cache = shared,
): Promise<readonly ListedType[]> {
  const own = verified.get(provider)?.types() ?? [];
  const listed = new Map<string, ListedType>();
  const described = describedProviders.find((name) => name === provider);
  const index = described === undefined ? undefined : await cache.index(described, assets);
  if (described !== undefined && index !== undefined)
    for (const type of describedNames({ provider: described, index }))
      listed.set(type, { type, knowledge: "described" });
  for (const type of own) listed.set(type, { type, knowledge: "verified" });
  return [...listed.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
