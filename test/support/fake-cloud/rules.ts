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
  /** Gone from then on; shown until then. */
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

/** What a cloud works on after it has accepted a change, where it answers with that. */
export interface FakeOperation {
  id: string;
  verb: "create" | "update" | "delete";
  state: "running" | "done" | "failed";
  /** What it is of; absent where a failed create leaves nothing. */
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

/** What a description does not say of a collection. Everything has a default. */
export interface CollectionRules {
  /** Where one object is, if that is not below the collection. */
  itemPath?: string;
  /** Where objects are listed, if that is not where they are created. */
  listPath?: string;
  /** The property that names the object in its URL. Default: `id` if it has one, else `name`. */
  key?: string;
  /** The key of a new object, if it is not its property, an integer or a UUID. */
  newKey?: (world: FakeWorld) => Json;
  /**
   * What is shown of a new or changed object besides what was sent; properties that are undefined are not shown. `before`:
   * what was shown of it. `params`: the placeholders of its collection's path.
   */
  show?: (
    sent: JsonMap,
    world: FakeWorld,
    before: JsonMap,
    params: FakeObject["params"],
  ) => Record<string, Json | undefined>;
  /** Called with each new object: for what it does not show, and for what it shows for a while alone (`later`). */
  made?: (object: FakeObject, sent: JsonMap, world: FakeWorld) => void;
  /** Called when an object is gone: for what it takes along, and what it lets go of. */
  gone?: (object: FakeObject, world: FakeWorld) => void;
  /** What stands beside the object in the answer to its create. */
  beside?: JsonMap;
  /** The answer to a create, where it is neither the object nor has it under a key. */
  created?: (shown: JsonMap) => Json;
  /** Properties of which no two objects beside each other have the same value. */
  unique?: readonly string[];
  /** How a new object and a changed one come to be usable: `from` at once, `to` after a while, or `failed`. */
  states?: { path: string; from: Json; to: Json; failed?: Json; onChange?: Json };
  /** The body of a list, where it is more than an array under a key, and which page it is, where `page` is not asked for. */
  listed?: (items: readonly FakeObject[], url: URL) => Json;
  /** List filters besides those that are named like a property. */
  search?: Readonly<Record<string, (object: JsonMap, value: string) => boolean>>;
  /** Why a delete is refused, if it is. */
  keeps?: (object: FakeObject, world: FakeWorld) => Refusal | undefined;
  /** Why a create is refused, if it is. */
  refuses?: (sent: JsonMap, world: FakeWorld) => Refusal | undefined;
  /** Why a change is refused, if it is: of what cannot be changed, at any depth. `wanted`: the object after it. */
  refusesChange?: (object: FakeObject, wanted: JsonMap, world: FakeWorld) => Refusal | undefined;
  /** A PATCH in plain JSON merges nested objects, as a merge patch does. */
  merges?: true;
  /** Creates, updates and deletes are answered with an operation, in place of the object. */
  operation?: OperationRules;
  /** The object is still shown for a while after its delete. */
  slowDelete?: true;
  /** Collections of objects that are deleted with it, and the placeholder that has its key. */
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
  /** The object that it changes, for the ledger; undefined: none such, which is answered 404. */
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
