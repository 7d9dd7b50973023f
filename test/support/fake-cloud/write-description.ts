/** Writes a small OpenAPI description for a cloud of collections, so that `npm test` needs no vendor's file. */
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

/** An object. A name that ends with `!` is required. */
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

type WrittenVerb = "create" | "read" | "update" | "delete";

export interface WrittenCollection {
  path: string;
  /** The placeholder of one object. */
  param: string;
  /** The path of one object, if it is not below the collection. */
  itemPath?: string;
  /** The path of the list, if it is not the path of creates. */
  listPath?: string;
  /** It has no list. */
  unlisted?: true;
  /** The key under which an answer has the object; absent: the answer is the object. */
  one?: string;
  /**
   * The key under which a list has its objects, or the schema of a list of another form; absent: the list is the
   * answer.
   */
  many?: string | JsonMap;
  /** An object as the cloud shows it. */
  shown: JsonMap;
  create: JsonMap;
  /** The status of a create's answer. Default: 201. */
  created?: number;
  /** `type`: the content type of the body. Default: plain JSON. */
  update?: { method: "put" | "patch"; body: JsonMap; status?: number; type?: string };
  /** The status of a delete's answer. Default: 204. */
  deleted?: { status: number; body: JsonMap };
  /** By `page`, or by `cursor`. */
  paged?: true | "cursor";
  /** It has no GET for one object. */
  unread?: true;
  filters?: readonly string[];
  /** Query parameters of all calls but lists, or of the named calls. */
  query?: readonly string[] | { readonly [verb in WrittenVerb]?: readonly string[] };
  /** An object in the answer to a create, if that shows more or less than a read. */
  shownOnce?: JsonMap;
  /** The answer to creates, updates and deletes in place of the object, with status 202. */
  operation?: JsonMap;
}

/** A call that belongs to no collection. */
export interface WrittenCall {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  body?: JsonMap;
  status: number;
  answer?: JsonMap;
  query?: readonly string[];
}

/** The members beside a page. */
const meta = {
  page: object({ "total!": anInteger }),
  cursor: object({
    "total!": anInteger,
    "links!": object({ "next!": aText, "prev!": aText }),
  }),
};

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
    const paging =
      one.paged === undefined ? [] : [one.paged === true ? "page" : "cursor", "per_page"];
    const query = [...paging, ...(one.filters ?? [])];
    const { many = listOf(one.shown) } = one;
    const list =
      typeof many === "string"
        ? object({
            [`${many}!`]: listOf(one.shown),
            ...(one.paged
              ? { links: aMap, "meta!": meta[one.paged === true ? "page" : "cursor"] }
              : {}),
          })
        : many;
    const accepted = one.operation && ([202, one.operation] as const);
    const made = one.shownOnce ?? one.shown;
    const created = [one.created ?? 201, made["type"] === "array" ? made : alone(made)] as const;
    const asked = (verb: WrittenVerb) => {
      const names = one.query && "length" in one.query ? one.query : one.query?.[verb];
      return names === undefined ? {} : { query: names };
    };
    if (one.unlisted === undefined)
      add(one.listPath ?? one.path, "get", operation(200, list, error, { query }));
    add(
      one.path,
      "post",
      operation(...(accepted ?? created), error, { body: one.create, ...asked("create") }),
    );
    if (one.unread === undefined) add(item, "get", operation(200, shown, error, asked("read")));
    if (one.update) {
      const { method, body, status = 200, type } = one.update;
      const changed = [status, status === 204 ? undefined : shown] as const;
      const sent = { body, ...(type && { type }), ...asked("update") };
      add(item, method, operation(...(accepted ?? changed), error, sent));
    }
    const { status, body } = one.deleted ?? { status: 204, body: undefined };
    const deleted = accepted ?? ([status, body] as const);
    add(item, "delete", operation(...deleted, error, asked("delete")));
  }
  for (const { method, path, body, status, answer, query } of calls)
    add(path, method, operation(status, answer, error, { body, ...(query && { query }) }));
  return { openapi: "3.0.0", info: { title: "A cloud", version: "1" }, paths };
}
