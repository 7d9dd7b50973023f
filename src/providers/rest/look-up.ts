import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall } from "#providers/provider.ts";
import { valueAt } from "./body.ts";
import type { Failed } from "./definition.ts";
import { failure, sendRequest, type Attempt } from "./request.ts";
import { searchOf } from "./search.ts";

/** Maximum pages per lookup. A longer list is a failure, because an object on a later page would be missed. */
const MAX_PAGES = 20;

export type LookUp =
  | { kind: "none" }
  /** The row or the properties give nothing to look for. */
  | { kind: "impossible" }
  /** Created by an earlier attempt of this step. */
  | { kind: "ours"; id: string }
  /** Has the name from the template or its properties, but may belong to someone else. */
  | { kind: "unproven"; ids: string[] }
  | { kind: "failed"; failed: Failed };

export function idOf(attempt: Attempt, object: JsonMap): string | undefined {
  const id = valueAt(object, attempt.row.id ?? "id");
  return (typeof id === "string" && id !== "") || typeof id === "number" ? String(id) : undefined;
}

/**
 * Searches all pages of the list for the object of a create. It is ours if it has this step's mark or the engine's name,
 * or is the only one with these properties since the create was sent; a name from the template does not prove that.
 * `known`: ids that are not looked for.
 */
export async function lookUp(
  attempt: Attempt,
  call: CreateCall & Pick<LookUpCall, "sentMs">,
  known: readonly string[] = [],
): Promise<LookUp> {
  const { definition, row, properties } = attempt;
  const search = searchOf(row, properties, call);
  if (search === undefined) return { kind: "impossible" };

  const found = new Map<string, "ours" | "maybe">();
  let path = row.path;
  for (let page = 1; ; page += 1) {
    const result = await sendRequest(
      attempt,
      page === 1
        ? {
            method: "GET",
            path,
            ...(search.query !== undefined && { query: search.query }),
          }
        : { method: "GET", path, filled: true },
    );
    if (!result.ok) return { kind: "failed", failed: result.failed };
    const list = valueAt(result.answer.json, row.envelope?.list);
    if (!Array.isArray(list)) {
      const message = `${definition.types.name} answered a search for "${search.what}" with something that is not a list.`;
      return { kind: "failed", failed: failure("invalid_answer", message, { retryable: true }) };
    }
    for (const item of list) {
      const object = valueAt(item, row.envelope?.listItem);
      if (!isJsonMap(object)) continue;
      const judged = search.judge(object);
      if (judged === "other") continue;
      const id = idOf(attempt, object);
      if (id !== undefined && !known.includes(id)) found.set(id, judged);
    }
    const next = definition.nextPage?.(result.answer);
    if (next === undefined) break;
    if (page === MAX_PAGES) {
      const message = `${definition.types.name} has too many objects to search for "${search.what}", so it is unknown whether an earlier attempt created it.`;
      return {
        kind: "failed",
        failed: failure("look_up_incomplete", message, { unknownOutcome: true }),
      };
    }
    path = next;
  }

  const [first, ...others] = found;
  if (first === undefined) return { kind: "none" };
  const [id, judged] = first;
  return judged === "ours" && others.length === 0
    ? { kind: "ours", id }
    : { kind: "unproven", ids: [...found.keys()] };
}
