import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { CreateCall } from "#providers/provider.ts";
import { markOf, valueAt } from "./body.ts";
import type { Failed } from "./definition.ts";
import { failure, sendRequest, type Attempt } from "./request.ts";

/** Maximum pages per lookup. A longer list is a failure, because an object on a later page would be missed. */
const MAX_PAGES = 20;

export type LookUp =
  | { kind: "none" }
  /** The row or the properties give nothing to look for. */
  | { kind: "impossible" }
  /** Created by an earlier attempt of this step. */
  | { kind: "ours"; id: string }
  /** Has the name from the template, but may belong to someone else. */
  | { kind: "unproven"; ids: string[] }
  | { kind: "failed"; failed: Failed };

export function idOf(attempt: Attempt, object: JsonMap): string | undefined {
  const id = valueAt(object, attempt.row.id ?? "id");
  return (typeof id === "string" && id !== "") || typeof id === "number" ? String(id) : undefined;
}

/**
 * Searches all pages of the list for the object of a create. It is ours if it has this step's mark or the engine's
 * name; a name from the template does not prove that. `known`: ids that are not looked for.
 */
export async function lookUp(
  attempt: Attempt,
  call: CreateCall,
  known: readonly string[] = [],
): Promise<LookUp> {
  const { definition, row, properties } = attempt;
  const find = row.find;
  if (find === undefined || find.by === "label" || find.by === "properties")
    return { kind: "impossible" };
  const property = find.by === "tag" ? find.property : (row.nameProperty ?? "name");
  const wanted: Json = find.by === "tag" ? markOf(call.token) : (properties[property] ?? null);
  if (typeof wanted !== "string") return { kind: "impossible" };
  const matches = (shown: Json | undefined): boolean =>
    Array.isArray(shown) && find.by === "tag" ? shown.includes(wanted) : shown === wanted;

  const ids = new Set<string>();
  let path = row.path;
  for (let page = 1; ; page += 1) {
    const result = await sendRequest(
      attempt,
      page === 1
        ? {
            method: "GET",
            path,
            ...(find.query !== undefined && { query: { [find.query]: wanted } }),
          }
        : { method: "GET", path, filled: true },
    );
    if (!result.ok) return { kind: "failed", failed: result.failed };
    const list = valueAt(result.answer.json, row.envelope?.list);
    if (!Array.isArray(list)) {
      const message = `${definition.types.name} answered a search for "${wanted}" with something that is not a list.`;
      return { kind: "failed", failed: failure("invalid_answer", message, { retryable: true }) };
    }
    for (const item of list) {
      const object = valueAt(item, row.envelope?.listItem);
      if (!isJsonMap(object) || !matches(valueAt(object, property))) continue;
      const id = idOf(attempt, object);
      if (id !== undefined && !known.includes(id)) ids.add(id);
    }
    const next = definition.nextPage?.(result.answer);
    if (next === undefined) break;
    if (page === MAX_PAGES) {
      const message = `${definition.types.name} has too many objects to search for "${wanted}", so it is unknown whether an earlier attempt created it.`;
      return {
        kind: "failed",
        failed: failure("look_up_incomplete", message, { unknownOutcome: true }),
      };
    }
    path = next;
  }

  const [first, ...others] = ids;
  if (first === undefined) return { kind: "none" };
  const proven = find.by === "tag" || wanted === call.name;
  return proven && others.length === 0
    ? { kind: "ours", id: first }
    : { kind: "unproven", ids: [...ids] };
}
