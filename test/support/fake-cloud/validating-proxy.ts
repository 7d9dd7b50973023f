/**
 * Holds both sides to the cloud's description: a request that differs from it is refused before it reaches the cloud,
 * and an answer that differs from it is recorded. The same is done by hand-written descriptions in `npm test` and by the
 * vendors' own in `npm run test:specs`.
 */
import { Validator } from "@cfworker/json-schema";
import type { Json, JsonMap } from "#platform/json.ts";
import { closedSchema, type Side } from "./closed-schema.ts";
import { answerSchema, type Description, type Operation } from "./description.ts";

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

/** The status of a refusal: one that no described cloud answers. */
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
      validator = new Validator(closedSchema(description, schema, side), "2020-12", false);
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
    if (operation.body === undefined) return "no body is taken";
    if (!/^application\/json\b/.test(type)) return `the body's content type is "${type}"`;
    const key = `${operation.method} ${operation.path}`;
    return validate(operation.body, "request", key, JSON.parse(text) as Json);
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
      const type = request.headers.get("content-type") ?? "";
      const problem = problemOfRequest(matched.operation, url, text, type);
      if (problem !== undefined) return refuse(problem);
      const answer = await cloud(request);
      const wrong = problemOfAnswer(matched.operation, answer.status, await answer.clone().text());
      if (wrong !== undefined) violations.push({ side: "answer", of, problem: wrong });
      return answer;
    },
  };
}
