/**
 * The schemas of the document. Structures that deserve a name in programs (a resource, a body, a page, an event) are
 * defined once, under `components.schemas`, and referenced; all other schemas are inline.
 *
 * A schema's name is the `id` of its `.meta({ id })`. Without one, it is derived from the operation id that answers or
 * takes it: `getDeployment` answers a `Deployment`, `listDeployments` a `DeploymentPage`, `createApiKey` takes a
 * `CreateApiKeyBody` and answers a `NewApiKey`, which has more members than the `ApiKey` of `getApiKey`. Names depend
 * on operation ids only, and those never change once published.
 */
import * as z from "zod";
import type { Endpoint } from "#http/endpoint.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

export interface Components {
  /** By name, in alphabetical order. */
  schemas: JsonMap;
  /** For requests: the schema of a parameter object or body, or a reference to it. */
  input: (schema: z.ZodType) => JsonMap;
  /** For answers and webhook payloads. */
  output: (schema: z.ZodType) => JsonMap;
}

type Side = "input" | "output";

export function componentsOf(endpoints: readonly Endpoint[], events: z.ZodType[]): Components {
  const names = namesOf(endpoints);
  const input = convert(
    "input",
    endpoints.flatMap(({ params, query, body }) => [params ?? [], query ?? [], body ?? []].flat()),
    names,
  );
  const output = convert(
    "output",
    [
      ...endpoints.flatMap(({ answer, failures }) => [
        answer.schema ?? [],
        ...Object.values(failures ?? {}).map(({ schema }) => schema),
      ]),
      ...events,
    ].flat(),
    names,
  );
  const schemas = { ...input.named };
  for (const [name, schema] of Object.entries(output.named)) {
    const other = schemas[name];
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(schema))
      throw new Error(`The schema ${name} differs between requests and answers`);
    schemas[name] = schema;
  }
  const found = (map: ReadonlyMap<z.ZodType, JsonMap>) => (schema: z.ZodType) => {
    const made = map.get(schema);
    if (made === undefined) throw new Error("A schema was asked for that no endpoint declares");
    return made;
  };
  return {
    schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    input: found(input.schemas),
    output: found(output.schemas),
  };
}

/** Converts all schemas of one side together, so that shared parts are converted once. */
function convert(side: Side, schemas: z.ZodType[], names: ReadonlyMap<z.ZodType, string>) {
  const distinct = [...new Set(schemas)];
  const { properties, $defs } = z.toJSONSchema(
    z.object(Object.fromEntries(distinct.map((schema, at) => [String(at), schema]))),
    {
      io: side,
      unrepresentable: "any",
      target: "draft-2020-12",
      metadata: withNames(names),
      ...(side === "input" ? { override: closeObject } : {}),
    },
  ) as JsonMap;
  const defs = isJsonMap($defs) ? $defs : {};
  const roots = isJsonMap(properties) ? properties : {};
  const named = Object.keys(defs).filter((name) => !name.startsWith("__"));
  const finish = (schema: Json): JsonMap => {
    const whole = inlined(schema, defs, new Set(named)) as JsonMap;
    return side === "output" ? (answered(whole) as JsonMap) : whole;
  };
  return {
    schemas: new Map(distinct.map((schema, at) => [schema, finish(roots[String(at)] ?? {})])),
    named: Object.fromEntries(
      named.map((name) => {
        const { id: _, ...schema } = defs[name] as JsonMap;
        return [name, finish(schema)];
      }),
    ) as JsonMap,
  };
}

/** Requests are refused for unknown members (unknown-members.ts). */
function closeObject({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === "object" && def.catchall === undefined) jsonSchema.additionalProperties = false;
}

function withNames(names: ReadonlyMap<z.ZodType, string>): typeof z.globalRegistry {
  const registry = z.registry<z.core.GlobalMeta>();
  registry.get = (schema) => {
    const own = z.globalRegistry.get(schema);
    const name = names.get(schema as unknown as z.ZodType);
    return name === undefined ? own : { ...own, id: own?.id ?? name };
  };
  return registry;
}

