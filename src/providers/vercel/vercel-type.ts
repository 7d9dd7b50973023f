import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

export interface VercelType extends RestType {
  /** Where an answer to a create says why nothing was made, although its status says that it succeeded. */
  refused?: string;
  /** Creates and updates are of lists of variables: of one with this one. */
  inLists?: true;
  /** What every create sends. */
  fixed?: JsonMap;
  /** A delete is of a list of tokens: of the one that the object shows. */
  deletesTokens?: true;
}

export type VercelRows = Readonly<Record<string, VercelType>>;

export function refusalIn(json: Json | undefined, { refused }: VercelType): Json | undefined {
  return refused === undefined ? undefined : valueAt(json, refused);
}

export function readsFirst(verb: "update" | "delete", row: VercelType): boolean {
  return verb === "delete" && row.deletesTokens === true;
}

export function prepareRequest(
  request: RequestSpec,
  { verb, row, current = {} }: ChangeRequest & { row: VercelType },
): RequestSpec {
  const { body } = request;
  if (row.inLists === true && isJsonMap(body) && verb !== "delete")
    return { ...request, body: verb === "create" ? createOfOne(body) : updateOfOne(body, request) };
  if (row.fixed !== undefined && verb === "create" && isJsonMap(body))
    return { ...request, body: { ...row.fixed, ...body } };
  if (verb !== "delete" || row.deletesTokens !== true) return request;
  return { ...request, body: { tokens: tokensOf(current) } };
}

function createOfOne({ key, value, comment, ...shared }: JsonMap): JsonMap {
  const own = Object.entries({ key, value, comment }).flatMap(([name, one]): [string, Json][] =>
    one === undefined ? [] : [[name, one]],
  );
  return { target: [], ...shared, evs: [Object.fromEntries(own)] };
}

function updateOfOne(body: JsonMap, { id = "" }: RequestSpec): JsonMap {
  return { updates: { [id]: body } };
}

function tokensOf({ token }: JsonMap): Json[] {
  return token === undefined ? [] : [token];
}
