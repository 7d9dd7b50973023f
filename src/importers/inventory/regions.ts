/** Finds the region of each resource where the files write it out. */
import type { Expression, ObjectExpression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { SafeModule, SourceResource } from "#importers/source-module.ts";

/** The origin of a region. `default`: the default of a variable, which a deployment may override. */
export type RegionSource = "resource" | "provider" | "default";

export interface Region extends Place {
  name: string;
  from: RegionSource;
}

const MAX_DEPTH = 10;
const regionNames = ["region", "location", "zone", "availability_zone"];

/** Returns a function that finds the region of a resource of the module: its own, or the one of its provider. */
export function regionsIn(module: SafeModule): (resource: SourceResource) => Region | undefined {
  const variables = new Map(module.variables.map((one) => [one.name, one]));
  const locals = new Map(module.locals.map((one) => [one.name, one]));
  const read = (value: Expression | undefined, place: Place, from: RegionSource, depth = 0) => {
    const follow = (next: Expression | undefined, nextPlace: Place, nextFrom: RegionSource) =>
      depth < MAX_DEPTH ? read(next, nextPlace, nextFrom, depth + 1) : undefined;
    return regionIn(value, place, from, { variables, locals, follow });
  };
  const configured = new Map<string, Region | undefined>();
  for (const provider of module.providers) {
    configured.set(provider.name, read(regionSetting(provider.settings), provider, "provider"));
    for (const alias of provider.aliases)
      configured.set(
        `${provider.name}.${alias.name}`,
        read(regionSetting(alias.settings), alias, "provider"),
      );
  }
  return (resource) =>
    read(resource.region, resource, "resource") ?? configured.get(resource.provider);
}

function regionSetting(settings: ObjectExpression | null): Expression | undefined {
  for (const name of regionNames) {
    const member = settings?.members.find((one) => one.name === name);
    if (member !== undefined) return member.value;
  }
  return undefined;
}

interface Names {
  variables: ReadonlyMap<string, Place & { default?: Expression | undefined; sensitive: boolean }>;
  locals: ReadonlyMap<string, Place & { value: Expression }>;
  follow: (value: Expression | undefined, place: Place, from: RegionSource) => Region | undefined;
}

function regionIn(
  value: Expression | undefined,
  place: Place,
  from: RegionSource,
  { variables, locals, follow }: Names,
): Region | undefined {
  if (value?.kind === "literal")
    return isRegionName(value.value)
      ? { name: value.value, from, file: place.file, line: place.line }
      : undefined;
  if (value?.kind !== "reference" || value.path.length > 0) return undefined;
  const { target } = value;
  if (target.kind === "variable") {
    const variable = variables.get(target.name);
    if (variable === undefined || variable.sensitive) return undefined;
    return follow(variable.default, variable, "default");
  }
  if (target.kind === "local") {
    const local = locals.get(target.name);
    return local === undefined ? undefined : follow(local.value, local, from);
  }
  return undefined;
}

/** The setting may contain any text. Only a text in the form of a region name is shown. */
function isRegionName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/.test(value);
}
