/**
 * A cloud made from its description: collections and objects, ids, paging, searches, errors, states that take time.
 * Rules add the facts that a description lacks: conflicts between objects, the effect of a resize. The cloud records
 * every change in a ledger, which shows doubles and leftovers, and fails as a test scripts it. It runs in workerd and
 * in Node. Behind `validatingProxy`, its own answers are validated against the description.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type Collection, collectionsIn } from "./collections.ts";
import type { Description } from "./description.ts";
import { type FakeFault, FakeFaults, type FakeVerb } from "./fake-faults.ts";
import { FakeObjects } from "./fake-objects.ts";
import { FakeOperations, type OperationScript } from "./fake-operations.ts";
import { cursorPageOf, pageOf } from "./page-of.ts";
import { contentTypeOf, type Patched, patched } from "./patched.ts";
import type { CollectionRules, FakeObject, FakeRules, FakeWorld, Refusal } from "./rules.ts";
import { sample } from "./sample.ts";
import { textOf } from "./text-of.ts";

export interface FakeLedgerEntry {
  verb: "create" | "update" | "delete";
  collection: string;
  key: string;
  name: string;
  /** Method and path of the request. */
  by: string;
}

export interface FakeOptions {
  /** The accepted bearer token; absent: any. */
  token?: string;
  /** The duration of states. */
  readyAfterMs?: number;
  /** New objects never become usable. */
  endsFailed?: boolean;
  /** The time for which a new object is missing from lists. */
  listLagMs?: number;
  /** The course of operations, at collections that answer changes with operations. */
  operations?: OperationScript;
  faults?: readonly FakeFault[];
  now?: () => number;
}

interface Call {
  request: Request;
  url: URL;
  sent: Json;
  /** `sent` if it is an object, else empty. */
  body: JsonMap;
  params: Readonly<Record<string, string>>;
}

type Answered = { status: number; body?: Json; entry?: FakeLedgerEntry };

export class FakeCloud {
  readonly ledger: FakeLedgerEntry[] = [];
  /** Method and path of every request. */
  readonly requests: string[] = [];
  /** Called after a change is made and before it is answered. */
  afterChange: (entry: FakeLedgerEntry) => Promise<void> | void = () => {};
  readonly #objects: FakeObjects;
  readonly #collections: readonly Collection[];
  readonly #faults = new FakeFaults();
  readonly #operations: FakeOperations;
  #number = 1000;
  readonly world: FakeWorld;

  readonly #description: Description;
  readonly #rules: FakeRules;
  readonly #options: FakeOptions;

