/**
 * Validates both sides against the cloud's description. A request that differs from it is refused before it reaches the
 * cloud; an answer that differs from it is recorded. `npm test` uses hand-written descriptions, `npm run test:specs`
 * the vendors' own.
 */
import { Validator } from "@cfworker/json-schema";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { closedSchema, type Side } from "./closed-schema.ts";
import { answerSchema, type Description, type Operation } from "./description.ts";
import { contentTypeOf, MERGE_PATCH } from "./patched.ts";

export interface Violation {
  side: Side;
  /** Method and path of the request. */
  of: string;
  problem: string;
}

export interface ValidatingProxy {
  fetch: (request: Request) => Promise<Response>;
  violations: Violation[];
}

/** The status of a refusal. No described cloud answers with it. */
export const REFUSED = 418;

export function validatingProxy(
  description: Description,
  cloud: (request: Request) => Promise<Response>,
): ValidatingProxy {
  const violations: Violation[] = [];
  const validators = new Map<string, Validator>();
  const validate = (schema: JsonMap, side: Side, key: string, value: Json): string | undefined => {
    let validator = validators.get(key);
    if (validator === undefined) {
      const closed = closedSchema(description, schema, side);
      const taken = key.endsWith(MERGE_PATCH) ? asMergePatch(closed) : closed;
      validator = new Validator(taken, "2020-12", false);
      validators.set(key, validator);
    }
    const { valid, errors } = validator.validate(value);
    if (valid) return undefined;
    const deepest = errors.toSorted(
      (a, b) => b.instanceLocation.length - a.instanceLocation.length,
    )[0];
    return `${deepest?.instanceLocation ?? ""}: ${deepest?.error ?? "does not match"}`;
  };

  const problemOfRequest = (
    operation: Operation,
    url: URL,
    text: string,
    type: string,
  ): string | undefined => {
    const unknown = [...url.searchParams.keys()].find((name) => !operation.query.includes(name));
    if (unknown !== undefined) return `there is no query parameter "${unknown}"`;
    if (text === "") return operation.bodyRequired ? "the body is missing" : undefined;
    if (operation.bodies.size === 0) return "no body is taken";
    const schema = operation.bodies.get(type);
    if (schema === undefined) return `the body's content type is "${type}"`;
    const key = `${operation.method} ${operation.path} ${type}`;
    return validate(schema, "request", key, JSON.parse(text) as Json);
  };

  const problemOfAnswer = (
    operation: Operation,
    status: number,
    text: string,
  ): string | undefined => {
    const schema = answerSchema(operation, status);
    if (schema === undefined) return `the status ${status} is not described`;
    if (schema === null) return text === "" ? undefined : "a body is not described";
    if (text === "") return "the body is missing";
    const key = `${operation.method} ${operation.path} ${status}`;
    return validate(schema, "answer", key, JSON.parse(text) as Json);
  };

  return {
    violations,
    fetch: async (request) => {
      const url = new URL(request.url);
      const of = `${request.method} ${url.pathname}${url.search}`;
      const refuse = (problem: string): Response => {
        violations.push({ side: "request", of, problem });
        return Response.json({ id: "violation", message: problem }, { status: REFUSED });
      };
      const matched = description.match(request.method, url.pathname);
      if (matched === undefined) return refuse("there is no such operation");
      const text = await request.clone().text();
      const type = contentTypeOf(request);
      const problem = problemOfRequest(matched.operation, url, text, type);
      if (problem !== undefined) return refuse(problem);
      const answer = await cloud(request);
      const wrong = problemOfAnswer(matched.operation, answer.status, await answer.clone().text());
      if (wrong !== undefined) violations.push({ side: "answer", of, problem: wrong });
      return answer;
    },
  };
}

/** The closed schema for a merge patch: no member is required, and null removes a member at any depth. */
function asMergePatch(schema: JsonMap): JsonMap {
  const { required: _, properties, additionalProperties, anyOf, ...rest } = schema;
  const orRemoved = (value: Json): Json => ({
    anyOf: [{ type: "null" }, isJsonMap(value) ? asMergePatch(value) : {}],
  });
  return {
    ...rest,
    ...(isJsonMap(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, orRemoved(value)]),
      ),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isJsonMap(additionalProperties)
        ? orRemoved(additionalProperties)
        : additionalProperties,
    }),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.map((form) => (isJsonMap(form) ? asMergePatch(form) : form)),
    }),
  };
}
