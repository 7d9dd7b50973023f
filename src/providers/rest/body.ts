import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { placeProperties, type RestType } from "./rest-type.ts";

const MARK = "control:";

/** The tag by which a create's object is recognised: no other object carries it. */
export function markOf(token: string): string {
  return `${MARK}${token}`;
}

function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

/** The properties of a call, with the engine's name where the template leaves the name out. */
export function withName(row: RestType, properties: JsonMap, name: string): JsonMap {
  const key = row.nameProperty;
  return key === undefined || Object.hasOwn(properties, key)
    ? properties
    : { ...properties, [key]: name };
}

function wrapped(row: RestType, fields: JsonMap): Json {
  return row.bodyKey === undefined ? fields : { [row.bodyKey]: fields };
}

/** A create's body: all properties but those that only address it, and the mark or token the row asks for. */
export function createBody(row: RestType, properties: JsonMap, token: string): Json {
  let fields = without(
    properties,
    placeProperties(row, properties).filter((name) => name !== row.nameProperty),
  );
  if (row.find?.by === "tag") {
    const tags = Object.hasOwn(fields, row.find.property) ? fields[row.find.property] : [];
    fields = {
      ...fields,
      [row.find.property]: [...(Array.isArray(tags) ? tags : []), markOf(token)],
    };
  }
  if (row.idempotency && "field" in row.idempotency)
    fields = { ...fields, [row.idempotency.field]: token };
  return wrapped(row, fields);
}

/** True when the two objects differ in the named key. */
function differs(key: string, before: JsonMap, after: JsonMap): boolean {
  const had = Object.hasOwn(before, key);
  if (had !== Object.hasOwn(after, key)) return true;
  return had && canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null);
}

/**
 * An update's body, `undefined` when there is nothing to send. PATCH: changed properties, removed ones as
 * null. Otherwise all of them, over `current` (the object as shown) where the row merges.
 */
export function updateBody(
  row: RestType,
  before: JsonMap,
  after: JsonMap,
  current: JsonMap = {},
): Json | undefined {
  const never = [
    ...(row.createOnly ?? []),
    ...placeProperties(row, after).filter((name) => name !== row.nameProperty),
  ];
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (row.update !== "PATCH")
    return wrapped(row, without({ ...without(current, removed), ...after }, never));
  const changed = [...Object.keys(after), ...removed].filter((key) => differs(key, before, after));
  const fields = Object.fromEntries(
    changed
      .filter((key) => !never.includes(key))
      .map((key): [string, Json] => [key, Object.hasOwn(after, key) ? (after[key] ?? null) : null]),
  );
  return Object.keys(fields).length === 0 ? undefined : wrapped(row, fields);
}

/**
 * What the engine keeps of an object as shown: the object without our mark, with `id` where the provider
 * calls it otherwise, and with the properties that it does not show but that others may refer to.
 */
export function outputsOf(
  row: RestType,
  object: JsonMap,
  id: string,
  properties: JsonMap,
): JsonMap {
  const copied = [...placeProperties(row, properties), ...(row.echoed ?? [])].filter(
    (key) => Object.hasOwn(properties, key) && !Object.hasOwn(object, key),
  );
  const outputs: JsonMap = {
    ...(Object.hasOwn(object, "id") ? {} : { id }),
    ...object,
    ...Object.fromEntries(copied.map((key): [string, Json] => [key, properties[key] ?? null])),
  };
  const tagProperty = row.find?.by === "tag" ? row.find.property : undefined;
  const tags =
    tagProperty !== undefined && Object.hasOwn(outputs, tagProperty) && outputs[tagProperty];
  if (tagProperty === undefined || !Array.isArray(tags)) return outputs;
  const theirs = tags.filter((tag) => typeof tag !== "string" || !tag.startsWith(MARK));
  return { ...outputs, [tagProperty]: theirs };
}

/** The value at a dotted path, own properties and array indexes only; an absent path is the value itself. */
export function valueAt(value: Json | undefined, path: string | undefined): Json | undefined {
  if (path === undefined) return value;
  let at = value;
  for (const key of path.split(".")) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonMap(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}
