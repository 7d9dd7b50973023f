/** What a provider's table says: plain data, so that template checks can read it without loading a signer. */
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { holesIn } from "./fill-path.ts";

export type Scalar = string | number | boolean;

/**
 * One resource type. Paths have `{holes}`, filled from the properties, then the target's config, then
 * `region` from the target and `id`; they may end in a query. A property that fills a hole of `path` says
 * where the object lives: it is left out of bodies, its change replaces, and it is echoed in the outputs.
 */
export interface RestType {
  /** What it is, in a sentence, for editors. */
  description?: string;
  /** Every property it takes, for editors and checks; absent: any. What else is sent is sent all the same. */
  properties?: Readonly<Record<string, PropertyFacts>>;
  /** The property that says in which region the object is made. */
  regionProperty?: string;
  /** The collection: created into, searched. */
  path: string;
  /** Where to create, when that is not `path`: `/things/{name}` with `create: "PUT"`. */
  createPath?: string;
  /** One object; by default `path` and `/{id}`. */
  itemPath?: string;
  readPath?: string;
  updatePath?: string;
  deletePath?: string;
  /** Default POST. A PUT is taken to be safe to repeat. */
  create?: "POST" | "PUT";
  /** PATCH sends what changed (a removed property as null), PUT and POST send everything. `none`: every change replaces. */
  update: "PATCH" | "PUT" | "POST" | "none";
  /** A whole-body update starts from the object as the provider shows it. */
  mergeCurrent?: true;
  /** `none`: the object cannot be deleted by itself; a delete succeeds without a call. */
  delete?: "none";
  /** The key under which the request body carries the properties. */
  bodyKey?: string;
  /** Dotted paths to the object in an answer; absent: the answer is the object. `list` leads to the array. */
  envelope?: { create?: string; read?: string; update?: string; list?: string; listItem?: string };
  /** Dotted path to the id in the object; default `id`. */
  id?: string;
  /** The property that carries the object's name: filled with the engine's name when the template leaves it out. */
  nameProperty?: string;
  /** Change replaces; sent along in whole-body updates. */
  immutable?: readonly string[];
  /** Change replaces; accepted on create only. */
  createOnly?: readonly string[];
  /** Sent, never shown. */
  writeOnly?: readonly string[];
  /** Not shown by the provider, copied from the properties to the outputs. */
  echoed?: readonly string[];
  required?: readonly string[];
  /** When a created or updated object is usable; absent: at once. Values of `fail` mean that it never will be. */
  ready?: { path: string; values: readonly Scalar[]; fail?: readonly Scalar[] };
  /** Values that mean the object is gone although it can still be read. */
  gone?: { path: string; values: readonly Scalar[] };
  /** The answer to a create or update does not show the whole object: read it. */
  readBack?: true;
  /** A delete is accepted, not done: poll until the object is gone. (A 202 says so by itself.) */
  asyncDelete?: true;
  /**
   * How a repeated create finds what an earlier try made. `name`: by `nameProperty`. `tag`: by a mark that
   * the create adds to an array property, which no other object carries. `query`: the search parameter.
   */
  find?: { by: "name"; query?: string } | { by: "tag"; property: string; query?: string };
  /** Where a create carries its token. */
  idempotency?: { header: string } | { field: string } | { query: string };
  /** The old object must be gone before the new one can be made. */
  deleteFirst?: true;
  headers?: Readonly<Record<string, string>>;
  /** The first wait between two polls; later ones grow. Default 2000. */
  pollMs?: number;
  /** Milliseconds after which a step is given up. */
  timeouts?: { create?: number; update?: number; delete?: number };
}

/** The properties that fill holes of the collection path. */
export function placeProperties(row: RestType, properties: Readonly<object>): string[] {
  return holesIn(row.path).filter((hole) => Object.hasOwn(properties, hole));
}

/** The planner's view of a row. */
export function factsOf(row: RestType): TypeFacts {
  const immutable = [...holesIn(row.path), ...(row.immutable ?? []), ...(row.createOnly ?? [])];
  return {
    immutable: row.update === "none" ? ["*"] : [...new Set(immutable)],
    writeOnly: row.writeOnly ?? [],
    required: row.required ?? [],
    deleteBeforeReplace: row.deleteFirst ?? false,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(row.properties === undefined ? {} : { properties: row.properties }),
    ...(row.regionProperty === undefined ? {} : { regionProperty: row.regionProperty }),
  };
}
