import { jsonAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall } from "#providers/provider.ts";
import { valueAt } from "./body.ts";
import type { Failed } from "./definition.ts";
import { markOf, marksOn } from "./mark.ts";
import { failure, sendRequest, type Attempt } from "./request.ts";
import { isShown, shownAt } from "./shown.ts";

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

/** Creates and this service may measure time differently. */
const CLOCK_SKEW_MS = 60_000;

/** What a look-up looks for. */
interface Search {
  /** In messages. */
  what: string;
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
        what: wanted,
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
        what: mark,
        ...queryOf(find.query, mark),
        judge: (object) => (marksOn(row, object).includes(mark) ? "ours" : "other"),
      };
    }
    case "properties": {
      const { sentMs } = call;
      const sent = find.properties.filter((path) => jsonAt(properties, path) !== undefined);
      if (sentMs === undefined || sent.length === 0) return undefined;
      return {
        what: sent.join(", "),
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
  const { definition, row } = attempt;
  const search = searchOf(attempt, call);
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
