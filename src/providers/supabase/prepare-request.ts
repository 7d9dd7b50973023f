import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

export interface SupabaseType extends RestType {
  /** Creates and updates are for several objects: their bodies are lists, with the object as the only item. */
  asList?: true;
}

export function prepareRequest(
  request: RequestSpec,
  { row, verb }: ChangeRequest & { row: SupabaseType },
): RequestSpec {
  return row.asList === true && verb !== "delete"
    ? { ...request, body: [request.body ?? null] }
    : request;
}
