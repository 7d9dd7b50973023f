/** The parts of JSON Schema that the schema of templates uses. */

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, SchemaOrFlag>>;
  additionalProperties?: SchemaOrFlag;
  propertyNames?: SchemaOrFlag;
  items?: SchemaOrFlag;
  required?: readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  allOf?: readonly SchemaOrFlag[];
  anyOf?: readonly SchemaOrFlag[];
  oneOf?: readonly SchemaOrFlag[];
  /** A condition on the type of a resource. */
  if?: { properties?: { type?: { const?: unknown } } };
  then?: SchemaOrFlag;
  else?: SchemaOrFlag;
  /** For editors: a description of each value of `enum`, and properties that are not offered. */
  markdownEnumDescriptions?: readonly string[];
  doNotSuggest?: boolean;
}

export type SchemaOrFlag = Schema | boolean;

export interface RootSchema extends Schema {
  $defs: Readonly<Record<string, Schema>>;
}

const MAX_DEPTH = 40;

export function isSchema(value: SchemaOrFlag | undefined): value is Schema {
  return typeof value === "object";
}

/** Undefined if the map has no such member of its own. */
export function ownOf<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The schemas that a value at this path has to meet. `type`: the type of the resource around it. */
export function schemasAt(
  root: RootSchema,
  path: readonly string[],
  type: string | undefined,
): Schema[] {
  let schemas = [...partsOf(root, root, type)];
  for (const key of path)
    schemas = schemas
      .flatMap((schema) => childrenOf(schema, key))
      .flatMap((child) => [...partsOf(root, child, type)]);
  return [...new Set(schemas)];
}

function childrenOf(schema: Schema, key: string): Schema[] {
  if (key === "[]") return isSchema(schema.items) ? [schema.items] : [];
  const own = ownOf(schema.properties, key);
  if (own !== undefined) return isSchema(own) ? [own] : [];
  return isSchema(schema.additionalProperties) ? [schema.additionalProperties] : [];
}

/** The schema and all schemas that it includes, whichever of its conditions hold. */
export function* partsOf(
  root: RootSchema,
  schema: SchemaOrFlag | undefined,
  type: string | undefined,
  depth = 0,
): Generator<Schema> {
  if (!isSchema(schema) || depth > MAX_DEPTH) return;
  yield schema;
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  if ($ref !== undefined)
    yield* partsOf(root, ownOf(root.$defs, $ref.slice("#/$defs/".length)), type, depth + 1);
  const wanted = schema.if?.properties?.type?.const;
  const branches = wanted === undefined || wanted === type ? [schema.then, schema.else] : [];
  for (const one of [...allOf, ...anyOf, ...oneOf, ...branches])
    yield* partsOf(root, one, type, depth + 1);
}
