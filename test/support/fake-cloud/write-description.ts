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
  /** Where one object is, if that is not below the collection. */
  itemPath?: string;
  /** Where objects are listed, if that is not where they are created. */
  listPath?: string;
  /** It has no list. */
  unlisted?: true;
  /** The answer to a create, if it is not the object. */
  brief?: JsonMap;
  /** Query parameters of a create and of a delete. */
  createQuery?: readonly string[];
  deleteQuery?: readonly string[];
  /** Query parameters of a read. */
  readQuery?: readonly string[];
  /** The key under which an answer has the object; absent: the answer is the object. */
  one?: string;
  /** The key under which a list has its objects. */
  many: string;
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
    const item = one.itemPath ?? `${one.path}/{${one.param}}`;
    const alone = (schema: JsonMap): JsonMap =>
      one.one === undefined ? schema : object({ [`${one.one}!`]: schema });
    const shown = alone(one.shown);
    const query = [...(one.paged ? ["page", "per_page"] : []), ...(one.filters ?? [])];
    const list = object({
      [`${one.many}!`]: listOf(one.shown),
      ...(one.paged ? { links: aMap, "meta!": object({ "total!": anInteger }) } : {}),
    });
    const accepted = one.operation && ([202, one.operation] as const);
    const made = one.brief ?? alone(one.shownOnce ?? one.shown);
    const created = [one.created ?? 201, made] as const;
    const queryOf = (names: readonly string[] | undefined) => (names ? { query: names } : {});
    const sent = { body: one.create, ...queryOf(one.createQuery) };
    if (one.unlisted !== true)
      add(one.listPath ?? one.path, "get", operation(200, list, error, { query }));
    add(one.path, "post", operation(...(accepted ?? created), error, sent));
    add(item, "get", operation(200, shown, error, queryOf(one.readQuery)));
    if (one.update) {
      const { method, body, status = 200, type } = one.update;
      const changed = [status, status === 204 ? undefined : shown] as const;
      const change = { body, ...(type && { type }) };
      add(item, method, operation(...(accepted ?? changed), error, change));
    }
    const { status, body } = one.deleted ?? { status: 204, body: undefined };
    const deleted = accepted ?? ([status, body] as const);
    add(item, "delete", operation(...deleted, error, queryOf(one.deleteQuery)));
  }
  for (const { method, path, body, status, answer, query } of calls)
    add(path, method, operation(status, answer, error, { body, ...(query && { query }) }));
  return { openapi: "3.0.0", info: { title: "A cloud", version: "1" }, paths };
}
