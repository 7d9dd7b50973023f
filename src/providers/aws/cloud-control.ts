/**
 * AWS Cloud Control: one address for every type, the verb in a header, properties as JSON in texts. Every change is an
 * operation with a token of its own, which AWS forgets after some days; a client's token counts for 36 hours.
 */
import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type {
  DialectAnswer,
  DialectCall,
  OperationState,
  RequestSpec,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { Answer } from "#providers/transport.ts";
import { asSent } from "./as-sent.ts";
import { listedWithin } from "./listed-within.ts";
import { explained, meaningOf } from "./read-error.ts";
import { spreadsAtAws } from "./spreading.ts";

const operations = {
  create: "CreateResource",
  read: "GetResource",
  update: "UpdateResource",
  delete: "DeleteResource",
  list: "ListResources",
  poll: "GetResourceRequestStatus",
} as const;

export type Verb = keyof typeof operations;

/** A request to Cloud Control. */
export function controlRequest(verb: Verb, body: JsonMap): RequestSpec {
  return {
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `CloudApiService.${operations[verb]}`,
    },
    body,
  };
}

export function requestOf(verb: Verb, call: DialectCall): RequestSpec {
  return controlRequest(verb, bodyOf(verb, call));
}

function bodyOf(verb: Verb, { type, id = "", ...call }: DialectCall): JsonMap {
  const named = { TypeName: type.replace(/^aws:/, "") };
  switch (verb) {
    case "create":
      return {
        ...named,
        ...(call.token === undefined ? {} : { ClientToken: call.token }),
        DesiredState: JSON.stringify(call.body ?? {}),
      };
    // Without a token: AWS would answer a repetition with the end of the operation that it repeats.
    case "update":
      return { ...named, Identifier: id, PatchDocument: JSON.stringify(call.body ?? []) };
    case "delete":
    case "read":
      return { ...named, Identifier: id };
    case "list": {
      const within = listedWithin(named.TypeName, call.properties);
      return {
        ...named,
        ...(within === undefined ? {} : { ResourceModel: JSON.stringify(within) }),
        ...(call.page === undefined ? {} : { NextToken: call.page }),
      };
    }
    case "poll":
      return { RequestToken: call.operation ?? "" };
  }
}

export function readAnswer({ json }: Answer, verb: string, call: DialectCall): DialectAnswer {
  const answer = isJsonMap(json) ? json : {};
  const { ResourceDescription, ResourceDescriptions, NextToken, ProgressEvent } = answer;
  if (verb === "read") {
    const one = described(ResourceDescription, call);
    return one?.object === undefined
      ? unfit(verb)
      : { kind: "object", id: one.id, object: one.object };
  }
  if (verb === "list") {
    if (!Array.isArray(ResourceDescriptions)) return unfit(verb);
    const items = ResourceDescriptions.flatMap((one) => described(one, call) ?? []).map(
      ({ id, object }) =>
        object !== undefined && tells(call.row, object) ? { id, object } : { id },
    );
    const hasMore = typeof NextToken === "string" && NextToken !== "";
    return { kind: "list", items, ...(hasMore ? { next: NextToken } : {}) };
  }
  const { RequestToken, OperationStatus } = isJsonMap(ProgressEvent) ? ProgressEvent : {};
  if (!isJsonMap(ProgressEvent) || typeof OperationStatus !== "string") return unfit(verb);
  return {
    kind: "operation",
    operation: RequestToken ?? call.operation ?? null,
    state: stateOf(ProgressEvent, OperationStatus, call),
  };
}

function unfit(verb: string): DialectAnswer {
  const changes = verb === "create" || verb === "update" || verb === "delete";
  return failure("invalid_answer", "AWS Cloud Control answered with something else.", {
    retryable: true,
    unknownOutcome: changes,
  });
}

function described(
  value: Json | undefined,
  { properties, context }: DialectCall,
): { id: string; object?: JsonMap } | undefined {
  const { Identifier, Properties } = isJsonMap(value) ? value : {};
  if (typeof Identifier !== "string" || Identifier === "") return undefined;
  const object = typeof Properties === "string" ? readJson(Properties) : undefined;
  return isJsonMap(object)
    ? { id: Identifier, object: asSent(object, properties, context) }
    : { id: Identifier };
}

/** Whether a list shows of an object what a look-up asks for: many show the identifier alone. */
function tells({ find, name }: RestType, object: JsonMap): boolean {
  const asked = find !== undefined && "property" in find ? find.property : undefined;
  const property = find?.by === "name" ? name?.property : asked;
  return property !== undefined && Object.hasOwn(object, property);
}

function stateOf(event: JsonMap, status: string, call: DialectCall): OperationState {
  const { Identifier, ErrorCode, StatusMessage, RetryAfter, Operation } = event;
  const id = typeof Identifier === "string" && Identifier !== "" ? Identifier : undefined;
  const creates = Operation === "CREATE";
  // AWS shows a given name as the identifier before it knows whose object has it.
  const isPlace = creates && id !== undefined && isGiven(id, call.properties);
  const own = id === undefined || isPlace ? {} : { id };
  switch (status) {
    case "SUCCESS":
      return { state: "done", ...(id === undefined ? {} : { id }) };
    case "FAILED":
    case "CANCEL_COMPLETE": {
      const code = typeof ErrorCode === "string" && ErrorCode !== "" ? ErrorCode : "canceled";
      const words = typeof StatusMessage === "string" ? StatusMessage : "";
      const verb = Operation === "UPDATE" || Operation === "DELETE" ? Operation : "CREATE";
      const means = meaningOf(code, words, verb);
      const of = { type: call.type, verb: verb.toLowerCase() as "create" | "update" | "delete" };
      const spreads = spreadsAtAws(words, of.verb);
      const what = `AWS could not ${of.verb} the ${call.type.replace(/^aws:/, "")}`;
      return {
        state: "failed",
        code,
        message: `${what}: ${explained(code, words || "it gives no reason", of)}`,
        ...(means === undefined ? {} : { means }),
        ...(spreads === undefined ? {} : { spreads }),
        ...own,
        ...(isPlace ? { place: id } : {}),
      };
    }
    default: {
      const afterMs =
        typeof RetryAfter === "number" ? RetryAfter * 1000 - call.context.now() : undefined;
      return {
        state: "running",
        ...own,
        ...(isPlace ? { place: id } : {}),
        ...(afterMs !== undefined && afterMs > 0 ? { afterMs: Math.round(afterMs) } : {}),
      };
    }
  }
}

/** Whether the identifier is made of names that were given, so that another's object may have it. */
export function isGiven(id: string, properties: JsonMap): boolean {
  const given = new Set(
    Object.values(properties).flatMap((value) =>
      typeof value === "string" ? [value.toLowerCase()] : [],
    ),
  );
  return id
    .toLowerCase()
    .split("|")
    .every((part) => given.has(part) || given.has(part.split(/[/:]/).at(-1) ?? part));
}
