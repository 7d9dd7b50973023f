/** The types of Azure as Bicep's type files (`types.json`) describe them. */
import type { Node, ShardObject } from "#providers/catalogue/shard.ts";
import { ShardBuilder, type ShardFiles, shardFiles } from "./shard-builder.ts";

interface Ref {
  $ref: string;
}
interface BicepProperty {
  type: Ref;
  /** Bits: 1 required, 2 read-only, 4 write-only. */
  flags: number;
}
/** One entry of a type file; a `$ref` is `#/` and the entry's place. */
interface BicepType {
  $type: string;
  name?: string;
  value?: string;
  body?: Ref;
  writableScopes?: number;
  flags?: number;
  properties?: Readonly<Record<string, BicepProperty>>;
  additionalProperties?: Ref;
  baseProperties?: Readonly<Record<string, BicepProperty>>;
  discriminator?: string;
  elements?: readonly Ref[] | Readonly<Record<string, Ref>>;
  itemType?: Ref;
}

const RESOURCE = /^([A-Za-z0-9.]+)(\/[^@]+)@([A-Za-z0-9-]+)$/;

/**
 * Collects the resource types of type files. Of several versions of a type the newest counts, a stable one before
 * previews.
 */
export class AzureTypes {
  readonly #services = new Map<string, ShardBuilder>();
  readonly #versions = new Map<string, string>();
  #files = 0;

  /** `only`: names with versions; the file's other types are passed over. */
  add(file: unknown, only?: ReadonlySet<string>): void {
    if (!isTypeFile(file)) return;
    this.#files += 1;
    for (const entry of file) {
      const [, namespace = "", rest = "", version = ""] = RESOURCE.exec(entry.name ?? "") ?? [];
      if (entry.$type !== "ResourceType" || namespace === "" || !isWritable(entry)) continue;
      if (only !== undefined && !only.has(entry.name ?? "")) continue;
      const type = namespace + rest;
      const known = this.#versions.get(type);
      if (known !== undefined && !isNewer(version, known)) continue;
      this.#versions.set(type, version);
      const service = namespace.toLowerCase();
      const builder = this.#services.get(service) ?? new ShardBuilder();
      this.#services.set(service, builder);
      const body = new BodyReader(file, builder, `${this.#files}`).body(entry.body);
      builder.add(type, {
        ...placed(body, type),
        first: 1,
        within: type.split("/").length > 2 ? ["parent"] : ["scope"],
        version,
        shown: ["name", "tags", "location"]
          .filter((name) => Object.hasOwn(body.p, name))
          .concat(Object.keys(placesOf(type))),
        ...(Object.hasOwn(body.p, "location") ? { region: "location" } : {}),
      });
    }
  }

  files(): ShardFiles {
    return shardFiles(this.#services, { stamp: "azure", complete: false });
  }
}

/** The properties that place an object (decision 0074): its parent, or its resource group or scope. */
function placesOf(type: string): Record<string, Node> {
  return type.split("/").length > 2 ? { parent: "s" } : { resourceGroup: "s", scope: "s" };
}

/** The body with its place. A change of the place replaces the object. If the template has no name, one is chosen. */
function placed(body: ShardObject, type: string): ShardObject {
  const places = placesOf(type);
  const required = [
    ...(body.r ?? []).filter((name) => name !== "name"),
    ...("parent" in places ? ["parent"] : []),
  ];
  const { r: _, ...rest } = body;
  const replacing = ["name", "location", ...Object.keys(places)];
  const p = { ...body.p, ...places };
  return {
    ...rest,
    p,
    ...(required.length === 0 ? {} : { r: required }),
    c: replacing.filter((name) => Object.hasOwn(p, name)),
  };
}

function isTypeFile(file: unknown): file is readonly BicepType[] {
  return Array.isArray(file) && file.every((entry) => typeof Object(entry).$type === "string");
}

function isWritable({ writableScopes, flags = 0 }: BicepType): boolean {
  return writableScopes === undefined ? (flags & 1) === 0 : writableScopes !== 0;
}

/** Versions are dates. Previews have a word after the date. */
export function isNewer(version: string, than: string): boolean {
  const isStable = (one: string) => /^[0-9-]+$/.test(one);
  if (isStable(version) !== isStable(than)) return isStable(version);
  return version > than;
}

const scalars: Readonly<Record<string, Node>> = {
  StringType: "s",
  IntegerType: "i",
  BooleanType: "b",
  AnyType: "",
  NullType: "",
};

class BodyReader {
  readonly #file: readonly BicepType[];
  readonly #builder: ShardBuilder;
  readonly #key: string;

