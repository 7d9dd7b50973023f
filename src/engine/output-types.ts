import { anyKey, type PathSegment } from "#platform/property-path.ts";
import type { TypeFacts, ValueShape } from "#providers/provider.ts";
import { factPath } from "./path-set.ts";
import { own } from "./template/own.ts";
import { sealAt } from "./value-paths.ts";
import {
  isMap,
  PartlyKnown,
  Secret,
  type Unknown,
  unknown,
  unknownOf,
  type Value,
  type ValueMap,
} from "./value.ts";

/**
 * The known types of an object's outputs before it is applied, by key. The catalogue describes them only for a type
 * whose outputs it lists, since other clouds may return a property in another form. `returned`: the cloud's earlier
 * outputs of the object, which count for more.
 */
function outputTypes(
  facts: Pick<TypeFacts, "outputs" | "properties" | "shape" | "shownAt"> | undefined,
  returned: ValueMap = {},
): { [key: string]: Unknown } {
  const described: { readonly [key: string]: ValueShape } =
    facts?.properties ?? facts?.shape?.properties ?? {};
  const listed = facts?.outputs === undefined ? {} : described;
  return Object.fromEntries([
    ["id", unknownOf("string", "number")],
    ...Object.entries(listed).map(([key, { type }]): [string, Unknown] => [
      key,
      // The output of the property's own name may show another value.
      type === undefined || Object.hasOwn(facts?.shownAt ?? {}, key) ? unknown : unknownOf(type),
    ]),
    ...Object.entries(returned).flatMap(([key, value]): [string, Unknown][] => {
      const known = typeOf(value);
      return known === undefined ? [] : [[key, known]];
    }),
  ]);
}

/** An object before it is applied: its known values, the types of the rest, and the cloud's future secrets. */
export function plannedObject(
  known: ValueMap,
  facts: Pick<TypeFacts, "outputs" | "properties" | "shownAt" | "secretOutputs"> | undefined,
  returned: ValueMap = {},
): PartlyKnown {
  let object = new PartlyKnown(known, outputTypes(facts, returned));
  for (const text of facts?.secretOutputs ?? []) {
    const marked = withSecret(object, factPath(text));
    if (marked instanceof PartlyKnown) object = marked;
  }
  return new PartlyKnown(sealAt(object.known, facts?.secretOutputs), object.later);
}

/** The value with a secret at an unknown path. The items of a future list are unknown. */
function withSecret(
  value: Value | undefined,
  [segment, ...rest]: readonly PathSegment[],
): Value | undefined {
  if (segment === undefined) return value ?? new Secret(unknown);
  if (segment === anyKey) return value;
  const key = String(segment);
  if (value !== undefined && !isMap(value) && !(value instanceof PartlyKnown)) return value;
  const known = value instanceof PartlyKnown ? value.known : (value ?? {});
  const later = value instanceof PartlyKnown ? value.later : {};
  const part = withSecret(own(known, key), rest);
  if (part === undefined) return value;
  if (isMap(value) && Object.hasOwn(value, key)) return { ...value, [key]: part };
  return new PartlyKnown({ ...known, [key]: part }, later);
}

function typeOf(value: Value): Unknown | undefined {
  if (value instanceof Secret) return typeOf(value.value);
  if (Array.isArray(value)) return unknownOf("array");
  if (isMap(value)) return unknownOf("object");
  if (typeof value === "string") return unknownOf("string");
  if (typeof value === "number") return unknownOf("number");
  return typeof value === "boolean" ? unknownOf("boolean") : undefined;
}
