/** The types of AWS as the package `@aws-cdk/aws-service-spec` describes them. */
import type {
  Property,
  PropertyType,
  Resource,
  SpecDatabase,
  TypeDefinition,
} from "@aws-cdk/service-spec-types";
import type { Node, ShardObject, ShardType } from "#providers/catalogue/shard.ts";
import { ShardBuilder, type ShardFiles, shardFiles } from "./shard-builder.ts";

const NAME = /^([A-Za-z0-9]+)::([A-Za-z0-9]+)::([A-Za-z0-9]+)$/;

export function awsShards(database: SpecDatabase, stamp: string): ShardFiles {
  const services = new Map<string, ShardBuilder>();
  for (const resource of database.all("resource")) {
    const { cloudFormationType } = resource;
    const [, vendor = "", service = ""] = NAME.exec(cloudFormationType) ?? [];
    if (vendor === "") continue;
    const file = (vendor === "AWS" ? service : `${vendor}-${service}`).toLowerCase();
    const builder = services.get(file) ?? new ShardBuilder();
    services.set(file, builder);
    builder.add(cloudFormationType, new TypeReader(database, builder).read(resource));
  }
  return shardFiles(services, { stamp, complete: true });
}

class TypeReader {
  readonly #database: SpecDatabase;
  readonly #builder: ShardBuilder;

  constructor(database: SpecDatabase, builder: ShardBuilder) {
    this.#database = database;
    this.#builder = builder;
  }

  read(resource: Resource): ShardType {
    const { properties, attributes, primaryIdentifier, tagInformation } = resource;
    let type: ShardObject = this.#objectOf(properties);
    for (const path of resource.additionalReplacementProperties ?? [])
      type = this.#flagged(type, path, "c");
    for (const [name, attribute] of Object.entries(attributes)) {
      const path = name.split(".");
      // `GetAtt` also shows some properties that a template sets.
      if (path.length === 1 && Object.hasOwn(properties, name)) continue;
      type = this.#flagged(type, path, "o", this.#nodeOf(attribute.type));
    }
    const called = `${resource.name}Name`;
    const shown = [tagInformation?.tagPropertyName, "Name", called].filter(
      (name) => name !== undefined && Object.hasOwn(properties, name),
    ) as string[];
    return {
      ...type,
      ...(primaryIdentifier === undefined
        ? {}
        : { id: primaryIdentifier.map((path) => path.replaceAll("/", ".")) }),
      ...(shown.length === 0 ? {} : { shown }),
    };
  }

  #objectOf(properties: Readonly<Record<string, Property>>): ShardObject {
    const named = (wanted: (property: Property) => boolean) =>
      Object.keys(properties).filter((name) => {
        const property = properties[name];
        return property !== undefined && wanted(property);
      });
    const required = named((property) => property.required === true);
    const immutable = named((property) => property.causesReplacement === "yes");
    return {
      p: Object.fromEntries(
        Object.entries(properties).map(([name, { type }]) => [name, this.#nodeOf(type)]),
      ),
      ...(required.length === 0 ? {} : { r: required }),
      ...(immutable.length === 0 ? {} : { c: immutable }),
    };
  }

  #nodeOf(type: PropertyType): Node {
    switch (type.type) {
      case "string":
        return type.allowedValues === undefined || type.allowedValues.length === 0
          ? "s"
          : { e: type.allowedValues };
      case "integer":
        return type.allowedValues === undefined || type.allowedValues.length === 0
          ? "i"
          : { e: type.allowedValues };
      case "date-time":
        return "s";
      case "number":
        return "n";
      case "boolean":
        return "b";
      case "array":
        return [this.#nodeOf(type.element)];
      case "map":
        return { m: this.#nodeOf(type.element) };
      case "tag":
        return this.#builder.object("tag", () => ({ p: { Key: "s", Value: "s" }, r: ["Key"] }));
      case "ref": {
        const definition: TypeDefinition = this.#database.get(
          "typeDefinition",
          type.reference.$ref,
        );
        return this.#builder.object(definition.$id, () => this.#objectOf(definition.properties));
      }
      case "union":
        return this.#unionOf(type.types);
      // A text of JSON, or the JSON itself.
      case "json":
      case "null":
        return "";
    }
  }

  /** Of several types, the one with something to check inside, if it is the only one. */
  #unionOf(types: readonly PropertyType[]): Node {
    const inner = types.filter(({ type }) => type === "ref" || type === "array" || type === "map");
    const [only] = inner;
    return only === undefined || inner.length > 1 ? "" : { u: this.#nodeOf(only) };
  }

  /** The object with a flag at the path, and with the property if it lacks it. `*` stands for each item of a list. */
  #flagged(
    object: ShardObject,
    path: readonly string[],
    flag: "c" | "o",
    node?: Node,
  ): ShardObject {
    const [name = "", ...rest] = path.filter((step) => step !== "*");
    const current = Object.hasOwn(object.p, name) ? object.p[name] : undefined;
    if (rest.length === 0) {
      if (current === undefined && node === undefined) return object;
      const added = current === undefined ? { p: { ...object.p, [name]: node ?? "" } } : {};
      return { ...object, ...added, [flag]: [...new Set([...(object[flag] ?? []), name])] };
    }
    // A property known only as an attribute is set by the cloud alone.
    if (current === undefined) {
      if (flag === "c") return object;
      const inside = this.#flagged({ p: {} }, rest, flag, node);
      const made = this.#builder.object({}, () => inside);
      return { ...object, p: { ...object.p, [name]: made }, o: [...(object.o ?? []), name] };
    }
    return { ...object, p: { ...object.p, [name]: this.#flaggedIn(current, rest, flag, node) } };
  }

  #flaggedIn(at: Node, path: readonly string[], flag: "c" | "o", node?: Node): Node {
    if (typeof at === "number") {
      const changed = this.#flagged(this.#builder.at(at), path, flag, node);
      return this.#builder.object({}, () => changed);
    }
    if (typeof at === "string" || "e" in at) return at;
    if ("u" in at) return { u: this.#flaggedIn(at.u, path, flag, node) };
    return "m" in at
      ? { m: this.#flaggedIn(at.m, path, flag, node) }
      : [this.#flaggedIn(at[0], path, flag, node)];
  }
}