  constructor(description: Description, rules: FakeRules, options: FakeOptions = {}) {
    this.#description = description;
    this.#rules = rules;
    this.#options = options;
    this.#collections = collectionsIn(description, rules.collections);
    this.#faults.add(options.faults ?? []);
    const now = options.now ?? Date.now;
    this.#objects = new FakeObjects(now);
    this.#operations = new FakeOperations(options.operations ?? {}, options.readyAfterMs ?? 0, now);
    this.world = {
      now,
      newId: () => crypto.randomUUID(),
      nextNumber: () => (this.#number += 1),
      objects: (collection) => this.living(collection),
      at: (collection, key, params = {}) => this.#objects.find(collection, key, params),
    };
  }

  /** The keys of the existing objects, of all collections or one. */
  living(collection?: string): FakeObject[] {
    return this.#objects
      .living()
      .filter((object) => collection === undefined || object.collection === collection);
  }

  /** Makes an object as a person would at the cloud. */
  put(
    collection: string,
    sent: JsonMap,
    params: Readonly<Record<string, string>> = {},
  ): FakeObject {
    const found = this.#collections.find(({ path }) => path === collection);
    if (found === undefined) throw new Error(`The description has no collection ${collection}`);
    return this.#add(found, sent, params);
  }

  /** Deletes an object as a person would at the cloud. */
  remove(object: FakeObject): void {
    this.#objects.remove(object);
    this.#rules.collections[object.collection]?.gone?.(object, this.world);
    this.#record("delete", object, "a person");
  }

  /** Ends every wait. */
  finish(): void {
    this.#operations.finish();
    this.#objects.finish();
  }

  script(...faults: FakeFault[]): void {
    this.#faults.add(faults);
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const { token } = this.#options;
    if (token !== undefined && request.headers.get("authorization") !== `Bearer ${token}`)
      return this.#refusal({
        status: 401,
        code: "unauthorized",
        message: "Unable to authenticate you.",
      });
    const matched = this.#description.match(request.method, url.pathname);
    if (matched === undefined)
      return this.#refusal({ status: 404, code: "not_found", message: "There is no such path." });
    const text = await request.text();
    const parsed = text === "" ? {} : (JSON.parse(text) as Json);
    const call: Call = {
      request,
      url,
      sent: parsed,
      body: isJsonMap(parsed) ? parsed : {},
      params: matched.params,
    };
    const path = matched.operation.path;
    const verb = this.#verbOf(request.method, path);
    const collection = this.#collections.find((one) =>
      [one.path, one.itemPath, one.listPath].includes(path),
    );
    const action = this.#rules.actions[`${request.method} ${path}`];
    const changed = action?.of({ ...call, world: this.world })?.collection;
    const fault = this.#faults.due(verb, collection?.path ?? changed);
    if (fault?.effect === "before") return this.#failed(fault);
    const answer = this.#answer(verb, path, collection, call);
    if ("code" in answer) return this.#refusal(answer);
    if (answer.entry !== undefined) await this.afterChange(answer.entry);
    if (fault !== undefined) return this.#failed(fault);
    const headers = this.#headers();
    return answer.body === undefined
      ? new Response(null, { status: answer.status, headers })
      : Response.json(answer.body, { status: answer.status, headers });
  };

  #verbOf(method: string, path: string): FakeVerb {
    const action = this.#rules.actions[`${method} ${path}`];
    if (action !== undefined) return action.verb;
    if (method === "GET" && this.#isOfOperations(path)) return "poll";
    const isCollection = this.#collections.some((one) => one.path === path);
    const isList = this.#collections.some((one) => one.listPath === path);
    if (method === "GET") return isList ? "list" : "read";
    if (method === "POST" && isCollection) return "create";
    return method === "DELETE" ? "delete" : "update";
  }

  #answer(
    verb: FakeVerb,
    path: string,
    collection: Collection | undefined,
    call: Call,
  ): Answered | Refusal {
    const action = this.#rules.actions[`${call.request.method} ${path}`];
    if (action !== undefined) {
      const { params, body, sent } = call;
      const actionCall = { params, body, sent, world: this.world };
      const object = action.of(actionCall);
      if (object === undefined) return notFound;
      const answer = action.run(actionCall, object);
      if ("code" in answer || action.verb === "read") return answer;
      return { ...answer, entry: this.#record("update", object, by(call)) };
    }
    if (verb === "poll") {
      const operation = this.#operations.show(path, call.params);
      return operation === undefined ? notFound : { status: 200, body: operation };
    }
    if (collection === undefined)
      return { status: 501, code: "not_faked", message: `${call.request.method} ${path}` };
    const { [collection.param]: key = "", ...params } = call.params;
    switch (verb) {
      case "list":
        return this.#list(collection, call);
      case "create":
        return this.#create(collection, call);
      case "read":
      case "update":
      case "delete": {
        const object = this.#objects.find(collection.path, key, params);
        if (object === undefined) return notFound;
        if (verb === "delete") return this.#delete(collection, object, call);
        return verb === "read"
          ? this.#shown(collection, 200, object)
          : this.#change(collection, object, call);
      }
    }
  }

  #create(collection: Collection, call: Call): Answered | Refusal {
    const rules = this.#rulesOf(collection);
    if (!this.#hasParent(collection.path, call.params)) return notFound;
    const refused = rules.refuses?.(call.body, this.world) ?? this.#taken(collection, call);
    if (refused !== undefined) return refused;
    const failing = this.#failing(rules);
    if (failing && this.#options.operations?.fail === "unnamed")
      return this.#started(collection, "create", undefined);
    const object = this.#add(collection, call.body, call.params);
    const entry = this.#record("create", object, by(call));
    if (rules.operation) return { ...this.#started(collection, "create", object), entry };
    if (rules.created)
      return { status: collection.created, body: rules.created(object.shown), entry };
    const { status, body } = this.#shown(collection, collection.created, object);
    return {
      status,
      ...(isJsonMap(body) ? { body: { ...body, ...rules.beside } } : {}),
      entry,
    };
  }

  #add(
    collection: Collection,
    sent: JsonMap,
    params: Readonly<Record<string, string>>,
  ): FakeObject {
    const rules = this.#rulesOf(collection);
    const key =
      rules.newKey?.(this.world) ?? sent[collection.key(rules)] ?? this.#newKey(collection, rules);
    const nowMs = this.world.now();
    const object: FakeObject = {
      key: textOf(key),
      collection: collection.path,
      params,
      shown: { ...this.#set(collection), [collection.key(rules)]: key },
      createdMs: nowMs,
      later: [],
    };
    this.#objects.add(object);
    for (const [name, value] of Object.entries(params))
      if (collection.properties.includes(name)) object.shown[name] = value;
    this.#show(collection, object, sent);
    this.#startState(rules, object, rules.states?.from);
    rules.made?.(object, sent, this.world);
    return object;
  }

  #change(collection: Collection, object: FakeObject, call: Call): Answered | Refusal {
    const rules = this.#rulesOf(collection);
    const { schemas, updatable } = collection;
    const { request, sent: body } = call;
    const update = { method: request.method, contentType: contentTypeOf(request), body };
    const of = {
      description: this.#description,
      schemas,
      updatable,
      merges: rules.merges === true,
    };
    const change = patched(object.shown, update, of);
    if ("code" in change) return change;
    const wanted = { ...without(object.shown, change.removed), ...change.set };
    const refused = rules.refusesChange?.(object, wanted, this.world);
    if (refused !== undefined) return refused;
    if (rules.operation === undefined) {
      this.#apply(collection, object, change);
      const entry = this.#record("update", object, by(call));
      return { ...this.#shown(collection, collection.changed, object), entry };
    }
    const answer = this.#started(collection, "update", object);
    if (this.#failing(rules)) return answer;
    const apply = (): void => this.#apply(collection, object, change);
    this.#objects.changeAt(this.#operations.endMs(), object, apply);
    return { ...answer, entry: this.#record("update", object, by(call)) };
  }

  #apply(collection: Collection, object: FakeObject, { set, removed }: Patched): void {
    object.shown = without(object.shown, removed);
    this.#show(collection, object, set);
    const rules = this.#rulesOf(collection);
    this.#startState(rules, object, rules.states?.onChange);
  }

  /** The answer to a change of a collection that has operations. */
  #started(
    collection: Collection,
    verb: "create" | "update" | "delete",
    object: FakeObject | undefined,
  ): Answered {
    const rules = this.#rulesOf(collection);
    const { created, changed, deleted } = collection;
    const failure = this.#failing(rules)
      ? { status: 500, code: "failed", message: `The ${verb} failed.` }
      : undefined;
    return {
      status: { create: created, update: changed, delete: deleted }[verb],
      ...(rules.operation && {
        body: this.#operations.begin(rules.operation, verb, object, failure),
      }),
    };
  }

  #failing(rules: CollectionRules): boolean {
    return rules.operation !== undefined && this.#options.operations?.fail !== undefined;
  }

  #isOfOperations(path: string): boolean {
    return Object.values(this.#rules.collections).some(({ operation }) => operation?.path === path);
  }

  #delete(collection: Collection, object: FakeObject, call: Call): Answered | Refusal {
    const rules = this.#rulesOf(collection);
    const body = collection.deletedBody ? { id: object.key } : undefined;
    const answered = { status: collection.deleted, ...(body && { body }) };
    if (object.deletedMs !== undefined)
      return rules.operation ? this.#started(collection, "delete", object) : answered;
    const refused = rules.keeps?.(object, this.world);
    if (refused !== undefined) return refused;
    if (this.#failing(rules)) return this.#started(collection, "delete", object);
    const waitMs = rules.slowDelete ? (this.#options.readyAfterMs ?? 0) : 0;
    object.deletedMs = rules.operation ? this.#operations.endMs() : this.world.now() + waitMs;
    for (const { collection: path, param } of rules.owns ?? [])
      for (const owned of this.living(path))
        if (owned.params[param] === object.key) owned.deletedMs = 0;
    const { gone } = rules;
    if (gone) this.#objects.changeAt(object.deletedMs, object, (one) => gone(one, this.world));
    const entry = this.#record("delete", object, by(call));
    if (rules.operation) return { ...this.#started(collection, "delete", object), entry };
    return { ...answered, entry };
  }

  #list(collection: Collection, call: Call): Answered | Refusal {
    if (!this.#hasParent(collection.listPath, call.params)) return notFound;
    const rules = this.#rulesOf(collection);
    const { searchParams } = call.url;
    const lagMs = this.#options.listLagMs ?? 0;
    let items = this.living(collection.path).filter(
      ({ params, createdMs }) =>
        Object.entries(call.params).every(([name, value]) => params[name] === value) &&
        this.world.now() - createdMs >= lagMs,
    );
    for (const [name, value] of searchParams) {
      const matches = rules.search?.[name];
      if (matches) items = items.filter(({ shown }) => matches(shown, value));
      else if (collection.properties.includes(name))
        items = items.filter(({ shown }) => shown[name] === value);
    }
    if (rules.listed) return { status: 200, body: rules.listed(items, call.url) };
    const body: JsonMap = {};
    if (collection.paged !== undefined) {
      const page = (collection.paged === "cursor" ? cursorPageOf : pageOf)(items, call.url);
      items = page.items;
      Object.assign(body, page.beside);
    }
    const shown = items.map((one) => one.shown);
    const { many } = collection;
    return { status: 200, body: many === undefined ? shown : { ...body, [many]: shown } };
  }

  #shown({ one }: Collection, status: number, { shown }: FakeObject): Answered {
    if (status === 204) return { status };
    return { status, body: one === undefined ? shown : { [one]: shown } };
  }

  /** The properties of a new object that the cloud sets. */
  #set(collection: Collection): JsonMap {
    return Object.fromEntries(
      collection.set.map((name): [string, Json] => [
        name,
        sample(this.#description, collection.schemas[name], this.world),
      ]),
    );
  }

  #show(collection: Collection, object: FakeObject, sent: JsonMap): void {
    const before = { ...object.shown };
    const known = Object.entries(sent).filter(([name]) => collection.properties.includes(name));
    Object.assign(object.shown, Object.fromEntries(known));
    const more = this.#rulesOf(collection).show?.(sent, this.world, before, object.params) ?? {};
    for (const [name, value] of Object.entries(more))
      if (value === undefined) delete object.shown[name];
      else object.shown[name] = value;
  }

  #startState({ states }: CollectionRules, object: FakeObject, start: Json | undefined): void {
    if (states === undefined || start === undefined) return;
    const { readyAfterMs = 0, endsFailed = false, operations } = this.#options;
    const fails = endsFailed || operations?.fail !== undefined;
    const end = fails && states.failed !== undefined ? states.failed : states.to;
    setAt(object.shown, states.path, start);
    const atMs = this.world.now() + readyAfterMs;
    this.#objects.changeAt(atMs, object, ({ shown }) => setAt(shown, states.path, end));
  }

  #taken(collection: Collection, { body, params }: Call): Refusal | undefined {
    for (const name of this.#rulesOf(collection).unique ?? []) {
      const same = this.living(collection.path).some(
        (object) =>
          object.shown[name] === body[name] &&
          Object.entries(params).every(([key, value]) => object.params[key] === value),
      );
      if (same) return { status: 409, code: "conflict", message: `${name} is already in use` };
    }
    return undefined;
  }

  #newKey(collection: Collection, rules: CollectionRules): Json {
    const type = collection.schemas[collection.key(rules)]?.["type"];
    return type === "integer" ? this.world.nextNumber() : this.world.newId();
  }

  /** The path of a create or list is below an object that exists: `/things/{thing}/parts`. */
  #hasParent(path: string, params: Readonly<Record<string, string>>): boolean {
    const parent = this.#collections.find(({ itemPath }) => path.startsWith(`${itemPath}/`));
    if (parent === undefined) return true;
    const at = parent.itemPath.split("/").length - 1;
    const name = path.split("/")[at]?.slice(1, -1) ?? "";
    return this.#objects.find(parent.path, params[name] ?? "", {}) !== undefined;
  }

  #rulesOf({ path }: Collection): CollectionRules {
    return this.#rules.collections[path] ?? {};
  }

  #record(verb: FakeLedgerEntry["verb"], object: FakeObject, by: string): FakeLedgerEntry {
    const name = object.shown["name"] ?? object.key;
    const entry = {
      verb,
      collection: object.collection,
      key: object.key,
      name: typeof name === "string" ? name : object.key,
      by,
    };
    this.ledger.push(entry);
    return entry;
  }

  #failed({ status, headers, body }: FakeFault): Response {
    if (status === "dropped") throw new Error("The connection was dropped by a fault.");
    const refusal = { status, code: "scripted", message: "a scripted fault" };
    return Response.json(body ?? this.#rules.error(refusal), {
      status,
      headers: {
        ...this.#headers(),
        ...(status === 429 ? { "retry-after": "1" } : {}),
        ...headers,
      },
    });
  }

  #refusal(refusal: Refusal): Response {
    return Response.json(this.#rules.error(refusal), {
      status: refusal.status,
      headers: this.#headers(),
    });
  }

  #headers(): Record<string, string> {
    const nowMs = this.world.now();
    const date = new Date(nowMs).toUTCString();
    return { date, ...this.#rules.headers?.(this.requests.length, nowMs) };
  }
}

const notFound: Refusal = {
  status: 404,
  code: "not_found",
  message: "The resource you requested could not be found.",
};

function by({ request, url }: Call): string {
  return `${request.method} ${url.pathname}`;
}

function without(map: JsonMap, names: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

function setAt(object: JsonMap, path: string, value: Json): void {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  const inner = object[first];
  const next = isJsonMap(inner) ? inner : {};
  object[first] = next;
  setAt(next, rest.join("."), value);
}
