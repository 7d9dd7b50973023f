/** The types of Google Cloud as its discovery documents describe them. */
import type { Node, ShardObject, ShardType } from "#providers/catalogue/shard.ts";
import { ShardBuilder, type ShardFiles, shardFiles } from "./shard-builder.ts";

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  readOnly?: boolean;
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema;
}
interface Method {
  request?: { $ref?: string };
  parameters?: Readonly<Record<string, { location?: string; type?: string }>>;
}
interface Collection {
  methods?: Readonly<Record<string, Method>>;
  resources?: Readonly<Record<string, Collection>>;
}
interface Discovery {
  kind: "discovery#restDescription";
  name: string;
  version: string;
  schemas?: Readonly<Record<string, Schema>>;
  resources?: Readonly<Record<string, Collection>>;
}

/** Collects the types that the documents' collections create, from the newest stable version of each service. */
export class GcpTypes {
  readonly #documents = new Map<string, Discovery>();

  add(file: unknown): void {
    if (!isDiscovery(file)) return;
    const known = this.#documents.get(file.name);
    if (known === undefined || isNewerVersion(file.version, known.version))
      this.#documents.set(file.name, file);
  }

  files(): ShardFiles {
    const services = new Map<string, ShardBuilder>();
    for (const document of this.#documents.values()) {
      const builder = new ShardBuilder();
      const types = new Map<string, ShardType>();
      for (const method of createsIn(document)) readType(document, method, builder, types);
      for (const [name, type] of types) builder.add(`${document.name}/${name}`, type);
      if (types.size > 0) services.set(document.name.toLowerCase(), builder);
    }
    return shardFiles(services, { stamp: "gcp", complete: false });
  }
}

function isDiscovery(file: unknown): file is Discovery {
  const { kind, name, version } = Object(file) as Partial<Discovery>;
  return (
    kind === "discovery#restDescription" && typeof name === "string" && typeof version === "string"
  );
}

/** `v2` before `v1`, and either before a `v3beta1`. */
export function isNewerVersion(version: string, than: string): boolean {
  const parts = (one: string) => {
    const [, major = "0", rest = ""] = /^v?(\d+)(.*)$/.exec(one) ?? [];
    return { stable: !/alpha|beta/.test(rest), major: Number(major), rest };
  };
  const [a, b] = [parts(version), parts(than)];
  if (a.stable !== b.stable) return a.stable;
  return a.major === b.major ? a.rest > b.rest : a.major > b.major;
}

function createsIn({ resources }: Collection): Method[] {
  return Object.values(resources ?? {}).flatMap((collection) => {
    const { insert, create } = collection.methods ?? {};
    const own = insert ?? create;
    return [...(own === undefined ? [] : [own]), ...createsIn(collection)];
  });
}

/** `GoogleCloudRunV2Service` is the `Service` of Cloud Run. */
function shortName(schema: string): string {
  return /^Google[A-Za-z]+?V\d+(?:(?:alpha|beta)\d+)?([A-Z]\w*)$/.exec(schema)?.[1] ?? schema;
}

function readType(
  { schemas = {} }: Discovery,
  { request, parameters = {} }: Method,
  builder: ShardBuilder,
  types: Map<string, ShardType>,
): void {
  const requested = request?.$ref;
  if (requested === undefined || !Object.hasOwn(schemas, requested)) return;
  const [schema, beside] = unwrapped(requested, schemas);
  const reader = new SchemaReader(schemas, builder);
  const body = reader.object(schemas[schema] ?? {});
  const name = shortName(schema);
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return;
  // Parameters of the path, the query or the body that name the object and its place: the cloud cannot change them.
  const given = [...beside, ...Object.keys(parameters).filter((one) => names(one, parameters))];
  const added = given.filter((one) => !Object.hasOwn(body.p, one));
  const before = types.get(name);
  const p = {
    ...before?.p,
    ...body.p,
    ...Object.fromEntries(added.map((one) => [one, "s"] as const)),
  };
  const immutable = [...new Set([...(before?.c ?? []), ...(body.c ?? []), ...added])];
  const shown = ["name", "labels", "region", "zone", "location"].filter((one) =>
    Object.hasOwn(p, one),
  );
  types.set(name, {
    ...body,
    p,
    ...(immutable.length === 0 ? {} : { c: immutable }),
    ...(shown.length === 0 ? {} : { shown }),
  });
}

