/** The providers of this installation. A provider's code is loaded on first use. */
import { type ProviderName, providerNames } from "#schema/lists/provider-names.ts";
import { awsTypes } from "./aws/types.ts";
import { digitaloceanTypes } from "./digitalocean/types.ts";
import { mockTypes } from "./mock/types.ts";
import type { Provider, ProviderTypes } from "./provider.ts";

interface Entry {
  types: ProviderTypes;
  load: () => Promise<Provider>;
}

const entries: Readonly<Partial<Record<ProviderName, Entry>>> = {
  aws: {
    types: awsTypes,
    load: async () => (await import("./aws/aws-provider.ts")).awsProvider,
  },
  digitalocean: {
    types: digitaloceanTypes,
    load: async () =>
      (await import("./digitalocean/digitalocean-provider.ts")).digitaloceanProvider,
  },
  mock: {
    types: mockTypes,
    load: async () => (await import("./mock/mock-provider.ts")).mockProvider,
  },
};

function entryOf(name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name as ProviderName] : undefined;
}

const loaded = new Map<string, Provider>();

/** The provider of that name, loaded on first use; `undefined` when there is none. */
export async function providerFor(name: string): Promise<Provider | undefined> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const provider = await entryOf(name)?.load();
  if (provider !== undefined) loaded.set(name, provider);
  return provider;
}

/** The providers available to targets, in the order of `providerNames`. */
export function availableProviders(): readonly ProviderName[] {
  return providerNames.filter((name) => entryOf(name) !== undefined);
}

/** The types of every available provider, without loading any provider. */
export function providerTypes(): readonly ProviderTypes[] {
  return availableProviders().flatMap((name) => entryOf(name)?.types ?? []);
}
