import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { listAt, mapAt } from "./json-at.ts";

const REFERENCE = "#/components/schemas/";
/** Keywords of a schema that hold values, not schemas. */
const values: ReadonlySet<string> = new Set([
  "const",
  "default",
  "enum",
  "example",
  "examples",
  "propertyNames",
]);

/**
 * The document with its closed lists as components, so that a client has one type for each. `names`: by `Schema.field`,
 * the path of one field with the list. Throws for a list without a name, and for a name without a list.
 */
export function nameEnums(document: JsonMap, names: Readonly<Record<string, string>>): JsonMap {
  const components = mapAt(document, "components");
  const schemas = mapAt(components, "schemas");
  const lists = namedLists(schemas, names);
  const replaced = (schema: Json): Json => {
    if (Array.isArray(schema)) return schema.map(replaced);
    if (!isJsonMap(schema)) return schema;
    const name = isWordList(schema) ? lists.get(keyOf(schema)) : undefined;
    if (name !== undefined) {
      const { type: _, enum: __, ...rest } = schema;
      return { $ref: REFERENCE + name, ...rest };
    }
    return Object.fromEntries(
      Object.entries(schema).map(([key, inner]) => [
        key,
        values.has(key) ? inner : replaced(inner),
      ]),
    );
  };
  const named = Object.fromEntries(
    [...lists].map(([key, name]): [string, JsonMap] => [
      name,
      { type: "string", enum: JSON.parse(key) as Json[] },
    ]),
  );
  return {
    ...document,
    paths: replaced(mapAt(document, "paths")),
    components: { ...components, schemas: { ...(replaced(schemas) as JsonMap), ...named } },
  };
}

/** The name of each list, by its words. */
function namedLists(
  schemas: JsonMap,
  names: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const found = Object.entries(schemas).flatMap(([name, schema]) => [...listsIn(schema, name)]);
  const lists = new Map(
    found.flatMap(({ place, key }) =>
      Object.hasOwn(names, place) ? [[key, names[place] ?? ""] as const] : [],
    ),
  );
  const nameless = found.filter(({ key }) => !lists.has(key)).map(({ place }) => place);
  if (nameless.length > 0)
    throw new Error(`These closed lists have no name in enum-names.ts: ${nameless.join(", ")}`);
  const given = new Set(lists.values());
  const unused = Object.entries(names).filter(([, name]) => !given.has(name));
  if (unused.length > 0)
    throw new Error(`These names of enum-names.ts name no list: ${unused.join(", ")}`);
  for (const name of given)
    if (Object.hasOwn(schemas, name)) throw new Error(`The name ${name} is taken by a schema`);
  return lists;
}

/** `place`: the path of fields, without list items and choices. */
function* listsIn(schema: Json, place: string): Generator<{ place: string; key: string }> {
  if (Array.isArray(schema)) for (const each of schema) yield* listsIn(each, place);
  if (!isJsonMap(schema)) return;
  if (isWordList(schema)) yield { place, key: keyOf(schema) };
  for (const [key, inner] of Object.entries(schema)) {
    if (values.has(key)) continue;
    if (key !== "properties") yield* listsIn(inner, place);
    else if (isJsonMap(inner))
      for (const [name, field] of Object.entries(inner)) yield* listsIn(field, `${place}.${name}`);
  }
}

function isWordList(schema: JsonMap): boolean {
  const words = listAt(schema, "enum");
  return words.length > 1 && words.every((word) => typeof word === "string");
}

function keyOf(schema: JsonMap): string {
  return JSON.stringify(listAt(schema, "enum"));
}
