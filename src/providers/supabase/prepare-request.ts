import { isJsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

export interface SupabaseType extends RestType {
  /** Creates and updates are for several objects: their bodies are lists, with the object as the only item. */
  asList?: true;
  /** A change takes no null: what leaves the template stays as it is. */
  neverNull?: true;
}

export function prepareRequest(
  request: RequestSpec,
  { row, verb }: ChangeRequest & { row: SupabaseType },
): RequestSpec {
  if (verb === "delete") return request;
  if (row.asList === true) return { ...request, body: [request.body ?? null] };
  const { body } = request;
  return row.neverNull === true && isJsonMap(body)
    ? {
        ...request,
        body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      }
    : request;
}
