/** A provider's table of types: plain data, so that template checks need not load a signer. */
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { placeholdersIn } from "./fill-path.ts";

export type Scalar = string | number | boolean;

/**
 * One resource type. Paths have `{placeholders}`, filled with the `id`, then from the properties, the target's config
 * and the target's `region`; they may end in a query. A property that fills a placeholder of `path` is the object's
 * location: it is omitted from bodies, its change replaces the object, and it is copied to the outputs.
 */
export interface RestType {
  /** One sentence about the type, for editors. */
  description?: string;
  /** All properties, for editors and checks; absent: any. Unlisted properties are sent too. */
  properties?: Readonly<Record<string, PropertyFacts>>;
  /** What the object has besides its properties, if that is known in full; absent: anything. */
  outputs?: readonly string[];
  /** The property that sets the object's region. */
  regionProperty?: string;
  /** The collection, for creates and searches. */
  path: string;
  /** The path of a create if it is not `path`, for example `/things/{name}` with `create: "PUT"`. */
  createPath?: string;
  /** The path of one object; default: `path` plus `/{id}`. */
  itemPath?: string;
  readPath?: string;
  updatePath?: string;
  deletePath?: string;
  /** Default: POST. A PUT is considered safe to repeat. */
  create?: "POST" | "PUT";
  /** PATCH sends changes (a removed property as null), PUT and POST send everything. `none`: every change replaces. */
  update: "PATCH" | "PUT" | "POST" | "none";
  /** A whole-body update is merged into the object as the provider returns it. */
  mergeCurrent?: true;
  /** `none`: the object cannot be deleted on its own; a delete succeeds without a request. */
  delete?: "none";
  /** The key of the request body that wraps the properties. */
  bodyKey?: string;
  /** Dotted paths to the object in an answer; absent: the answer is the object. `list` is the path of the array. */
  envelope?: { create?: string; read?: string; update?: string; list?: string; listItem?: string };
  /** Dotted path to the id in the object; default: `id`. */
  id?: string;
  /** The property with the object's name; the engine sets it if the template does not. */
  nameProperty?: string;
  /** A change replaces the object; sent in whole-body updates. */
  immutable?: readonly string[];
  /** A change replaces the object; sent only on create. */
  createOnly?: readonly string[];
  /** Sent but never returned. */
  writeOnly?: readonly string[];
  /** Not returned by the provider; copied from the properties to the outputs. */
  echoed?: readonly string[];
  required?: readonly string[];
  /** When a created or updated object is usable; absent: at once. `fail` lists values of a final failure. */
  ready?: { path: string; values: readonly Scalar[]; fail?: readonly Scalar[] };
  /** Values that mean the object is deleted although it can still be read. */
  gone?: { path: string; values: readonly Scalar[] };
  /** The answer to a create or update does not contain the whole object, so it is read afterwards. */
  readBack?: true;
  /** Deletes are asynchronous: poll until the object is gone. Implied by a 202 answer. */
  asyncDelete?: true;
  /**
   * How a repeated create finds the object of an earlier attempt. `name`: by `nameProperty`. `tag`: by a unique mark that
   * the create adds to an array property. `query`: the search parameter.
   */
  find?: { by: "name"; query?: string } | { by: "tag"; property: string; query?: string };
  /**
   * Where a create sends its token. `lifeMs`: how long the cloud remembers it, as its documentation says; absent: it
   * does not say, and the token counts for an hour.
   */
  idempotency?: ({ header: string } | { field: string } | { query: string }) & { lifeMs?: number };
  /** The longest time after which a request that was sent can still take effect. Default: 60 s. */
  longestRequestMs?: number;
  /** The old object must be deleted before its replacement is created. */
  deleteFirst?: true;
  headers?: Readonly<Record<string, string>>;
  /** The first delay between polls in milliseconds; later ones grow. Default: 2000. */
  pollMs?: number;
  /** Milliseconds after which a step fails. */
  timeouts?: { create?: number; update?: number; delete?: number };
}

/** The properties that fill placeholders of the collection path. */
export function pathProperties(row: RestType, properties: Readonly<object>): string[] {
  return placeholdersIn(row.path).filter((name) => Object.hasOwn(properties, name));
}

/** What clouds call the properties that label an object. */
const labels = ["name", "tags", "labels"];

function shownOf(row: RestType): string[] {
  const { nameProperty, regionProperty, find, path, createPath, itemPath } = row;
  const placed = [path, createPath, itemPath].flatMap((one) =>
    one === undefined ? [] : placeholdersIn(one),
  );
  const named = [nameProperty, regionProperty, find?.by === "tag" ? find.property : undefined];
  return [...new Set([...labels, ...placed, ...named.filter((name) => name !== undefined)])];
}

/** The facts of a row for the planner. */
export function factsOf(row: RestType): TypeFacts {
  const immutable = [
    ...placeholdersIn(row.path),
    ...(row.immutable ?? []),
    ...(row.createOnly ?? []),
  ];
  return {
    immutable: row.update === "none" ? ["*"] : [...new Set(immutable)],
    writeOnly: row.writeOnly ?? [],
    required: row.required ?? [],
    deleteBeforeReplace: row.deleteFirst ?? false,
    shown: shownOf(row),
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(row.properties === undefined ? {} : { properties: row.properties }),
    ...(row.outputs === undefined
      ? {}
      : { outputs: [...row.outputs, ...Object.keys(row.properties ?? {})] }),
    ...(row.regionProperty === undefined ? {} : { regionProperty: row.regionProperty }),
  };
}
