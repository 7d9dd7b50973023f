import type { Scope } from "#importers/evaluate/scope.ts";
import { regionsIn } from "#importers/inventory/regions.ts";
import type { SafeModule, SourceResource } from "#importers/source-module.ts";

/**
 * Finds the resources of a module in another region than the module's, by a provider alias. A draft is deployed to one
 * region; only a property can name another.
 */
export function otherRegion({ module }: Scope): IsElsewhere {
  const known = ofModule.get(module);
  if (known !== undefined) return known;
  const made = elsewhereIn(module);
  ofModule.set(module, made);
  return made;
}

type IsElsewhere = (resource: SourceResource) => boolean;

/** A cache, because a module may be called very often. */
const ofModule = new WeakMap<SafeModule, IsElsewhere>();

function elsewhereIn(module: SafeModule): IsElsewhere {
  const regionOf = regionsIn({ ...module, resources: [] });
  const at = (resource: SourceResource, provider: string) =>
    regionOf({ ...resource, region: undefined, provider })?.name;
  return (resource) => {
    const [provider = "", alias] = resource.provider.split(".");
    // A resource of AWS may name its region, and has no property for it here.
    const given = resource.settings.members.find(({ name }) => name === "region")?.value;
    if (provider === "aws" && given?.kind === "literal" && given.value !== null) {
      const own = at(resource, provider);
      return own !== undefined && own !== given.value;
    }
    if (alias === undefined || resource.region !== undefined) return false;
    const [own, aliased] = [at(resource, provider), at(resource, resource.provider)];
    return own !== undefined && aliased !== undefined && own !== aliased;
  };
}
