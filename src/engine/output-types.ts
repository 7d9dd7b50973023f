import type { TypeFacts, ValueShape } from "#providers/provider.ts";
import {
  isMap,
  Secret,
  type Unknown,
  unknown,
  unknownOf,
  type Value,
  type ValueMap,
} from "./value.ts";

/**
 * What is known of the outputs of an object before it is applied, by key. The catalogue describes them only for a type
 * whose outputs it lists: other clouds return some properties in another form than they take them. `returned`: what
 * the cloud returned of the object before, which counts for more.
 */
export function outputTypes(
  facts: Pick<TypeFacts, "outputs" | "properties" | "shape"> | undefined,
  returned: ValueMap = {},
): { [key: string]: Unknown } {
  const described: { readonly [key: string]: ValueShape } =
    facts?.properties ?? facts?.shape?.properties ?? {};
  const listed = facts?.outputs === undefined ? {} : described;
  return Object.fromEntries([
    ["id", unknownOf("string", "number")],
    ...Object.entries(listed).map(([key, { type }]): [string, Unknown] => [
      key,
      type === undefined ? unknown : unknownOf(type),
    ]),
    ...Object.entries(returned).flatMap(([key, value]): [string, Unknown][] => {
      const known = typeOf(value);
      return known === undefined ? [] : [[key, known]];
    }),
  ]);
}

function typeOf(value: Value): Unknown | undefined {
  if (value instanceof Secret) return typeOf(value.value);
  if (Array.isArray(value)) return unknownOf("array");
  if (isMap(value)) return unknownOf("object");
  if (typeof value === "string") return unknownOf("string");
  if (typeof value === "number") return unknownOf("number");
  return typeof value === "boolean" ? unknownOf("boolean") : undefined;
}
