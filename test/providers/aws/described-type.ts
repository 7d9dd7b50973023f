/** What the fake AWS knows of a type: from a description, never from the provider that it tests. */
import { changedAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { factsIn, type Shard, type ShardIndex } from "#providers/catalogue/shard.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";
import { fixedTypes, hiddenProperties, listParents } from "./unsaid.ts";

export interface DescribedType {
  name: string;
  /** Paths, in order. */
  identifier: readonly string[];
  readOnly: readonly string[];
  createOnly: readonly string[];
  writeOnly: readonly string[];
  /** Properties that a list has to be restricted by. */
  parents: readonly string[];
  isFixed: boolean;
  /** Whether there may be a value at this path. */
  has: (path: string) => boolean;
  /** What is wrong with these properties, those that only the cloud sets left out. */
  problems: (properties: JsonMap) => string[];
  /** What the cloud sets, of an object with this identifier. */
  made: (id: string) => JsonMap;
}

/** Types of the catalogue, read from the service's own assets. `all`: each with an identifier. */
export async function describedTypes(
  names: readonly string[] | "all",
  assets: Assets,
): Promise<ReadonlyMap<string, DescribedType>> {
  const read = async (file: string): Promise<unknown> =>
    (await assets.fetch(`https://assets.invalid/catalogue/aws/${file}.json`)).json();
  const { services } = (await read("index")) as ShardIndex;
  const found = new Map<string, DescribedType>();
  for (const [service, types] of Object.entries(services)) {
    const wanted = names === "all" ? types : types.filter((type) => names.includes(type));
    if (wanted.length === 0) continue;
    const shard = (await read(service)) as Shard;
    for (const name of wanted) {
      const facts = factsIn(shard, name);
      const isWanted = names !== "all" || (facts?.identifier ?? []).length > 0;
      if (facts !== undefined && isWanted) found.set(name, ofFacts(name, facts));
    }
  }
  return found;
}

function ofFacts(name: string, facts: TypeFacts): DescribedType {
  const shape: ObjectShape = facts.shape ?? { properties: {}, open: true };
  const readOnly = facts.readOnly ?? [];
  return {
    name,
    identifier: facts.identifier ?? [],
    readOnly,
    createOnly: facts.immutable,
    writeOnly: hiddenProperties[name] ?? [],
    parents: listParents[name] ?? [],
    isFixed: fixedTypes.has(name),
    has: (path) => hasPlace({ object: shape }, path.replaceAll("[*]", ".*").split(".")),
    problems: (properties) => problemsIn(shape, properties, ""),
    made: (id) => madeOf(shape, readOnly, id),
  };
}

function hasPlace({ object, items }: ValueShape, [segment, ...rest]: readonly string[]): boolean {
  if (segment === undefined) return true;
  if (segment === "*") return items === undefined ? true : hasPlace(items, rest);
  if (object === undefined) return items === undefined || hasPlace(items, rest);
  const found = Object.hasOwn(object.properties, segment) ? object.properties[segment] : undefined;
  return found === undefined ? object.open === true : hasPlace(found, rest);
}

function problemsIn(shape: ObjectShape, value: JsonMap, at: string): string[] {
  const missing = (shape.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `#${at}: required key [${name}] not found`);
  const inside = Object.entries(value).flatMap(([name, one]) => {
    const known = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
    if (known !== undefined) return valueProblems(known, one, `${at}/${name}`);
    return shape.open === true ? [] : [`#${at}: extraneous key [${name}] is not permitted`];
  });
  return [...missing, ...inside];
}

function valueProblems(shape: ValueShape, value: Json, at: string): string[] {
  const found =
    value === null
      ? "null"
      : Array.isArray(value)
        ? "array"
        : isJsonMap(value)
          ? "object"
          : typeof value;
  const { type, object, items } = shape;
  const expected = type === "integer" ? "number" : type;
  if (expected !== undefined && expected !== found)
    return [`#${at}: expected type: ${expected}, found: ${found}`];
  if (shape.enum !== undefined && !shape.enum.includes(value))
    return [`#${at}: ${JSON.stringify(value)} is not a valid enum value`];
  if (Array.isArray(value) && items !== undefined)
    return value.flatMap((one, i) => valueProblems(items, one, `${at}/${i}`));
  if (!isJsonMap(value)) return [];
  if (object !== undefined) return problemsIn(object, value, at);
  if (items === undefined) return [];
  return Object.entries(value).flatMap(([key, one]) => valueProblems(items, one, `${at}/${key}`));
}

function madeOf(shape: ObjectShape, readOnly: readonly string[], id: string): JsonMap {
  let made: JsonMap = {};
  for (const path of readOnly.filter((one) => !one.includes("["))) {
    const name = path.split(".").at(-1) ?? path;
    const at = path.includes(".") ? {} : (shape.properties[name] ?? {});
    made = changedAt(made, path, () => valueOf(name, at, id));
  }
  return made;
}

function valueOf(name: string, { type, object, enum: choices }: ValueShape, id: string): Json {
  if (choices?.[0] !== undefined) return choices[0];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (object !== undefined)
    return Object.fromEntries(
      Object.entries(object.properties).map(([key, one]) => [key, valueOf(key, one, id)]),
    );
  return type === "object" ? {} : `${name}-of-${id}`;
}
