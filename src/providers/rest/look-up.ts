import { jsonAt } from "#platform/at-path.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall } from "#providers/provider.ts";
import { type Attempt, failure } from "./attempt.ts";
import { valueAt } from "./body.ts";
import type { Failed } from "./definition.ts";
import { eachListed } from "./list.ts";
import { markOf, marksOn } from "./mark.ts";
import { readObject } from "./read-object.ts";
import { isShown, shownAt } from "./shown.ts";

/** Objects that are read one by one because the list shows their ids alone, at most. */
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

/** Creates and this service may measure time differently. */
const CLOCK_SKEW_MS = 60_000;

/** What a look-up looks for. */
interface Search {
  query?: Readonly<Record<string, string>>;
  /** Whether an object is what is looked for, by all that it shows. */
  judge: (object: JsonMap) => "ours" | "maybe" | "other";
}

/** A parameter's value by the row's `query`: `parameter`, or `parameter=text` with `{value}`. */
function queryOf(query: string | undefined, value: string): Pick<Search, "query"> {
  if (query === undefined) return {};
  const [parameter = "", ...pattern] = query.split("=");
  const text = pattern.length === 0 ? value : pattern.join("=").replaceAll("{value}", () => value);
  return { query: { [parameter]: text } };
}

/** Epoch milliseconds of a time as clouds show it: as text, in seconds or in milliseconds. */
function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value < 100_000_000_000 ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

function searchOf(
  { row, properties }: Attempt,
  call: CreateCall & Pick<LookUpCall, "sentMs">,
): Search | undefined {
  const { find } = row;
  switch (find?.by) {
    case undefined:
      return undefined;
    case "name": {
      const property = row.nameProperty ?? "name";
      const wanted = properties[property];
      if (typeof wanted !== "string") return undefined;
      return {
        ...queryOf(find.query, wanted),
        judge: (object) => {
          if (valueAt(object, property) !== wanted) return "other";
          return wanted === call.name ? "ours" : "maybe";
        },
      };
    }
    case "tag":
    case "label": {
      const mark = markOf(row, call.token) ?? "";
      return {
        ...queryOf(find.query, mark),
        judge: (object) => (marksOn(row, object).includes(mark) ? "ours" : "other"),
      };
    }
    case "properties": {
      const { sentMs } = call;
      const sent = find.properties.filter((path) => jsonAt(properties, path) !== undefined);
      if (sentMs === undefined || sent.length === 0) return undefined;
      return {
        judge: (object) => {
          const createdMs = timeOf(jsonAt(object, find.createdAt));
          if (createdMs !== undefined && createdMs < sentMs - CLOCK_SKEW_MS) return "other";
          const hidden = sent.filter((path) => shownAt(row, object, path) === undefined);
          const same = (path: string): boolean =>
            hidden.includes(path) || isShown(row, object, path, jsonAt(properties, path));
          if (!sent.every(same)) return "other";
          return createdMs === undefined || hidden.length > 0 ? "maybe" : "ours";
        },
      };
    }
  }
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
  const { definition } = attempt;
  const search = searchOf(attempt, call);
  if (search === undefined) return { kind: "impossible" };

  const found = new Map<string, "ours" | "maybe">();
  const judge = (id: string, object: JsonMap): void => {
    const judged = search.judge(object);
    if (judged !== "other") found.set(id, judged);
  };
  const unseen: string[] = [];
  const unread = await eachListed(attempt, search.query ?? {}, ({ id, object }) => {
    if (known.includes(id)) return false;
    if (object === undefined) unseen.push(id);
    else judge(id, object);
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
    if (read.ok) judge(id, read.object);
    else if (read.outcome.kind === "failed") return { kind: "failed", failed: read.outcome };
  }

  const [first, ...others] = found;
  if (first === undefined) return { kind: "none" };
  const [id, judged] = first;
  return judged === "ours" && others.length === 0
    ? { kind: "ours", id }
    : { kind: "unproven", ids: [...found.keys()] };
}