/** A `CreateClusterRequest` holds a `Cluster`: its schema, and the texts beside it. */
function unwrapped(
  requested: string,
  schemas: Readonly<Record<string, Schema>>,
): readonly [schema: string, beside: readonly string[]] {
  const properties = Object.entries(schemas[requested]?.properties ?? {});
  const held = /^(\w*)Create(\w+)Request$/.exec(requested);
  const inner = properties.find(
    ([, { $ref }]) => $ref !== undefined && $ref === `${held?.[1]}${held?.[2]}`,
  );
  if (inner?.[1].$ref === undefined) return [requested, []];
  return [
    inner[1].$ref,
    properties.filter(([, { type }]) => type === "string").map(([name]) => name),
  ];
}

function names(parameter: string, parameters: Method["parameters"] = {}): boolean {
  if (parameters[parameter]?.location === "path") return true;
  return parameter.endsWith("Id") && parameter !== "requestId" && parameter !== "clientOperationId";
}

class SchemaReader {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #builder: ShardBuilder;

  constructor(schemas: Readonly<Record<string, Schema>>, builder: ShardBuilder) {
    this.#schemas = schemas;
    this.#builder = builder;
  }

  object({ properties = {}, additionalProperties }: Schema): ShardObject {
    const entries = Object.entries(properties);
    const marked = (test: (schema: Schema) => boolean) =>
      entries.filter(([, schema]) => test(schema)).map(([name]) => name);
    const [readOnly, immutable] = [marked(isReadOnly), marked(isImmutable)];
    return {
      p: Object.fromEntries(entries.map(([name, schema]) => [name, this.#nodeOf(schema)])),
      ...(readOnly.length === 0 ? {} : { o: readOnly }),
      ...(immutable.length === 0 ? {} : { c: immutable }),
      ...(additionalProperties === undefined ? {} : { x: 1 as const }),
    };
  }

  #nodeOf(schema: Schema): Node {
    const { $ref, type = "any", format, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) {
      const target = Object.hasOwn(this.#schemas, $ref) ? this.#schemas[$ref] : undefined;
      if (target === undefined) return "";
      if (target.type !== "object") return this.#nodeOf(target);
      return this.#holds(target, $ref);
    }
    if (schema.enum !== undefined) return { e: schema.enum };
    switch (type) {
      case "string":
        // Numbers of 64 bits are texts, and are taken as numbers too.
        return format === "int64" || format === "uint64" ? "" : "s";
      case "integer":
        return "i";
      case "number":
        return "n";
      case "boolean":
        return "b";
      case "array":
        return [this.#nodeOf(items ?? {})];
      case "object":
        return properties === undefined && additionalProperties === undefined
          ? "o"
          : this.#holds(schema, schema);
      default:
        return "";
    }
  }

  #holds(schema: Schema, key: unknown): Node {
    if (schema.properties === undefined)
      return schema.additionalProperties === undefined
        ? "o"
        : { m: this.#nodeOf(schema.additionalProperties) };
    return this.#builder.object(key, () => this.object(schema));
  }
}

/** The words with which Google's descriptions begin. */
function isReadOnly({ readOnly, description = "" }: Schema): boolean {
  return (
    readOnly === true || /^(?:\[Output Only\]|(?:Optional\. )?Output only\.)/.test(description)
  );
}

function isImmutable({ description = "" }: Schema): boolean {
  return /^(?:(?:Required|Optional)\. )?Immutable\./.test(description);
}
