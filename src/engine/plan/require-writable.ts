import { PathSet } from "#engine/path-set.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { isMap, Secret, type Value, type ValueMap } from "#engine/value.ts";
import { escapePointer } from "#platform/json.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** Throws `ResolveError` if the properties set a value that only the cloud sets. */
export function requireWritable(
  name: string,
  { type, place, places }: Pick<ResourceDeclaration, "type" | "place" | "places">,
  properties: ValueMap,
  facts: Pick<TypeFacts, "readOnly"> | undefined,
): void {
  const path = pathOfSet(properties, PathSet.of(facts?.readOnly));
  if (path === undefined) return;
  throw new ResolveError(
    "read_only",
    `${JSON.stringify(name)} sets ${formatPropertyPath(path)}, which only the cloud sets in ${type}.`,
    places?.get(`/properties/${escapePointer(String(path[0]))}`) ?? place,
    readOnlyHint(name, path),
  );
}

export function readOnlyHint(name: string, path: readonly (string | number)[]): string {
  const written = formatPropertyPath([name, ...path]);
  return `Remove it; what the cloud sets can be read as \`\${${written}}\`.`;
}

/** The path of the first value in the set; undefined: there is none. */
function pathOfSet(value: Value, set: PathSet): (string | number)[] | undefined {
  if (set.here) return [];
  if (!set.below) return undefined;
  if (value instanceof Secret) return pathOfSet(value.value, set);
  const members: [string | number, Value][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [key, item] of members) {
    const below = pathOfSet(item, set.at(key));
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}
