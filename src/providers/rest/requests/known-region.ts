import { jsonAt } from "#platform/at-path.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { failure } from "./attempt.ts";

type Defined = Pick<RestProviderDefinition, "regions" | "types">;

const MAX_LISTED = 20;

/** Why the cloud has no such region, with the nearest that it has. Undefined: it may have it. */
export function unknownRegion({ regions, types }: Defined, region: Json): Failed | undefined {
  if (regions === undefined || typeof region !== "string" || region === "") return undefined;
  const known = regions.known.split(" ");
  if (known.includes(region) || regions.others?.test(region) === true) return undefined;
  const near = nearest(region, known);
  const hint =
    near === undefined
      ? `Its regions are ${known.slice(0, MAX_LISTED).join(", ")}.`
      : `Did you mean "${near}"?`;
  const message = `${types.name} has no region ${JSON.stringify(region.slice(0, 80))}. ${hint}`;
  return failure("unknown_region", message, { means: "invalid", fault: "user" });
}

/** The first mistake among the regions that the properties name. What was applied before is not looked at again. */
export function regionMistake(
  definition: Defined,
  { region: { property, more = [] } = {} }: RestType,
  properties: JsonMap,
  before: JsonMap = {},
): Failed | undefined {
  const paths = property === undefined ? more : [property, ...more];
  const namedIn = (map: JsonMap): Json[] => paths.flatMap((path) => jsonAt(map, path) ?? []);
  const applied = namedIn(before);
  const mistakes = namedIn(properties).flatMap((region) =>
    applied.includes(region) ? [] : (unknownRegion(definition, region) ?? []),
  );
  return mistakes[0];
}
