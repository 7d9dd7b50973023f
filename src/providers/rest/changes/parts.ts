/**
 * Properties that calls of their own change. Every call compares with the object as read before it is made, so an update
 * that is repeated after a crash makes only those that are missing.
 */
import { jsonAt, omitted } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { PartsDone } from "#providers/polling.ts";
import type {
  DueItem,
  FlagPart,
  ItemPart,
  RestPart,
  WholePart,
} from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { marksOn, withMarks } from "./mark.ts";
import { isShown, shownAt, showsItem } from "./shown.ts";

/** A call that is due. */
export interface PartCall {
  method: RestPart["method"];
  path: string;
  body?: Json;
  /** The item that it is for. */
  due?: DueItem;
  /** The properties that fill the path. */
  properties: JsonMap;
  /** The progress once the call has succeeded. */
  done: PartsDone;
  /** It takes something away: that it is gone already is success. */
  removes: boolean;
  /** It adds something that the object does not show: that it is there already is success. */
  addsUnseen?: boolean;
}

export interface PartChange {
  /** The object's, for bodies; absent: none takes it. */
  id?: string;
  before: JsonMap;
  after: JsonMap;
  /** Whether `before` was applied is not known. */
  unsure: boolean;
}

/** Whether any part may have to be called. */
export function partsDiffer(row: RestType, { before, after, unsure }: PartChange): boolean {
  const paths = (row.parts ?? []).flatMap(({ properties }) => properties);
  return paths.some((path) => {
    const [old, value] = [jsonAt(before, path), jsonAt(after, path)];
    return unsure ? old !== undefined || value !== undefined : !same(old, value);
  });
}

/** Whether anything differs that no part changes. */
export function othersDiffer(row: RestType, { before, after }: PartChange): boolean {
  const parted = (row.parts ?? []).flatMap(({ properties }) => properties);
  const paths = [...parted, ...Object.keys(row.onlyAtCreate ?? {})];
  return !same(omitted(before, paths), omitted(after, paths));
}

/** The next call of a part after those that are done; `undefined`: none is due. `object`: as the cloud shows it. */
export function nextPart(
  row: RestType,
  asked: PartChange,
  object: JsonMap,
  done: PartsDone = { part: 0, item: 0 },
): PartCall | undefined {
  const marks = marksOn(row, object);
  const change = {
    ...asked,
    before: withMarks(row, asked.before, marks),
    after: withMarks(row, asked.after, marks),
  };
  for (const [index, part] of (row.parts ?? []).entries()) {
    if (index < done.part) continue;
    const call =
      part.when !== undefined
        ? flagPart(part, change, object, index)
        : part.each === undefined
          ? wholePart(row, part, change, object, index)
          : itemPart(row, part, change, object, {
              part: index,
              item: index === done.part ? done.item : 0,
            });
    if (call !== undefined) return call;
  }
  return undefined;
}

function wholePart(
  row: RestType,
  part: WholePart,
  change: PartChange,
  object: JsonMap,
  index: number,
): PartCall | undefined {
  const { before, after, unsure } = change;
  const due = part.properties.some((path) => {
    const [old, value] = [jsonAt(before, path), jsonAt(after, path)];
    if (unsure ? old === undefined && value === undefined : same(old, value)) return false;
    if (value === undefined && part.absent === "keep") return false;
    if (value === undefined && part.absent !== undefined)
      return (
        row.writeOnly?.includes(path) === true || (shownAt(row, object, path) ?? null) !== null
      );
    return !isShown(row, object, path, value ?? (Array.isArray(old) ? [] : undefined));
  });
  return due ? partCall(part, change, object, index) : undefined;
}

/** The call of a part that is for one value of a flag. */
function flagPart(
  part: FlagPart,
  change: PartChange,
  object: JsonMap,
  index: number,
): PartCall | undefined {
  const [path = ""] = part.properties;
  const { when: value } = part;
  const isSet = (properties: JsonMap): boolean => jsonAt(properties, path) === true;
  if ([change.before, change.after].every((one) => jsonAt(one, path) === undefined))
    return undefined;
  if (isSet(change.after) !== value) return undefined;
  if (isSet(change.before) === value && !change.unsure) return undefined;
  const shown = part.shownIn && jsonAt(object, part.shownIn.list);
  if (Array.isArray(shown) && shown.includes(part.shownIn?.item ?? "") === value) return undefined;
  return partCall(part, change, object, index);
}

function partCall(
  part: WholePart | FlagPart,
  { id, before, after }: PartChange,
  object: JsonMap,
  index: number,
): PartCall {
  const { method, path } = part;
  const made = bodyOf(part, before, after, id);
  const body = isJsonMap(made) ? { ...made, ...carriedBy(part, object) } : made;
  return {
    method,
    path,
    ...(body === undefined ? {} : { body }),
    properties: after,
    done: { part: index + 1, item: 0 },
    removes: false,
  };
}

