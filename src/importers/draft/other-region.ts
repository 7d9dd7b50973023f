/**
 * Finds the resources of a module in another region than the module's, by a provider alias. A draft is deployed to one
 * region; only a property can name another.
 */
import type { Scope } from "#importers/evaluate/scope.ts";
import { regionsIn } from "#importers/inventory/regions.ts";
import type { SafeModule, SourceResource } from "#importers/source-module.ts";

interface ProviderRegions {
  isElsewhere: (resource: SourceResource) => boolean;
  /** The region of the resource's provider, without its alias, if the files tell it. */
  of: (resource: SourceResource) => string | undefined;
}

export function providerRegions({ module }: Scope): ProviderRegions {
  const known = ofModule.get(module);
  if (known !== undefined) return known;
  const made = regionsOf(module);
  ofModule.set(module, made);
  return made;
}

/** A cache, because a module may be called very often. */
const ofModule = new WeakMap<SafeModule, ProviderRegions>();

function regionsOf(module: SafeModule): ProviderRegions {
  const regionOf = regionsIn({ ...module, resources: [] });
  const at = (resource: SourceResource, provider: string) =>
    regionOf({ ...resource, region: undefined, provider })?.name;
  const of = (resource: SourceResource) => at(resource, resource.provider.split(".")[0] ?? "");
  const isElsewhere = (resource: SourceResource): boolean => {
    const [provider, alias] = resource.provider.split(".");
    const own = of(resource);
    // A resource of AWS may name its region, and has no property for it here.
    const given = resource.settings.members.find(({ name }) => name === "region")?.value;
    if (provider === "aws" && given?.kind === "literal" && given.value !== null)
      return own !== undefined && own !== given.value;
    if (alias === undefined || resource.region !== undefined) return false;
    const aliased = at(resource, resource.provider);
    return own !== undefined && aliased !== undefined && own !== aliased;
  };
  return { isElsewhere, of };
}
