/** A small OpenAPI description written by hand, for a cloud of collections: `npm test` needs nothing of the vendors. */
import type { Json, JsonMap } from "#platform/json.ts";

export const aText: JsonMap = { type: "string" };
export const anInteger: JsonMap = { type: "integer" };
export const aNumber: JsonMap = { type: "number" };
export const aFlag: JsonMap = { type: "boolean" };
export const aTime: JsonMap = { type: "string", format: "date-time" };
export const aUuid: JsonMap = { type: "string", format: "uuid" };
/** Members of any name and type. */
export const aMap: JsonMap = { type: "object" };

export const choice = (...values: Json[]): JsonMap => ({ type: "string", enum: values });
export const listOf = (items: JsonMap): JsonMap => ({ type: "array", items });
export const orNull = (schema: JsonMap): JsonMap => ({ ...schema, nullable: true });
export const eitherOf = (...schemas: JsonMap[]): JsonMap => ({ anyOf: schemas });

/** An object. A name that ends with `!` has to be there. */
export function object(members: Record<string, JsonMap>): JsonMap {
  const required = Object.keys(members).flatMap((name) =>
    name.endsWith("!") ? [name.slice(0, -1)] : [],
  );
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name.replace(/!$/, ""), schema]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

export interface WrittenCollection {
  path: string;
  /** The placeholder of one object. */
  param: string;
  /** The key under which an answer has the object; absent: the answer is the object. */
  one?: string;
  /** The key under which a list has its objects; absent: the list is the answer. */
  many?: string;
  /** An object as the cloud shows it. */
  shown: JsonMap;
  create: JsonMap;
  /** The status of a create's answer. Default: 201. */
  created?: number;
  /** `type`: the content type of the body. Default: plain JSON. */
  update?: { method: "put" | "patch"; body: JsonMap; status?: number; type?: string };
  /** The status of a delete's answer. Default: 204. */
  deleted?: { status: number; body: JsonMap };
  paged?: true;
  filters?: readonly string[];
  /** Query parameters of all calls but lists. */
  query?: readonly string[];
  /** An object as the answer to a create shows it, if it shows more. */
  shownOnce?: JsonMap;
  /** What creates, updates and deletes are answered with, by 202, in place of the object. */
  operation?: JsonMap;
}

/** A call that is none of a collection's. */
export interface WrittenCall {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  body?: JsonMap;
  status: number;
  answer?: JsonMap;
  query?: readonly string[];
}

function inPath(path: string): JsonMap[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => ({
    name: match[1] ?? "",
    in: "path",
    required: true,
    schema: aText,
  }));
}

function operation(
  status: number,
  answer: JsonMap | undefined,
  error: JsonMap,
  more: { body?: JsonMap | undefined; type?: string; query?: readonly string[] } = {},
): JsonMap {
  const json = (schema: JsonMap, type = "application/json"): JsonMap => ({ [type]: { schema } });
  return {
    ...(more.query && {
      parameters: more.query.map((name) => ({ name, in: "query", schema: aText })),
    }),
    ...(more.body && { requestBody: { required: true, content: json(more.body, more.type) } }),
    responses: {
      [status]: { description: "", ...(answer && { content: json(answer) }) },
      default: { description: "", content: json(error) },
    },
  };
}

/** The OpenAPI document. `error`: the body of every error. */
export function writeDescription(
  collections: readonly WrittenCollection[],
  calls: readonly WrittenCall[],
  error: JsonMap,
): JsonMap {
  const paths: Record<string, JsonMap> = {};
  const add = (path: string, method: string, made: JsonMap): void => {
    paths[path] = { ...(paths[path] ?? { parameters: inPath(path) }), [method]: made };
  };
  for (const one of collections) {
    const item = `${one.path}/{${one.param}}`;
    const alone = (schema: JsonMap): JsonMap =>
      one.one === undefined ? schema : object({ [`${one.one}!`]: schema });
    const shown = alone(one.shown);
    const query = [...(one.paged ? ["page", "per_page"] : []), ...(one.filters ?? [])];
    const list =
      one.many === undefined
        ? listOf(one.shown)
        : object({
            [`${one.many}!`]: listOf(one.shown),
            ...(one.paged ? { links: aMap, "meta!": object({ "total!": anInteger }) } : {}),
          });
    const accepted = one.operation && ([202, one.operation] as const);
    const created = [one.created ?? 201, alone(one.shownOnce ?? one.shown)] as const;
    add(one.path, "get", operation(200, list, error, { query }));
    const asked = one.query && { query: one.query };
    add(
      one.path,
      "post",
      operation(...(accepted ?? created), error, { body: one.create, ...asked }),
    );
    add(item, "get", operation(200, shown, error, { ...asked }));
    if (one.update) {
      const { method, body, status = 200, type } = one.update;
      const changed = [status, status === 204 ? undefined : shown] as const;
      const sent = { body, ...(type && { type }), ...asked };
      add(item, method, operation(...(accepted ?? changed), error, sent));
    }
    const { status, body } = one.deleted ?? { status: 204, body: undefined };
    add(item, "delete", operation(...(accepted ?? ([status, body] as const)), error, { ...asked }));
  }
  for (const { method, path, body, status, answer, query } of calls)
    add(path, method, operation(status, answer, error, { body, ...(query && { query }) }));
  return { openapi: "3.0.0", info: { title: "A cloud", version: "1" }, paths };
}
