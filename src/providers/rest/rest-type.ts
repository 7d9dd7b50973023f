/** A provider's table of types: plain data, so that template checks need not load a signer. */
import type { Json, JsonMap } from "#platform/json.ts";
import type { NameRule, PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { placeholdersIn } from "./requests/fill-path.ts";
import type { RestPart } from "./rest-part.ts";

export type Scalar = string | number | boolean;

/**
 * One resource type. Paths have `{placeholders}`, which are filled with the `id`, then from the properties, the engine's
 * `name`, the target's config and its `region`. They may end in a query. Only `{+id}` keeps the slashes of its value. A
 * property that fills a placeholder of `path` is the object's location: bodies omit it, its change replaces the object,
 * and the outputs have it.
 */
export interface RestType {
  /** One sentence about the type, for editors. */
  description?: string;
  /** What a template may set, for editors and checks; `fields` writes it. */
  takes?: {
    /** All properties; absent: any. Unlisted properties are sent too. */
    properties?: Readonly<Record<string, PropertyFacts>>;
    shape?: NonNullable<TypeFacts["shape"]>;
    required?: readonly string[];
  };
  /** The outputs besides the properties, if all are known; absent: any. */
  outputs?: readonly string[];
  name?: {
    /** The property with the object's name; the engine sets it if the template does not. */
    property?: string;
    /** The names that the cloud takes, for those that the engine chooses. */
    rule?: NameRule;
    /** The path of the property with a name that only one object has at a time; `true`: `property`. */
    unique?: true | string;
  };
  /** Facts about regions, each explained in `TypeFacts`. */
  region?: {
    /** The path of the property that sets the object's region. */
    property?: string;
    elsewhere?: NonNullable<TypeFacts["regionElsewhere"]>;
    more?: NonNullable<TypeFacts["moreRegions"]>;
  };
  /** Properties that name the object around this one, besides those that fill placeholders of `path`. */
  location?: readonly string[];
  /**
   * The types of the objects that properties name by their ids, by the properties' paths. `any`: objects that nobody can
   * tell, for example all with a tag. At a target that tenants share they have to be the tenant's own.
   */
  refers?: Readonly<Record<string, string>>;
  defaults?: NonNullable<TypeFacts["defaults"]>;
  /** A change replaces the object; sent in whole-body updates. */
  immutable?: readonly string[];
  /** A change replaces the object; sent only on create. */
  createOnly?: readonly string[];
  onlyAtCreate?: NonNullable<TypeFacts["onlyAtCreate"]>;
  /** Sent but never returned. */
  writeOnly?: readonly string[];
  readOnly?: readonly string[];
  secretOutputs?: readonly string[];
  /** How properties compare with what the object shows, each explained in `TypeFacts`. */
  compare?: {
    /** Where a property is shown, if not under its own name. */
    at?: NonNullable<TypeFacts["shownAt"]>;
    caseInsensitive?: NonNullable<TypeFacts["caseInsensitive"]>;
    sets?: NonNullable<TypeFacts["sets"]>;
  };
  /** The old object must be deleted before its replacement is created. */
  deleteFirst?: true;
  /** Facts that few types need, as in `TypeFacts`. A row with parts after the create is `createdInParts` by itself. */
  facts?: Pick<
    TypeFacts,
    | "createdInParts"
    | "farCopies"
    | "floating"
    | "freeKeys"
    | "leaves"
    | "oneWay"
    | "regionKeys"
    | "regionShape"
    | "shownOnce"
    | "unseenRegions"
  >;
  /** The name of one of the definition's `hosts`; absent: its `baseUrl`. */
  host?: string;
  /** The collection, for creates and searches. */
  path: string;
  /** The paths of single calls, where they do not follow from `path`. */
  paths?: {
    /** Of lists, for example with a query that only they take. */
    list?: string;
    /** Of a create, for example `/things/{name}` with a PUT. */
    create?: string;
    /** Of one object; default: `path` plus `/{id}`. */
    item?: string;
    read?: string;
    update?: string;
    delete?: string;
  };
  id?: {
    /** Dotted path to it in the object; default: `id`. */
    at?: string;
    /**
     * A path of placeholders, for an id that is known before the call: `projects/{project}/topics/{name}`. Ids begin
     * with a slash where this does.
     */
    known?: string;
    /**
     * The objects in which the id is unique, if not the account: `{cluster_id}`, or several with slashes between them.
     * The engine's ids are `<cluster_id>/<id>`.
     */
    within?: string;
  };
  /**
   * Dotted paths to the object in an answer; absent: the answer is the object. `list` is the path of the array, which is
   * always there.
   */
  envelope?: {
    create?: string;
    read?: string;
    update?: string;
    list?: string;
  };
  /** Properties that stand in paths alone, never in a body. */
  unsent?: readonly string[];
  /** The create, and when it may be sent again after its answer was lost. */
  create?: {
    /** Default: POST. A PUT is considered safe to repeat. */
    method?: "PUT";
    /**
     * A create would take over an existing object. Before it there is none, or one with our mark (`find.by` is `tag` or
     * `label`). `header`: the cloud checks `If-None-Match: *`; `read`: it is read first.
     */
    guard?: "header" | "read";
    /**
     * Where the create sends its token; a dialect says where itself. `lifeMs`: how long the cloud remembers it, by its
     * documentation; absent: it does not say, and the token counts for an hour.
     */
    token?: ({ header: string } | { query: string } | { dialect: true }) & {
      lifeMs?: number;
      /** Default: text. */
      format?: "text" | "uuid";
    };
    /** The longest time after which a request that was sent can still take effect. Default: 60 s. */
    longestRequestMs?: number;
    /** For so long the list may lack a new object. Default: 0, as look-ups that count lie seconds apart. */
    listLagMs?: number;
    /** The operation of a create does not name the object, which is looked for at its end. Needs `find`. */
    unnamed?: true;
  };
  /**
   * How a repeated create finds the object of an earlier attempt. `query`: the search parameter, or `parameter=text` with
   * `{value}` for the name or mark. `property` and `properties` are paths.
   */
  find?:
    /** By its name. `whole`: objects show no mark, so that only one that shows all that was sent counts as ours. */
    | { by: "name"; query?: string; whole?: true }
    /** By a mark that the create adds to an array property. */
    | { by: "tag"; property: string; query?: string }
    /**
     * By the mark under a key of a map property, or in an `entry` of a list of `{ Key, Value }`. Where the cloud takes
     * lower case alone, it is a `uuid`. `beside`: further members that an entry has to have. `createdAt`: a part after
     * the create sets the property, so that an object without a mark is found by its name, if it was created since.
     */
    | {
        by: "label";
        property: string;
        key: string;
        as?: "entry" | "uuid";
        beside?: Readonly<Record<string, Scalar>>;
        createdAt?: string;
        query?: string;
      }
    /**
     * By equal values of these properties, among objects created since the create was first sent. `createdAt` is the path
     * of a time or of seconds.
     */
    | { by: "properties"; properties: readonly string[]; createdAt: string }
    /** By its place, of a row with a `create.guard`: the object there, if it was created since then. */
    | { by: "place"; createdAt: string };
  /** How the list is paged, if not as the definition says. */
  paging?: Paging;
  read?: {
    /** One object is not to be had by itself: it is read from the list, before a guarded create too. */
    fromList?: true;
    /** Only what its list has is imported: the path of one object shows objects of another type, too. */
    importsListed?: true;
    /** The answer to a create or update lacks parts of the object, so it is read afterwards. */
    back?: true;
    /** Further reads whose answers become outputs: connection strings, keys. Made once the object is usable. */
    further?: readonly RestRead[];
  };
  /**
   * PATCH sends the changed top-level properties (a removed one as null), MERGE a JSON merge patch (RFC 7396: removed
   * members as null at every depth), PUT and POST everything, DIALECT the patch of the dialect from the current object.
   * `none`: every change replaces but those that `parts` make, of which there can be some if the row lists its
   * properties.
   */
  update: "PATCH" | "MERGE" | "PUT" | "POST" | "DIALECT" | "none";
  /** The value of a property that has left the template; in a PATCH in place of null. */
  fallback?: JsonMap;
  /** Properties that a call of their own changes, in this order, before the rest of the update. */
  parts?: readonly RestPart[];
  /**
   * `none`: the object cannot be deleted on its own; a delete succeeds without a request. Else the method and the body
   * of a delete, with placeholders as those of `parts`; default: DELETE without a body.
   */
  delete?:
    | "none"
    | {
        method?: "DELETE" | "POST";
        body?: Json;
        /** It goes on after its answer: poll until the object is gone. Implied by a 202 answer. */
        asynchronous?: true;
      };
  /**
   * There is exactly one, which always exists and whose id is known: a create is an update, a delete sends
   * `reset`.
   */
  singleton?: { reset?: JsonMap };
  /** What the state of an object means; without `ready` a created or updated one is usable at once. */
  state?: {
    /** Where it is. */
    path: string;
    /** Values of a usable object. */
    ready?: readonly Scalar[];
    /** Values of an object that failed for good. */
    fail?: readonly Scalar[];
    /** Values of a deleted object that can still be read. */
    gone?: readonly Json[];
    /** Where those are, if elsewhere. */
    goneAt?: string;
    /** Usable without a value at the path, too. */
    absent?: true;
    /** The path of another read that shows the state, if the object does not. */
    at?: string;
    /**
     * The path of the time since when the state there is as it is (a deployment's): an older one is from before the
     * change, and is waited out for a minute.
     */
    since?: string;
    /** An update can mend an object that failed, so it is kept. */
    mendable?: true;
  };
  timing?: {
    /** The first delay between polls; later ones grow. Default: 2000. */
    pollMs?: number;
    /** A create fails after these. Default, as of the others: 30. */
    createMinutes?: number;
    updateMinutes?: number;
    deleteMinutes?: number;
  };
}

export interface RestRead {
  /** With placeholders, as the row's paths. */
  path: string;
  /** Default: GET. */
  method?: "GET" | "POST";
  /** Dotted path in the answer; absent: all of it. */
  from?: string;
  /** The output that it becomes. */
  to: string;
}

/** Where a list's next page is. */
export type Paging =
  /** At this path of the answer: a path below the base URL, or a URL at a declared host. `size`: asked of the first page. */
  | { by: "link"; at: string; size?: { query: string; count: number } }
  /** At this path, or in this header, is a cursor, for the query parameter. */
  | { by: "cursor"; at: string; query: string }
  | { by: "cursor"; header: string; query: string }
  /** At this path of a page's last item is the cursor, for the query parameter; a page with fewer items than `size` is the last. */
  | { by: "item"; at: string; query: string; size: { query: string; count: number } }
  /**
   * Pages are counted. A cloud may give fewer items than `size`, so the last page is the one with which all of `total`, a
   * path in the answer, were seen, or one without items.
   */
  | {
      by: "page";
      query: string;
      first: number;
      size: { query: string; count: number };
      total?: string;
    }
  /** Items are counted: the parameter says how many come before the page, `total` is the path of how many there are. */
  | { by: "offset"; query: string; size: { query: string; count: number }; total: string }
  /** The `Link` header's `rel="next"`. */
  | { by: "header" };

/** The properties that fill placeholders of the collection path. */
export function pathProperties(row: RestType, properties: Readonly<object>): string[] {
  return placeholdersIn(row.path).filter((name) => Object.hasOwn(properties, name));
}
