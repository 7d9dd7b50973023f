/**
 * The providers of this installation. What a provider needs is evaluated on first use, not when the Worker starts: its
 * rows and its `Provider` are made by functions (docs/decisions/0071).
 */
import { type ProviderName, providerNames } from "#schema/lists/provider-names.ts";
import { awsProvider } from "./aws/aws-provider.ts";
import { awsTypes } from "./aws/types.ts";
import { azureProvider } from "./azure/azure-provider.ts";
import { azureTypes } from "./azure/types.ts";
import { coreweaveProvider } from "./coreweave/coreweave-provider.ts";
import { coreweaveTypes } from "./coreweave/types.ts";
import { digitaloceanProvider } from "./digitalocean/digitalocean-provider.ts";
import { digitaloceanTypes } from "./digitalocean/types.ts";
import { gcpProvider } from "./gcp/gcp-provider.ts";
import { gcpTypes } from "./gcp/types.ts";
import { magaluProvider } from "./magalu/magalu-provider.ts";
import { magaluTypes } from "./magalu/types.ts";
import { mockProvider } from "./mock/mock-provider.ts";
import { mockTypes } from "./mock/types.ts";
import { ociProvider } from "./oci/oci-provider.ts";
import { ociTypes } from "./oci/types.ts";
import type { Provider, ProviderTypes } from "./provider.ts";
import { renderProvider } from "./render/render-provider.ts";
import { renderTypes } from "./render/types.ts";
import { supabaseProvider } from "./supabase/supabase-provider.ts";
import { supabaseTypes } from "./supabase/types.ts";
import { vercelTypes } from "./vercel/types.ts";
import { vercelProvider } from "./vercel/vercel-provider.ts";
import { vultrTypes } from "./vultr/types.ts";
import { vultrProvider } from "./vultr/vultr-provider.ts";

interface Entry {
  types: ProviderTypes;
  make: () => Provider;
}

const entries: Readonly<Partial<Record<ProviderName, Entry>>> = {
  aws: { types: awsTypes, make: awsProvider },
  azure: { types: azureTypes, make: azureProvider },
  coreweave: { types: coreweaveTypes, make: coreweaveProvider },
  digitalocean: { types: digitaloceanTypes, make: digitaloceanProvider },
  gcp: { types: gcpTypes, make: gcpProvider },
  magalu: { types: magaluTypes, make: magaluProvider },
  mock: { types: mockTypes, make: mockProvider },
  oci: { types: ociTypes, make: ociProvider },
  vultr: { types: vultrTypes, make: vultrProvider },
  render: { types: renderTypes, make: renderProvider },
  vercel: { types: vercelTypes, make: vercelProvider },
  supabase: { types: supabaseTypes, make: supabaseProvider },
};

function entryOf(name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name as ProviderName] : undefined;
}

const made = new Map<string, Provider>();

/** The provider of that name, made on first use; `undefined` when there is none. */
export function providerFor(name: string): Provider | undefined {
  const known = made.get(name);
  if (known !== undefined) return known;
  const provider = entryOf(name)?.make();
  if (provider !== undefined) made.set(name, provider);
  return provider;
}

/** The providers available to targets, in the order of `providerNames`. */
export function availableProviders(): readonly ProviderName[] {
  return providerNames.filter((name) => entryOf(name) !== undefined);
}

/** The types of every available provider, without making any provider. */
export function providerTypes(): readonly ProviderTypes[] {
  return availableProviders().flatMap((name) => entryOf(name)?.types ?? []);
}
