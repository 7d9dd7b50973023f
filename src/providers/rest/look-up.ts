import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { CreateCall } from "#providers/provider.ts";
import { markOf, valueAt } from "./body.ts";
import { ask, refusal, type Attempt, type Failed } from "./request.ts";

/** Pages read in one look-up. An object beyond them would be missed, so more pages are a failure. */
const MOST_PAGES = 20;

export type LookUp =
  | { kind: "none" }
  /** Made by an earlier try of this very step. */
  | { kind: "ours"; id: string }
  /** Bears the name that the template gives, which proves nothing: it may belong to anyone. */
  | { kind: "unproved"; ids: string[] }
  | { kind: "failed"; failed: Failed };

export function idOf(attempt: Attempt, object: JsonMap): string | undefined {
  const id = valueAt(object, attempt.row.id ?? "id");
  return (typeof id === "string" && id !== "") || typeof id === "number" ? String(id) : undefined;
}

/**
 * Looks for the object of a create through all pages of the list. Ours is what carries this step's mark,
 * or the name that the engine chose; a name that the template chose proves nothing.
 */
export async function lookUp(attempt: Attempt, call: CreateCall): Promise<LookUp> {
  const { definition, row, properties } = attempt;
  const find = row.find;
  if (find === undefined) return { kind: "none" };
  const property = find.by === "tag" ? find.property : (row.nameProperty ?? "name");
  const wanted: Json = find.by === "tag" ? markOf(call.token) : (properties[property] ?? null);
  if (typeof wanted !== "string") return { kind: "none" };
  const matches = (shown: Json | undefined): boolean =>
    Array.isArray(shown) && find.by === "tag" ? shown.includes(wanted) : shown === wanted;

  const ids = new Set<string>();
  let path = row.path;
  for (let page = 1; ; page += 1) {
    const asked = await ask(
      attempt,
      page === 1
        ? {
            method: "GET",
            path,
            ...(find.query !== undefined && { query: { [find.query]: wanted } }),
          }
        : { method: "GET", path, filled: true },
    );
    if (!asked.ok) return { kind: "failed", failed: asked.failed };
    const list = valueAt(asked.answer.json, row.envelope?.list);
    if (!Array.isArray(list)) {
      const message = `${definition.types.name} answered a search for "${wanted}" with something that is not a list.`;
      return { kind: "failed", failed: refusal("invalid_answer", message, { retryable: true }) };
    }
    for (const item of list) {
      const object = valueAt(item, row.envelope?.listItem);
      if (!isJsonMap(object) || !matches(valueAt(object, property))) continue;
      const id = idOf(attempt, object);
      if (id !== undefined) ids.add(id);
    }
    const next = definition.nextPage?.(asked.answer);
    if (next === undefined) break;
    if (page === MOST_PAGES) {
      const message = `${definition.types.name} has more objects than can be searched for "${wanted}", so it cannot be told whether an earlier try made it.`;
      return {
        kind: "failed",
        failed: refusal("look_up_incomplete", message, { unknownOutcome: true }),
      };
    }
    path = next;
  }

  const [first, ...others] = ids;
  if (first === undefined) return { kind: "none" };
  const proved = find.by === "tag" || wanted === call.name;
  return proved && others.length === 0
    ? { kind: "ours", id: first }
    : { kind: "unproved", ids: [...ids] };
}
