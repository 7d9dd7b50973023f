/**
 * The mark that a create leaves on its object, by which a repetition knows it again: a tag, or the value of a label. It
 * is ours alone: outputs do not show it, and updates keep it.
 */
import { changedAt, jsonAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { tokenUuid } from "./token-uuid.ts";

type MarkRow = Pick<RestType, "find" | "compare">;
type Marked = Extract<RestType["find"], { by: "tag" | "label" }>;

const PREFIX = "control:";

function markedBy(row: MarkRow): Marked | undefined {
  return row.find?.by === "tag" || row.find?.by === "label" ? row.find : undefined;
}

/** The key of a label that is an entry of a list. */
function listedKey(marked: Marked): string | undefined {
  return marked.by === "label" && marked.as === "entry" ? marked.key : undefined;
}

function entriesOf(list: Json | undefined): JsonMap[] {
  return Array.isArray(list) ? list.filter(isJsonMap) : [];
}

/** Whether it is the entry of this key, or a map that has it. */
function hasKey(one: Json | undefined, key: string): boolean {
  return isJsonMap(one) && (one["Key"] === key || Object.hasOwn(one, key));
}

/** The property whose value carries the mark. */
export function markedProperty(row: MarkRow): string | undefined {
  return markedBy(row)?.property;
}

/** Where the object shows that property. */
function shownPlace({ property }: Marked, { compare }: MarkRow): string {
  return compare?.at?.[property] ?? property;
}

/** The mark of a create with this token; `undefined`: its type has none. */
export function markOf(row: MarkRow, token: string): string | undefined {
  const marked = markedBy(row);
  if (marked === undefined) return undefined;
  if (marked.by === "tag") return `${PREFIX}${token}`;
  return marked.as === "uuid" ? tokenUuid(token) : token;
}

/** The marks that an object has. */
export function marksOn(row: MarkRow, object: JsonMap): string[] {
  const marked = markedBy(row);
  if (marked === undefined) return [];
  const shown = jsonAt(object, shownPlace(marked, row));
  const listed = listedKey(marked);
  if (listed !== undefined)
    return entriesOf(shown).flatMap(({ Key, Value }) =>
      Key === listed && typeof Value === "string" ? [Value] : [],
    );
  if (marked.by === "label") {
    const value =
      isJsonMap(shown) && Object.hasOwn(shown, marked.key) ? shown[marked.key] : undefined;
    return typeof value === "string" ? [value] : [];
  }
  const tags = Array.isArray(shown) ? shown : [shown];
  return tags.filter((tag) => typeof tag === "string" && tag.startsWith(PREFIX)) as string[];
}

/** The properties with these marks added. */
export function withMarks(row: MarkRow, properties: JsonMap, marks: readonly string[]): JsonMap {
  const marked = markedBy(row);
  if (marked === undefined || marks.length === 0) return properties;
  return changedAt(properties, marked.property, (own): Json => {
    if (marked.by === "tag") return [...(Array.isArray(own) ? own : []), ...marks];
    const listed = listedKey(marked);
    if (listed !== undefined) {
      const others = (Array.isArray(own) ? own : []).filter((one) => !hasKey(one, listed));
      return [...others, { Key: listed, Value: marks[0] ?? "", ...marked.beside }];
    }
    return { ...(isJsonMap(own) ? own : {}), [marked.key]: marks[0] ?? "" };
  });
}

/** The object as shown, without marks. */
export function withoutMarks(row: MarkRow, object: JsonMap): JsonMap {
  const marked = markedBy(row);
  if (marked === undefined) return object;
  const place = shownPlace(marked, row);
  if (jsonAt(object, place) === undefined) return object;
  return changedAt(object, place, (shown): Json | undefined => {
    const listed = listedKey(marked);
    if (listed !== undefined)
      return Array.isArray(shown) ? shown.filter((one) => !hasKey(one, listed)) : shown;
    if (Array.isArray(shown) && marked.by === "tag")
      return shown.filter((tag) => typeof tag !== "string" || !tag.startsWith(PREFIX));
    if (isJsonMap(shown) && marked.by === "label")
      return Object.fromEntries(Object.entries(shown).filter(([key]) => key !== marked.key));
    return shown;
  });
}

/** Why the properties cannot be sent: they have what only a mark may be. */
export function markMistake(row: MarkRow, properties: JsonMap): string | undefined {
  const marked = markedBy(row);
  if (marked === undefined) return undefined;
  const own = jsonAt(properties, marked.property) ?? undefined;
  const isMap = marked.by === "label" && listedKey(marked) === undefined;
  const isWhole = isMap ? isJsonMap(own) : Array.isArray(own);
  if (own !== undefined && !isWhole)
    return `\`${marked.property}\` has to be ${isMap ? "a map" : "a list"}.`;
  if (marked.by === "label")
    return hasKey(own, marked.key) || entriesOf(own).some((one) => hasKey(one, marked.key))
      ? `\`${marked.property}\` has the key "${marked.key}", by which this service finds the object again. Choose another key.`
      : undefined;
  const tags = (Array.isArray(own) ? own : []).filter((tag) => typeof tag === "string");
  const taken = tags.find((tag) => tag.startsWith(PREFIX));
  return taken === undefined
    ? undefined
    : `\`${marked.property}\` has "${taken}": tags that begin with "${PREFIX}" are those by which this service finds objects again. Choose another tag.`;
}