function namesOf(endpoints: readonly Endpoint[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Set<string>();
  const nameOf = (schema: z.ZodType) => z.globalRegistry.get(schema)?.id ?? names.get(schema);
  const name = (schema: z.ZodType | undefined, ...candidates: string[]): void => {
    if (schema === undefined || nameOf(schema) !== undefined || !isStructure(schema)) return;
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free === undefined)
      throw new Error(
        `The names ${candidates.join(" and ")} are taken: name the schema with .meta({ id })`,
      );
    names.set(schema, free);
    taken.add(free);
  };
  const operations = endpoints.map((endpoint) => {
    const [, verb = "", noun = ""] = /^([a-z]+)(.*)$/.exec(endpoint.operationId) ?? [];
    const whole = verb.charAt(0).toUpperCase() + verb.slice(1) + noun;
    return { ...endpoint, verb, noun, whole, page: itemOfPage(endpoint.answer.schema) };
  });
  for (const { verb, noun, whole, answer, page } of operations)
    if (verb === "get" && page === undefined) name(answer.schema, noun, whole);
  for (const { verb, noun, whole, answer, page } of operations) {
    if (page === undefined) continue;
    const one = noun.replace(/ies$/, "y").replace(/s$/, "");
    name(page, ...(verb === "list" ? [one, `${one}Summary`] : [`${noun}Item`]), `${whole}Item`);
    if (verb === "list") name(answer.schema, `${nameOf(page) ?? one}Page`, `${whole}Page`);
    else name(answer.schema, noun, whole);
  }
  for (const { verb, noun, whole, answer } of operations)
    if (verb === "create" || verb === "add") name(answer.schema, noun, `New${noun}`, whole);
  for (const { whole, answer, body, failures } of operations) {
    name(body, `${whole}Body`);
    name(answer.schema, `${whole}Result`);
    for (const { schema } of Object.values(failures ?? {})) name(schema, `${whole}Failure`);
  }
  return names;
}

/** True for schemas that get a name: objects and unions, not texts, free maps or lists. */
function isStructure(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) return isStructure(schema.in as z.ZodType);
  return schema instanceof z.ZodObject || schema instanceof z.ZodUnion;
}

function itemOfPage(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, "nextCursor"))
    return undefined;
  const list: unknown = schema.shape["data"];
  return list instanceof z.ZodArray ? (list.element as z.ZodType) : undefined;
}

const REFERENCE = "#/$defs/";

/**
 * Resolves `$defs` references, which would be looked up from the root of the whole document: a named schema
 * becomes a reference into `components`, any other is inlined. The only unnamed schema that refers to itself
 * is `z.json()`: it becomes `{}`, any value.
 */
function inlined(value: Json, defs: JsonMap, named: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => inlined(item, defs, named));
  if (!isJsonMap(value)) return value;
  const { $ref, ...rest } = value;
  const members = Object.entries(rest).map(([key, inner]): [string, Json] => [
    key,
    inlined(inner, defs, named),
  ]);
  if (typeof $ref !== "string") return plain(Object.fromEntries(members));
  const name = $ref.slice(REFERENCE.length);
  if (named.has(name))
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(members) };
  const def = Object.hasOwn(defs, name) ? defs[name] : undefined;
  if (!isJsonMap(def)) throw new Error(`A schema refers to ${$ref}, which it does not define`);
  const resolved = reaches(def, name, defs, new Set()) ? {} : inlined(def, defs, named);
  return { ...(resolved as JsonMap), ...Object.fromEntries(members) };
}

/**
 * The same schema in the form that OpenAPI tools expect: enumerated keys as named properties, and no `anyOf`
 * with a choice that accepts anything.
 */
function plain(schema: JsonMap): JsonMap {
  const { propertyNames, additionalProperties, anyOf, ...rest } = schema;
  if (
    isJsonMap(propertyNames) &&
    Array.isArray(propertyNames["enum"]) &&
    isJsonMap(additionalProperties)
  )
    return {
      ...rest,
      properties: Object.fromEntries(
        propertyNames["enum"]
          .filter((name) => typeof name === "string")
          .map((name): [string, Json] => [name, additionalProperties]),
      ),
      additionalProperties: false,
    };
  const takesAll = (choice: Json) => isJsonMap(choice) && Object.keys(choice).length === 0;
  return Array.isArray(anyOf) && anyOf.some(takesAll) ? rest : schema;
}

/**
 * Adapts a schema for answers. Answers may gain members, so `additionalProperties: false` is dropped: a
 * strict client would break. A pattern beside a format is dropped as redundant.
 */
function answered(value: Json): Json {
  if (Array.isArray(value)) return value.map(answered);
  if (!isJsonMap(value)) return value;
  const hasFormat = typeof value["format"] === "string";
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          !(key === "additionalProperties" && inner === false) &&
          !(key === "pattern" && hasFormat && typeof inner === "string"),
      )
      .map(([key, inner]) => [key, answered(inner)]),
  );
}

function reaches(value: Json, target: string, defs: JsonMap, seen: Set<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => reaches(item, target, defs, seen));
  if (!isJsonMap(value)) return false;
  const { $ref } = value;
  if (typeof $ref === "string") {
    const name = $ref.slice(REFERENCE.length);
    if (name === target) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return reaches(defs[name] ?? null, target, defs, seen);
  }
  return Object.values(value).some((inner) => reaches(inner, target, defs, seen));
}
