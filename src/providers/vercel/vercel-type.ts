import type { Json, JsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

export interface VercelType extends RestType {
  /** Where an answer to a create says why nothing was made, although its status says that it succeeded. */
  refused?: string;
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
  if (verb !== "delete" || row.deletesTokens !== true) return request;
  return { ...request, body: { tokens: tokensOf(current) } };
}

function tokensOf({ token }: JsonMap): Json[] {
  return token === undefined ? [] : [token];
}
