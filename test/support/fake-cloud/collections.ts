/** The collections of a description: each has a path to create and list at, and a path for each object. */
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Description, Operation } from "./description.ts";
import type { CollectionRules, FakeRules } from "./rules.ts";
import { flat } from "./sample.ts";
import { textOf } from "./text-of.ts";

export interface Collection {
  path: string;
  itemPath: string;
  listPath: string;
  /** The last placeholder of `itemPath`. */
  param: string;
  /** The key under which an answer has the object; undefined: the answer is the object. */
  one: string | undefined;
  /** The key under which a list has its objects; undefined: the list is the answer. */
  many: string | undefined;
  /** The names and schemas of an object's shown properties. */
  properties: readonly string[];
  schemas: Readonly<Record<string, JsonMap>>;
  /** The properties that the cloud sets. */
  set: readonly string[];
  /** The properties that a whole update resets if it leaves them out. */
  updatable: readonly string[];
  /** The paging of its list: by `page` or by `cursor`. */
  paged: "page" | "cursor" | undefined;
  created: number;
  changed: number;
  deleted: number;
  deletedBody: boolean;
  key: (rules: CollectionRules) => string;
}

/** Set by every cloud, whether or not its description says so. */
const alwaysSet = new Set(["created_at", "updated_at", "urn", "status"]);

export function collectionsIn(
  description: Description,
  rules: FakeRules["collections"],
): Collection[] {
  const { operations } = description;
  const of = (method: string, path: string): Operation | undefined =>
    operations.find((one) => one.method === method && one.path === path);
  return operations
    .filter(({ method, path }) => method === "post" && !path.endsWith("}"))
    .flatMap(({ path }): Collection[] => {
      const own = rules[path];
      const itemBy = (by: string): Operation | undefined =>
        operations.find(
          (one) =>
            one.method === by &&
            (own?.itemPath === undefined
              ? one.path.startsWith(path) && /^\/\{[^}/]+\}$/.test(one.path.slice(path.length))
              : one.path === own.itemPath),
        );
      // Some clouds show objects in lists alone.
      const item = itemBy("get") ?? (own === undefined ? undefined : itemBy("delete"));
      return item === undefined ? [] : [collectionOf(description, path, item, of, own ?? {})];
    });
}

function collectionOf(
  description: Description,
  path: string,
  item: Operation,
  of: (method: string, path: string) => Operation | undefined,
  rules: CollectionRules,
): Collection {
  const listPath = rules.listPath ?? path;
  // Only a read shows all of an object's properties.
  const showsItself = rules.operation !== undefined || rules.created !== undefined;
  const create = of("post", path);
  const update = of("put", item.path) ?? of("patch", item.path);
  const remove = of("delete", item.path);
  // The answer to a create may show a property that is never shown again. An operation shows nothing of the object.
  const list = success(of("get", listPath)).schema;
  const isBare = list !== undefined && description.resolve(list)["type"] === "array";
  const listed = propertiesOf(description, list);
  const many = Object.keys(listed).find(
    (name) => description.resolve(listed[name])["type"] === "array",
  );
  const items = many === undefined ? undefined : description.resolve(listed[many])["items"];
  const read = item.method === "get" ? success(item).schema : description.resolve(items);
  const shown = showsItself ? read : success(create).schema;
  const wrapper = propertiesOf(description, shown);
  const names = Object.keys(wrapper).filter((name) => name !== "links" && name !== "meta");
  const inner =
    names.length === 1
      ? flat(description, description.resolve(wrapper[names[0] ?? ""]))
      : undefined;
  const isWrapped = inner !== undefined && isJsonMap(inner["properties"]);
  const schemas = Object.fromEntries(
    Object.entries(isWrapped ? propertiesOf(description, inner) : wrapper).map(([name, schema]) => [
      name,
      flat(description, description.resolve(schema)),
    ]),
  );
  const { required } = isWrapped ? inner : flat(description, description.resolve(shown ?? {}));
  const always = Array.isArray(required) ? required.map(textOf) : [];
  const body = propertiesOf(description, bodyOf(create));
  return {
    path,
    itemPath: item.path,
    listPath,
    param: /\{([^}]+)\}$/.exec(item.path)?.[1] ?? "",
    one: isWrapped ? names[0] : undefined,
    many: isBare ? undefined : (many ?? "data"),
    properties: Object.keys(schemas),
    schemas,
    set: Object.keys(schemas).filter(
      (name) => alwaysSet.has(name) || (always.includes(name) && !Object.hasOwn(body, name)),
    ),
    updatable: Object.entries(propertiesOf(description, bodyOf(update))).flatMap(([name, schema]) =>
      flat(description, description.resolve(schema))["readOnly"] === true ? [] : [name],
    ),
    paged: (["page", "cursor"] as const).find((name) => of("get", listPath)?.query.includes(name)),
    created: success(create).status,
    changed: success(update).status,
    deleted: success(remove).status,
    deletedBody: success(remove).schema !== undefined,
    key: (rules) => rules.key ?? (Object.hasOwn(schemas, "id") ? "id" : "name"),
  };
}

function bodyOf(operation: Operation | undefined): JsonMap | undefined {
  return operation === undefined ? undefined : [...operation.bodies.values()][0];
}

function success(operation: Operation | undefined): {
  status: number;
  schema: JsonMap | undefined;
} {
  for (const [status, schema] of operation?.answers ?? [])
    if (/^2\d\d$/.test(status)) return { status: Number(status), schema: schema ?? undefined };
  return { status: 200, schema: undefined };
}

function propertiesOf(
  description: Description,
  schema: JsonMap | undefined,
): Record<string, JsonMap> {
  if (schema === undefined) return {};
  const { properties } = flat(description, description.resolve(schema));
  return isJsonMap(properties) ? (properties as Record<string, JsonMap>) : {};
}
