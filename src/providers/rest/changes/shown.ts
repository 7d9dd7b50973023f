/** Whether an object shows what was sent: clouds add members of their own, and show some properties elsewhere. */
import { jsonAt } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { extendsText } from "#platform/text/extends-text.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

type ShownRow = Pick<RestType, "compare" | "facts">;

/** The shown value of the property at this path. */
export function shownAt(row: ShownRow, object: JsonMap, path: string): Json | undefined {
  return jsonAt(object, row.compare?.at?.[path] ?? path);
}

/** Whether the object shows this value of the property; false where either is absent. */
export function isShown(
  row: ShownRow,
  object: JsonMap,
  path: string,
  value: Json | undefined,
): boolean {
  const { compare, facts } = row;
  const shown = shownAt(row, object, path);
  if (value === undefined || shown === undefined) return false;
  if (has(facts?.floating, path) && extendsText(value, shown)) return true;
  if (typeof value === "string" && typeof shown === "string" && has(compare?.caseInsensitive, path))
    return value.toLowerCase() === shown.toLowerCase();
  if (Array.isArray(value) && Array.isArray(shown) && has(compare?.sets, path)) {
    const missing = value.some((item) => !shown.some((one) => shows(item, one)));
    return !missing && new Set(value.map(canonicalJson)).size === shown.length;
  }
  return shows(value, shown);
}

/** The sent properties, by names at the top, that the object does not show so. */
export function unshown(row: ShownRow, object: JsonMap, sent: JsonMap): string[] {
  return Object.keys(sent).filter((key) => {
    const value = sent[key] ?? null;
    const isAbsent = value === null && shownAt(row, object, key) === undefined;
    return !isAbsent && !isShown(row, object, key, value);
  });
}

/** Whether the list that the property is has the item. */
export function showsItem(row: ShownRow, path: string, list: readonly Json[], item: Json): boolean {
  if (typeof item !== "string" || !has(row.compare?.caseInsensitive, `${path}[*]`))
    return list.some((one) => shows(item, one));
  return list.some((one) => typeof one === "string" && one.toLowerCase() === item.toLowerCase());
}

function has(paths: readonly string[] | undefined, path: string): boolean {
  return paths?.includes(path) === true;
}

/** Whether `shown` is the value, with everything that was sent and perhaps more. */
export function shows(value: Json, shown: Json): boolean {
  if (isJsonMap(value) && isJsonMap(shown))
    return Object.entries(value).every(([key, one]) => {
      const there = Object.hasOwn(shown, key) ? shown[key] : undefined;
      return there !== undefined && shows(one, there);
    });
  if (Array.isArray(value) && Array.isArray(shown))
    return value.length === shown.length && value.every((one, i) => shows(one, shown[i] ?? null));
  return canonicalJson(value) === canonicalJson(shown);
}
