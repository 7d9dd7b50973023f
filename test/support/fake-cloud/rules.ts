import type { Json, JsonMap } from "#platform/json.ts";

/** An object of a fake cloud. */
export interface FakeObject {
  /** As in the object's URL. */
  key: string;
  /** The path of its collection, as described. */
  collection: string;
  /** The placeholders of the collection's path. */
  params: Readonly<Record<string, string>>;
  shown: JsonMap;
  createdMs: number;
  /** Changes to come, in order. */
  later: { atMs: number; change: (object: FakeObject) => void }[];
  /** The time from which the object is gone; it is shown until then. */
  deletedMs?: number;
}

export interface FakeWorld {
  now: () => number;
  newId: () => string;
  nextNumber: () => number;
  /** The objects of a collection that exist now. */
  objects: (collection: string) => FakeObject[];
  /** The object in that URL. */
  at: (
    collection: string,
    key: string,
    params?: Readonly<Record<string, string>>,
  ) => FakeObject | undefined;
}

/** An error answer. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** The work of a cloud on an accepted change, at a cloud that answers with operations. */
export interface FakeOperation {
  id: string;
  verb: "create" | "update" | "delete";
  state: "running" | "done" | "failed";
  /** Its object; absent if a failed create leaves nothing. */
  object?: FakeObject;
  /** Why it failed. */
  failure?: Refusal;
}

export interface OperationRules {
  /** Where an operation is read, as described: `/v1/operations/{operation}`. */
  path: string;
  /** The operation as the cloud shows it, at its start and when it is read. */
  shown: (operation: FakeOperation) => Json;
}

/** The facts about a collection that a description lacks. Each has a default. */
export interface CollectionRules {
  /** The path of one object, if it is not below the collection. */
  itemPath?: string;
  /** The path of the list, if it is not the path of creates. */
  listPath?: string;
  /** The property that names the object in its URL. Default: `id` if it has one, else `name`. */
  key?: string;
  /** The key of a new object, if it is not its property, an integer or a UUID. */
  newKey?: (world: FakeWorld) => Json;
  /**
   * What is shown of a new or changed object besides what was sent; properties that are undefined are not shown.
   * `before`: what was shown of it. `params`: the placeholders of its collection's path.
   */
  show?: (
    sent: JsonMap,
    world: FakeWorld,
    before: JsonMap,
    params: FakeObject["params"],
  ) => Record<string, Json | undefined>;
  /** Called with each new object, to hide properties, or to show some only for a while (`later`). */
  made?: (object: FakeObject, sent: JsonMap, world: FakeWorld) => void;
  /** Called when an object is gone, to delete or release other objects with it. */
  gone?: (object: FakeObject, world: FakeWorld) => void;
  /** Members beside the object in the answer to its create. */
  beside?: JsonMap;
  /** The answer to a create, if it is neither the object nor has the object under a key. */
  created?: (shown: JsonMap) => Json;
  /** Properties whose values differ among the objects of a collection. */
  unique?: readonly string[];
  /** The states of a new or changed object: `from` at once, `to` after a while, or `failed`. */
  states?: { path: string; from: Json; to: Json; failed?: Json; onChange?: Json };
  /** The body of a list, if it is more than an array under a key, and the page, if the request names it otherwise. */
  listed?: (items: readonly FakeObject[], url: URL) => Json;
  /** List filters that are not named like a property. */
  search?: Readonly<Record<string, (object: JsonMap, value: string) => boolean>>;
  /** The reason against a delete; undefined: none. */
  keeps?: (object: FakeObject, world: FakeWorld) => Refusal | undefined;
  /** The reason against a create; undefined: none. */
  refuses?: (sent: JsonMap, world: FakeWorld) => Refusal | undefined;
  /** The reason against a change, at any depth; undefined: none. `wanted`: the object after the change. */
  refusesChange?: (object: FakeObject, wanted: JsonMap, world: FakeWorld) => Refusal | undefined;
  /** A PATCH in plain JSON merges nested objects, as a merge patch does. */
  merges?: true;
  /** Creates, updates and deletes are answered with an operation, in place of the object. */
  operation?: OperationRules;
  /** The object is still shown for a while after its delete. */
  slowDelete?: true;
  /** Collections whose objects are deleted with this one, and the placeholder for its key. */
  owns?: readonly { collection: string; param: string }[];
}

export interface ActionCall {
  params: Readonly<Record<string, string>>;
  body: JsonMap;
  /** The body as it was sent, which may be a list. */
  sent: Json;
  world: FakeWorld;
}

/** An operation that is no create, read, update, delete or list of a collection. */
export interface Action {
  verb: "read" | "update";
  /** The object that it changes, for the ledger; undefined: it does not exist, and the answer is 404. */
  of: (call: ActionCall) => FakeObject | undefined;
  /** Its effect and the body of its answer. */
  run: (call: ActionCall, object: FakeObject) => { status: number; body?: Json } | Refusal;
}

export interface FakeRules {
  /** By path, as described. */
  collections: Readonly<Record<string, CollectionRules>>;
  /** By method and path: `PUT /v2/databases/{id}/resize`. */
  actions: Readonly<Record<string, Action>>;
  /** The body of an error. */
  error: (refusal: Refusal) => Json;
  /** Headers of every answer. */
  headers?: (calls: number, nowMs: number) => Record<string, string>;
}
