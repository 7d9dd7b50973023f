/**
 * The files in which a provider's described types are stored, one for each of its services (docs/decisions/0068). A
 * generator writes them; keys are short because there are thousands of each.
 */
import type { Json } from "#platform/json.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";

/** `index.json` of a provider: which file has which types. */
export interface ShardIndex {
  /** What the shards were made from and by; a generator with another stamp makes them again. */
  stamp: string;
  /** True: the provider has no other types. */
  complete: boolean;
  /** The names of the types by service, without the provider; a service's shard is `<service>.json`. */
  services: Readonly<Record<string, readonly string[]>>;
}

export interface Shard {
  types: Readonly<Record<string, ShardType>>;
  /** What `Node` numbers refer to. */
  objects: readonly ShardObject[];
}

export interface ShardObject {
  /** Properties. */
  p: Readonly<Record<string, Node>>;
  /** Required ones. */
  r?: readonly string[];
  /** Those that only the cloud sets. */
  o?: readonly string[];
  /** Those whose change replaces the object. */
  c?: readonly string[];
  /** Those that are sent and never shown. */
  w?: readonly string[];
  /** It may have other properties. */
  x?: 1;
}

export interface ShardType extends ShardObject {
  /** The properties that identify the object. */
  id?: readonly string[];
  /** Properties that the cloud shows in lists, besides `id`. */
  shown?: readonly string[];
  /** The version of the vendor's API that has this type so. */
  version?: string;
  /** The property with the object's region. */
  region?: string;
}

/**
 * A value: a string, an integer, a number, a boolean, any map (`o`), any list (`l`), anything (`""`), the object of that
 * index, a list of, a map to, one of these values, or such a value unless it is of another type.
 */
export type Node =
  | keyof typeof scalarTypes
  | ""
  | number
  | readonly [Node]
  | { readonly m: Node }
  | { readonly e: readonly Json[] }
  | { readonly u: Node };

const scalarTypes = {
  s: "string",
  i: "integer",
  n: "number",
  b: "boolean",
  o: "object",
  l: "array",
} as const;

const decoded = new WeakMap<Shard, Map<string, TypeFacts>>();

/** The facts of a type of the shard, decoded once; undefined: it has no such type. */
export function factsIn(shard: Shard, name: string): TypeFacts | undefined {
  if (!Object.hasOwn(shard.types, name)) return undefined;
  const known = decoded.get(shard) ?? new Map<string, TypeFacts>();
  decoded.set(shard, known);
  const type = shard.types[name];
  const facts = known.get(name) ?? (type === undefined ? undefined : decode(shard, type));
  if (facts !== undefined) known.set(name, facts);
  return facts;
}

function decode(shard: Shard, type: ShardType): TypeFacts {
  const shape = shapesOf(shard)(type);
  const { id = [], shown = [], version, region, r: required = [] } = type;
  const writeOnly = flaggedPaths(shard, type, "w");
  return {
    immutable: flaggedPaths(shard, type, "c"),
    writeOnly,
    readOnly: flaggedPaths(shard, type, "o"),
    required,
    deleteBeforeReplace: false,
    outputs: Object.keys(shape.properties).filter((property) => !writeOnly.includes(property)),
    shape,
    shown: [...new Set([...id, ...shown])],
    identifier: id,
    ...(version === undefined ? {} : { version }),
    ...(region === undefined ? {} : regionFacts(region, required)),
  };
}

/** Where a description does not require the region, an object without one is where its parent is. */
function regionFacts(
  region: string,
  required: readonly string[],
): Pick<TypeFacts, "regionProperty" | "regionElsewhere"> {
  return {
    regionProperty: region,
    ...(required.includes(region) ? {} : { regionElsewhere: true }),
  };
}

const shapes = new WeakMap<Shard, (object: ShardObject) => ObjectShape>();

/** Decodes objects, each once. An object may contain itself, and so does its shape. */
function shapesOf(shard: Shard): (object: ShardObject) => ObjectShape {
  const known = shapes.get(shard);
  if (known !== undefined) return known;
  const made = new Map<ShardObject, ObjectShape>();
  const shapeOf = (object: ShardObject): ObjectShape => {
    const before = made.get(object);
    if (before !== undefined) return before;
    const properties: Record<string, ValueShape> = {};
    const shape: ObjectShape = {
      properties,
      ...(object.r === undefined ? {} : { required: object.r }),
      ...(object.x === undefined ? {} : { open: true }),
    };
    made.set(object, shape);
    const readOnly = new Set(object.o);
    for (const [name, node] of Object.entries(object.p)) {
      const value = valueOf(node);
      properties[name] = readOnly.has(name) ? { ...value, readOnly: true } : value;
    }
    return shape;
  };
  const valueOf = (node: Node): ValueShape => {
    if (typeof node === "number") {
      const object = shard.objects[node];
      return object === undefined ? {} : { type: "object", object: shapeOf(object) };
    }
    if (typeof node === "string") return node === "" ? {} : { type: scalarTypes[node] };
    if ("m" in node) return { type: "object", items: valueOf(node.m) };
    if ("e" in node) return enumOf(node.e);
    if ("u" in node) {
      const { type: _, ...value } = valueOf(node.u);
      return value;
    }
    return { type: "array", items: valueOf(node[0]) };
  };
  shapes.set(shard, shapeOf);
  return shapeOf;
}

function enumOf(values: readonly Json[]): ValueShape {
  const integers = values.every((value) => Number.isInteger(value));
  const texts = values.every((value) => typeof value === "string");
  return { enum: values, ...(texts ? { type: "string" } : integers ? { type: "integer" } : {}) };
}

/** More would cost more than they tell: what is not listed is decided by the cloud. */
const MAX_PATHS = 1000;

/** The paths of all properties with the flag, without those below another of them. An object is not entered twice. */
function flaggedPaths(shard: Shard, type: ShardType, flag: "o" | "c" | "w"): string[] {
  const known = new Map<ShardObject, readonly string[]>();
  const within = (object: ShardObject): readonly string[] => {
    const before = known.get(object);
    if (before !== undefined) return before;
    known.set(object, []);
    const flagged = new Set(object[flag]);
    const paths = Object.entries(object.p).flatMap(([name, node]) => {
      const member = memberPath(name);
      if (flagged.has(name)) return [member];
      const [at, inside] = objectIn(shard, node);
      return inside === undefined ? [] : within(inside).map((path) => joined(member + at, path));
    });
    const kept = paths.slice(0, MAX_PATHS);
    known.set(object, kept);
    return kept;
  };
  return [...within(type)];
}

/** The object in a value, under how many lists and maps whatever, and the path to it. */
function objectIn(shard: Shard, node: Node): readonly [string, ShardObject | undefined] {
  if (typeof node === "number") return ["", shard.objects[node]];
  if (typeof node === "string" || "e" in node) return ["", undefined];
  if ("u" in node) return objectIn(shard, node.u);
  const [at, object] = objectIn(shard, "m" in node ? node.m : node[0]);
  return [`${"m" in node ? ".*" : "[*]"}${at}`, object];
}

function memberPath(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : `[${JSON.stringify(name)}]`;
}

function joined(path: string, member: string): string {
  return member.startsWith("[") ? path + member : `${path}.${member}`;
}
