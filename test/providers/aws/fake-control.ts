/**
 * A stateful Cloud Control, as AWS documents it: operations with tokens, clients' tokens of 36 hours, identifiers that
 * appear late, properties that are never shown, desired state that is checked against the type's description.
 */
import { jsonAt, omitted } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import type { DescribedType } from "./described-type.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { arnsWithin, heldByOthers, states, uniqueProperties } from "./unsaid.ts";

const TOKEN_LIFE_MS = 36 * 3_600_000;
const PAGE = 20;
const ACCOUNT = "123456789012";

export interface FakeObject {
  type: string;
  id: string;
  /** Everything that was sent and is kept, also what is never shown. */
  sent: JsonMap;
  made: JsonMap;
  createdMs: number;
}

export interface Change {
  verb: "create" | "update" | "delete";
  type: string;
  id: string;
}

interface Operation {
  token: string;
  verb: "CREATE" | "UPDATE" | "DELETE";
  type: string;
  id: string;
  /** The identifier is a given name, which is shown at once. */
  isNamed: boolean;
  readyMs: number;
  polls: number;
  error?: { code: string; message: string };
}

export class Refused extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface ControlOptions {
  now?: () => number;
  /** How long an operation takes. Default: until it is asked for once. */
  operationMs?: number;
  listLagMs?: number;
  /** Creates end as failed, with an object that is not usable. */
  endsFailed?: boolean;
}

export class FakeControl {
  readonly ledger: Change[] = [];
  readonly objects = new Map<string, FakeObject>();
  afterChange: (change: Change) => void = () => {};
  readonly #types: ReadonlyMap<string, DescribedType>;
  readonly #options: ControlOptions;
  readonly #operations = new Map<string, Operation>();
  readonly #clients = new Map<string, { content: string; operation: string; atMs: number }>();
  /** Cuts operations that were begun before it short. */
  #finished = false;
  #count = 0;

  constructor(types: ReadonlyMap<string, DescribedType>, options: ControlOptions = {}) {
    this.#types = types;
    this.#options = options;
  }

