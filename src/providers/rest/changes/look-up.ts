import type { JsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { readObject } from "#providers/rest/read-object.ts";
import { type Attempt, failure, knownIdOf } from "#providers/rest/requests/attempt.ts";
import { eachListed } from "#providers/rest/requests/list.ts";
import { readPlace } from "./read-place.ts";
import { searchOf } from "./search.ts";

/** Objects that are read one by one because the list shows too little of them, at most. */
const MAX_READ = 20;

export type LookUp =
  | { kind: "none" }
  /** The row or the properties give nothing to look for. */
  | { kind: "impossible" }
  /** Created by an earlier attempt of this step. */
  | { kind: "ours"; id: string }
  /** Has the name from the template or its properties, but may belong to someone else. */
  | { kind: "unproven"; ids: string[] }
  | { kind: "failed"; failed: Failed };

/**
 * Searches all pages of the list for the object of a create, or the place that a guarded one PUTs to. It is ours if it
 * has this step's mark or the engine's name, or is the only one with these properties since the create was sent. A name
 * from the template proves nothing. `known`: ids that are not looked for.
 */
export async function lookUp(
  attempt: Attempt,
  call: CreateCall & Pick<LookUpCall, "sentMs">,
  known: readonly string[] = [],
): Promise<LookUp> {
  const { definition } = attempt;
  const search = searchOf(attempt.row, attempt.properties, call, definition.comparesFound);
  if (search === undefined) return { kind: "impossible" };

  const found = new Map<string, "ours" | "maybe">();
  let skewMs: number | undefined;
  const judge = (id: string, object: JsonMap): void => {
    const judged = search.judge(object, skewMs);
    if (judged !== "other") found.set(id, judged);
  };
  /** Candidates of which the list does not show all that was sent: a read decides. */
  const sparse = new Set<string>();
  const judgeListed = (id: string, object: JsonMap): void => {
    judge(id, object);
    if (found.has(id) && search.isSparse?.(object) === true) sparse.add(id);
  };
  if (attempt.row.create?.guard !== undefined) {
    const there = await readPlace(attempt);
    if (there.kind === "failed") return there;
    if (there.kind === "object" && !known.includes(there.id)) {
      skewMs = there.skewMs;
      judge(there.id, there.object);
    }
    return foundOf(found);
  }
  const only = definition.onlyId?.(attempt.row, attempt.properties);
  const unseen: string[] = only === undefined || known.includes(only) ? [] : [only];
  let hasUnnamed = false;
  const unread =
    only === undefined
      ? await eachListed(attempt, search.query ?? {}, ({ id, object }, listSkewMs) => {
          skewMs = listSkewMs;
          if (id === undefined) {
            const judged = object === undefined ? "maybe" : search.judge(object, skewMs);
            if (judged === "other") return false;
            // These properties determine the place, so an object that has them is there.
            const there = knownIdOf(attempt);
            if (there === undefined) hasUnnamed = true;
            else if (!known.includes(there)) found.set(there, judged);
          } else if (known.includes(id)) return false;
          else if (object === undefined) unseen.push(id);
          else judgeListed(id, object);
          return false;
        })
      : undefined;
  if (unread !== undefined) return { kind: "failed", failed: unread };
  if (hasUnnamed) {
    const message = `${definition.types.name} lists a ${attempt.type} that may be the one that was created, with an id that cannot be used.`;
    return { kind: "failed", failed: failure("invalid_answer", message, { unknownOutcome: true }) };
  }
  unseen.push(...sparse);
  if (unseen.length > MAX_READ) {
    const message = `${definition.types.name} lists ${unseen.length} objects of ${attempt.type} without all that tells them apart, which are too many to read.`;
    const failed = failure("look_up_incomplete", message, { unknownOutcome: true });
    return { kind: "failed", failed };
  }
  for (const id of unseen) {
    const read = await readObject(attempt, id);
    found.delete(id);
    if (read.ok) judge(id, read.object);
    else if (read.outcome.kind === "failed") {
      // An object that may not be read may be a stranger's.
      if (!sparse.has(id) || read.outcome.retryable)
        return { kind: "failed", failed: read.outcome };
      found.set(id, "maybe");
    }
  }

  return foundOf(found);
}

function foundOf(found: ReadonlyMap<string, "ours" | "maybe">): LookUp {
  const [first, ...others] = found;
  if (first === undefined) return { kind: "none" };
  const [id, judged] = first;
  return judged === "ours" && others.length === 0
    ? { kind: "ours", id }
    : { kind: "unproven", ids: [...found.keys()] };
}