  constructor(file: readonly BicepType[], builder: ShardBuilder, key: string) {
    this.#file = file;
    this.#builder = builder;
    this.#key = key;
  }

  /** A resource's body, without the properties that its name and path contain. */
  body(ref: Ref | undefined): ShardObject {
    const { o = [], ...body } = this.#objectOf(this.#at(ref));
    const { apiVersion: _, ...p } = body.p;
    return { ...body, p, o: o.filter((name) => Object.hasOwn(p, name)) };
  }

  #at(ref: Ref | undefined): BicepType | undefined {
    const index = /^#\/(\d+)$/.exec(ref?.$ref ?? "")?.[1];
    return index === undefined ? undefined : this.#file[Number(index)];
  }

  #nodeOf(ref: Ref | undefined): Node {
    const type = this.#at(ref);
    if (type === undefined) return "";
    switch (type.$type) {
      case "StringLiteralType":
        return { e: [type.value ?? ""] };
      case "UnionType":
        return this.#unionOf(type);
      case "ArrayType":
        return [this.#nodeOf(type.itemType)];
      case "ObjectType":
      case "DiscriminatedObjectType":
        if (
          type.additionalProperties !== undefined &&
          Object.keys(type.properties ?? {}).length === 0
        )
          return { m: this.#nodeOf(type.additionalProperties) };
        return this.#builder.object(`${this.#key} ${ref?.$ref}`, () => this.#objectOf(type));
      default:
        return scalars[type.$type] ?? "";
    }
  }

  /** Only known texts are an enum; with any other text they are a text. */
  #unionOf({ elements = [] }: BicepType): Node {
    const nodes = (Array.isArray(elements) ? elements : []).map((ref: Ref) => this.#nodeOf(ref));
    const values = nodes.flatMap((node) => (typeof node === "object" && "e" in node ? node.e : []));
    if (values.length === nodes.length && nodes.length > 0) return { e: values };
    const isText = (node: Node) => node === "s" || (typeof node === "object" && "e" in node);
    return nodes.every(isText) && nodes.length > 0 ? "s" : "";
  }

  /**
   * Of an object with several forms: the members that each may have. The cloud checks the members that one form
   * requires.
   */
  #objectOf(type: BicepType | undefined): ShardObject {
    const {
      properties = {},
      baseProperties = {},
      additionalProperties,
      elements,
      discriminator,
    } = type ?? {};
    const common = Object.entries({ ...baseProperties, ...properties });
    const forms = Array.isArray(elements) ? [] : Object.entries(elements ?? {});
    const ofForms = forms.flatMap(([, ref]) => Object.entries(this.#at(ref)?.properties ?? {}));
    const p: Record<string, Node> = {};
    for (const [name, { type: ref }] of [...common, ...ofForms]) {
      const node = this.#nodeOf(ref);
      p[name] =
        !Object.hasOwn(p, name) || JSON.stringify(p[name]) === JSON.stringify(node) ? node : "";
    }
    if (discriminator !== undefined) p[discriminator] = { e: forms.map(([value]) => value) };
    const flagged = (bit: number, unless = 0) =>
      common
        .filter(([, { flags }]) => (flags & bit) !== 0 && (flags & unless) === 0)
        .map(([name]) => name);
    const [required, readOnly, writeOnly] = [flagged(1, 2), flagged(2), flagged(4)];
    return {
      p,
      ...(required.length === 0 ? {} : { r: required }),
      ...(readOnly.length === 0 ? {} : { o: readOnly }),
      ...(writeOnly.length === 0 ? {} : { w: writeOnly }),
      ...(additionalProperties === undefined ? {} : { x: 1 as const }),
    };
  }
}