  get now(): number {
    return (this.#options.now ?? Date.now)();
  }

  finish(): void {
    this.#finished = true;
  }

  living(type?: string): FakeObject[] {
    return [...this.objects.values()].filter((one) => type === undefined || one.type === type);
  }

  /** Makes an object as a stranger would. */
  put(type: string, sent: JsonMap): FakeObject {
    const object = this.#make(this.#typeOf(type), sent, this.now);
    this.objects.set(`${type} ${object.id}`, object);
    return object;
  }

  remove({ type, id }: { type: string; id: string }): void {
    this.objects.delete(`${type} ${id}`);
    this.ledger.push({ verb: "delete", type, id });
  }

  answer(target: string, body: JsonMap): JsonMap {
    switch (target) {
      case "CreateResource":
        return this.#create(body);
      case "UpdateResource":
        return this.#update(body);
      case "DeleteResource":
        return this.#delete(body);
      case "GetResource": {
        const object = this.#object(body);
        return { TypeName: object.type, ResourceDescription: this.#description(object) };
      }
      case "ListResources":
        return this.#list(body);
      case "GetResourceRequestStatus": {
        const operation = this.#operations.get(textIn(body, "RequestToken"));
        if (operation === undefined)
          throw new Refused("RequestTokenNotFoundException", "Request token was not found", 404);
        operation.polls += 1;
        return { ProgressEvent: this.#event(operation) };
      }
      default:
        throw new Refused("UnknownOperationException", `There is no ${target}`);
    }
  }

  #typeOf(name: string): DescribedType {
    const type = this.#types.get(name);
    if (type !== undefined) return type;
    throw new Refused("TypeNotFoundException", `The type '${name}' cannot be found.`, 404);
  }

  #object(body: JsonMap): FakeObject {
    const [type, id] = [this.#typeOf(textIn(body, "TypeName")).name, textIn(body, "Identifier")];
    const object = this.objects.get(`${type} ${id}`);
    if (object !== undefined) return object;
    throw new Refused(
      "ResourceNotFoundException",
      `Resource of type '${type}' with identifier '${id}' was not found.`,
    );
  }

  #create(body: JsonMap): JsonMap {
    const type = this.#typeOf(textIn(body, "TypeName"));
    const desired = readJson(textIn(body, "DesiredState"));
    const client = textIn(body, "ClientToken");
    if (!isJsonMap(desired))
      throw new Refused("ValidationException", "DesiredState is no JSON object");
    if (client !== "" && !/^[-A-Za-z0-9+/=]{1,128}$/.test(client))
      throw new Refused("ValidationException", "ClientToken does not satisfy the pattern");
    const known = this.#clients.get(client);
    if (known !== undefined && this.now - known.atMs < TOKEN_LIFE_MS) {
      if (known.content !== canonicalJson(body))
        throw new Refused("ClientTokenConflictException", "The token was used otherwise", 409);
      const operation = this.#operations.get(known.operation);
      if (operation !== undefined) return { ProgressEvent: this.#event(operation) };
    }
    this.#check(type, desired);
    const object = this.#make(type, desired, this.now);
    const isNamed = type.identifier.every((path) => jsonAt(desired, path) !== undefined);
    const taken = this.#isTaken(type, object);
    const operation = this.#begin("CREATE", type.name, object.id, isNamed);
    if (taken) operation.error = { code: "AlreadyExists", message: `${object.id} already exists` };
    else {
      if (this.#options.endsFailed === true)
        operation.error = { code: "NotStabilized", message: "The object did not become usable" };
      this.objects.set(`${type.name} ${object.id}`, object);
      this.#record("create", object);
    }
    if (client !== "")
      this.#clients.set(client, {
        content: canonicalJson(body),
        operation: operation.token,
        atMs: this.now,
      });
    return { ProgressEvent: this.#event(operation) };
  }

  #isTaken(type: DescribedType, { id, sent }: FakeObject): boolean {
    if (this.objects.has(`${type.name} ${id}`)) return true;
    const unique = uniqueProperties[type.name];
    const name = unique === undefined ? undefined : sent[unique];
    return (
      unique !== undefined &&
      name !== undefined &&
      this.living(type.name).some((one) => one.sent[unique] === name)
    );
  }

  #make(type: DescribedType, sent: JsonMap, createdMs: number): FakeObject {
    const number = (this.#count += 1);
    const kind = type.name.split("::").at(-1)?.toLowerCase() ?? "";
    const parts = type.identifier.map((path): [string, string] => {
      const given = jsonAt(sent, path);
      if (typeof given === "string") return [path, given];
      const random = `${kind}-${number.toString(16).padStart(8, "0")}`;
      if (!path.endsWith("Arn")) return [path, random];
      const [property = "", from = "", to = ""] = arnsWithin[type.name] ?? [];
      const around = sent[property];
      return typeof around === "string"
        ? [path, `${around.replace(from, to)}/${random}`]
        : [path, `arn:aws:fake:eu-central-1:${ACCOUNT}:${kind}/${random}`];
    });
    const id = parts.map(([, value]) => value).join("|");
    const made = { ...type.made(id.replaceAll("|", "-")), ...Object.fromEntries(parts) };
    return { type: type.name, id, sent, made, createdMs };
  }

  #check(type: DescribedType, desired: JsonMap): void {
    const forbidden = type.readOnly.filter((path) => jsonAt(desired, path) !== undefined);
    const problems = [
      ...type.problems(desired),
      ...forbidden.map((path) => `Encountered unsupported property ${path}`),
    ];
    if (problems.length > 0)
      throw new Refused("ValidationException", `Model validation failed (${problems.join("; ")})`);
  }

  #update(body: JsonMap): JsonMap {
    const type = this.#typeOf(textIn(body, "TypeName"));
    if (type.isFixed)
      throw new Refused(
        "UnsupportedActionException",
        `Resource type ${type.name} does not support UPDATE action`,
        405,
      );
    const object = this.#object(body);
    const patch = readJson(textIn(body, "PatchDocument"));
    if (!Array.isArray(patch)) throw new Refused("ValidationException", "PatchDocument is no list");
    const shown = this.#shown(object, type);
    const patched = applyJsonPatch(shown, patch);
    if (patched === undefined) throw new Refused("ValidationException", "The patch does not fit");
    const desired = omitted(patched, type.readOnly);
    for (const path of type.readOnly)
      if (
        canonicalJson(jsonAt(patched, path) ?? null) !== canonicalJson(jsonAt(shown, path) ?? null)
      )
        throw new Refused("ValidationException", `${path} is read-only`);
    this.#check(type, desired);
    const before = omitted(shown, type.readOnly);
    const changed = type.createOnly.find(
      (path) =>
        !type.writeOnly.includes(path) &&
        canonicalJson(jsonAt(desired, path) ?? null) !==
          canonicalJson(jsonAt(before, path) ?? null),
    );
    if (changed !== undefined)
      throw new Refused("NotUpdatableException", `Update of create-only property ${changed}`);
    const operation = this.#begin("UPDATE", type.name, object.id, false);
    // What is create-only and never shown cannot be part of a patch, and stays.
    const kept = type.writeOnly.filter((path) => type.createOnly.includes(path));
    const stays = kept.flatMap((path) => {
      const value = object.sent[path];
      return value === undefined ? [] : [[path, value] as const];
    });
    object.sent = { ...desired, ...Object.fromEntries(stays) };
    this.#record("update", object);
    return { ProgressEvent: this.#event(operation) };
  }