function itemPart(
  row: RestType,
  part: ItemPart,
  { id, before, after, unsure }: PartChange,
  object: JsonMap,
  done: PartsDone,
): PartCall | undefined {
  const [property = ""] = part.properties;
  const [old, wanted] = [listAt(before, property), listAt(after, property)];
  const shown = listOf(shownAt(row, object, property));
  const [from, others] = part.each === "added" ? [wanted, old] : [old, wanted];
  for (const [index, item] of from.entries()) {
    if (index < done.item) continue;
    const isIn = (list: readonly Json[]): boolean =>
      part.each === "removed" && part.key !== undefined
        ? list.some((one) => keyOf(part, one) === keyOf(part, item))
        : showsItem(row, property, list, item);
    if (isIn(others) && !(unsure && part.each === "added")) continue;
    // The object shows which calls are done; without it, `before` does.
    const has = shown && isIn(shown);
    if (has === (part.each === "added")) continue;
    const { method, path, itemAt } = part;
    const members = part.key !== undefined && isJsonMap(item) ? item : {};
    const named = itemAt === undefined ? item : jsonAt(isJsonMap(item) ? item : {}, itemAt);
    const properties = { ...after, ...members, item: named ?? null };
    const body =
      part.body === undefined
        ? undefined
        : filledBody(part.body, withId(properties, id), properties);
    return {
      due: { part, item, others },
      method,
      path,
      ...(body === undefined ? {} : { body }),
      properties,
      done: { part: done.part, item: index + 1 },
      removes: part.each === "removed",
      addsUnseen: part.each === "added" && shown === undefined,
    };
  }
  return undefined;
}

function keyOf({ key = "" }: ItemPart, item: Json): string {
  return canonicalJson((isJsonMap(item) ? item[key] : undefined) ?? null);
}

function carriedBy({ carried = {} }: WholePart | FlagPart, object: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(carried).flatMap(([name, path]): [string, Json][] => {
      const value = jsonAt(object, path);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function listAt(properties: JsonMap, path: string): Json[] {
  return listOf(jsonAt(properties, path)) ?? [];
}

/** The list, or the one value as a list; clouds show none as an empty text or null. Undefined: nothing is shown. */
function listOf(value: Json | undefined): Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  return value === null || value === "" ? [] : [value];
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

/**
 * A part's body: its template filled, or its properties. What is gone is sent as the part says (`absent`); by default a
 * list as empty, anything else as null.
 */
function bodyOf(
  part: WholePart | FlagPart,
  before: JsonMap,
  after: JsonMap,
  id: string | undefined,
): Json | undefined {
  const values: JsonMap = {};
  for (const path of part.properties) {
    const [old, value] = [jsonAt(before, path), jsonAt(after, path)];
    if (value !== undefined) values[path] = value;
    else if (old !== undefined && part.absent === undefined)
      values[path] = Array.isArray(old) ? [] : null;
  }
  const isGone = part.when === undefined && Object.keys(values).length === 0;
  const template = isGone && isJsonMap(part.absent) ? part.absent : part.body;
  if (template !== undefined) return filledBody(template, withId(values, id), after);
  if (part.method === "DELETE") return undefined;
  return Object.fromEntries(
    Object.entries(values).map(([path, value]) => [path.split(".").at(-1) ?? path, value]),
  );
}

function withId(values: JsonMap, id: string | undefined): JsonMap {
  return id === undefined ? values : { ...values, id };
}

const alone = /^\{([^{}]+)\}$/;
const within = /\{([^{}]+)\}/g;

/**
 * The template with its placeholders filled, from `values` by path, else from the properties. Placeholders without a
 * value are left out.
 */
export function filledBody(template: Json, values: JsonMap, properties: JsonMap): Json | undefined {
  const valueOf = (path: string): Json | undefined =>
    Object.hasOwn(values, path) ? values[path] : jsonAt(properties, path);
  if (typeof template === "string") {
    const path = alone.exec(template)?.[1];
    if (path === "#id") return Number(valueOf("id"));
    if (path !== undefined) return valueOf(path);
    return template.replace(within, (_, name: string) => {
      const value = valueOf(name) ?? "";
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  }
  if (Array.isArray(template))
    return template.flatMap((one) => {
      const value = filledBody(one, values, properties);
      return value === undefined ? [] : [value];
    });
  if (!isJsonMap(template)) return template;
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, one]): [string, Json][] => {
      const value = filledBody(one, values, properties);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
