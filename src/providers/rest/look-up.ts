import type { Json } from "#platform/json.ts";
import type { CreateCall } from "#providers/provider.ts";
import { type Attempt, failure } from "./attempt.ts";
import { markOf, valueAt } from "./body.ts";
import type { Failed } from "./definition.ts";
import { eachListed } from "./list.ts";
import { readObject } from "./read-object.ts";

/** Objects that are read one by one because the list shows their ids alone, at most. */
const MAX_READ = 20;

export type LookUp =
  | { kind: "none" }
  /** The row or the properties give nothing to look for. */
  | { kind: "impossible" }
  /** Created by an earlier attempt of this step. */
  | { kind: "ours"; id: string }
  /** Has the name from the template, but may belong to someone else. */
  | { kind: "unproven"; ids: string[] }
  | { kind: "failed"; failed: Failed };

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
  const unseen: string[] = [];
  const query = find.query === undefined ? {} : { [find.query]: wanted };
  const unread = await eachListed(attempt, query, ({ id, object }) => {
    if (known.includes(id)) return false;
    if (object === undefined) unseen.push(id);
    else if (matches(valueAt(object, property))) ids.add(id);
    return false;
  });
  if (unread !== undefined) return { kind: "failed", failed: unread };
  if (unseen.length > MAX_READ) {
    const message = `${definition.types.name} lists ${unseen.length} objects of ${attempt.type} by their ids alone, which are too many to read.`;
    const failed = failure("look_up_incomplete", message, { unknownOutcome: true });
    return { kind: "failed", failed };
  }
  for (const id of unseen) {
    const read = await readObject(attempt, id);
    if (read.ok && matches(valueAt(read.object, property))) ids.add(id);
    if (!read.ok && read.outcome.kind === "failed") return { kind: "failed", failed: read.outcome };
  }

  const [first, ...others] = ids;
  if (first === undefined) return { kind: "none" };
  const proven = find.by === "tag" || wanted === call.name;
  return proven && others.length === 0
    ? { kind: "ours", id: first }
    : { kind: "unproven", ids: [...ids] };
}