  #delete(body: JsonMap): JsonMap {
    const object = this.#object(body);
    const operation = this.#begin("DELETE", object.type, object.id, false);
    const holder = heldByOthers.has(object.type)
      ? this.living().find((one) => one !== object && JSON.stringify(one.sent).includes(object.id))
      : undefined;
    if (holder === undefined) {
      this.objects.delete(`${object.type} ${object.id}`);
      this.#record("delete", object);
    } else
      operation.error = {
        code: "InvalidRequest",
        message: `${object.id} has dependencies and cannot be deleted (DependencyViolation)`,
      };
    return { ProgressEvent: this.#event(operation) };
  }

  #list(body: JsonMap): JsonMap {
    const type = this.#typeOf(textIn(body, "TypeName"));
    const model = readJson(textIn(body, "ResourceModel"));
    const within = isJsonMap(model) ? model : {};
    const missing = type.parents.filter((name) => within[name] === undefined);
    if (missing.length > 0)
      throw new Refused("InvalidRequestException", `Required property: ${missing.join(", ")}`);
    const lagMs = this.#options.listLagMs ?? 0;
    const all = this.living(type.name).filter(
      ({ createdMs, sent }) =>
        createdMs + lagMs <= this.now && type.parents.every((name) => sent[name] === within[name]),
    );
    const at = Number(textIn(body, "NextToken") || 0);
    return {
      TypeName: type.name,
      ResourceDescriptions: all.slice(at, at + PAGE).map(({ id, sent, made }) => ({
        Identifier: id,
        Properties: JSON.stringify(
          Object.fromEntries(
            type.identifier.map((path) => [path, jsonAt({ ...made, ...sent }, path) ?? id]),
          ),
        ),
      })),
      ...(at + PAGE < all.length ? { NextToken: String(at + PAGE) } : {}),
    };
  }

  #begin(verb: Operation["verb"], type: string, id: string, isNamed: boolean): Operation {
    const open = [...this.#operations.values()].find(
      (one) => one.type === type && one.id === id && one.readyMs > this.now && !this.#finished,
    );
    if (open !== undefined)
      throw new Refused("ConcurrentOperationException", "Another operation is in progress", 409);
    const operation: Operation = {
      token: `operation-${this.#operations.size + 1}`,
      verb,
      type,
      id,
      isNamed,
      readyMs: this.now + (this.#options.operationMs ?? 0),
      polls: 0,
    };
    this.#operations.set(operation.token, operation);
    return operation;
  }

  #isOver({ readyMs, polls }: Operation): boolean {
    return this.#finished || (readyMs <= this.now && polls > 0);
  }

  #event(operation: Operation): JsonMap {
    const { token, verb, type, id, isNamed, polls, error } = operation;
    const over = this.#isOver(operation);
    const shows = isNamed || verb !== "CREATE" || polls > 0;
    const exists = error?.code === "AlreadyExists";
    return {
      TypeName: type,
      RequestToken: token,
      Operation: verb,
      OperationStatus: over ? (error === undefined ? "SUCCESS" : "FAILED") : "IN_PROGRESS",
      EventTime: this.now / 1000,
      ...(shows && (isNamed || !exists) ? { Identifier: id } : {}),
      ...(over && error !== undefined
        ? { ErrorCode: error.code, StatusMessage: error.message }
        : {}),
    };
  }

  #description(object: FakeObject): JsonMap {
    const shown = this.#shown(object, this.#typeOf(object.type));
    return { Identifier: object.id, Properties: JSON.stringify(shown) };
  }

  /** Lists come back in another order. */
  #shown(object: FakeObject, type: DescribedType): JsonMap {
    const shown = mergePatch(object.made, omitted(object.sent, type.writeOnly));
    const tags = shown["Tags"];
    if (Array.isArray(tags)) shown["Tags"] = tags.toReversed();
    const state = states[object.type];
    if (state !== undefined) shown[state.property] = this.#stateOf(object, state);
    return shown;
  }

  #stateOf(
    { type, id }: FakeObject,
    { working, usable, failed }: { working: string; usable: string; failed: string },
  ): string {
    const creating = [...this.#operations.values()].find(
      (one) => one.type === type && one.id === id && one.verb === "CREATE",
    );
    if (creating === undefined) return usable;
    const isOver = this.#finished || creating.readyMs <= this.now;
    return isOver ? (creating.error?.code === "NotStabilized" ? failed : usable) : working;
  }

  #record(verb: Change["verb"], { type, id }: FakeObject): void {
    const change = { verb, type, id };
    this.ledger.push(change);
    this.afterChange(change);
  }
}

function textIn(body: JsonMap, name: string): string {
  const value: Json | undefined = body[name];
  return typeof value === "string" ? value : "";
}
