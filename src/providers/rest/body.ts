import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { pathProperties, type RestType } from "./rest-type.ts";

const MARK = "control:";

/** The unique tag that identifies the object of a create. */
export function markOf(token: string): string {
  return `${MARK}${token}`;
}

function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

/** The properties of a call, with the engine's name unless the template sets one. */
export function withName(row: RestType, properties: JsonMap, name: string): JsonMap {
  const key = row.nameProperty;
  return key === undefined || Object.hasOwn(properties, key)
    ? properties
    : { ...properties, [key]: name };
}

function wrapped(row: RestType, fields: JsonMap): Json {
  return row.bodyKey === undefined ? fields : { [row.bodyKey]: fields };
}

/** A create's body: all properties except those only used in the path, plus the row's mark or token. */
export function createBody(row: RestType, properties: JsonMap, token: string): Json {
  let fields = without(
    properties,
    pathProperties(row, properties).filter((name) => name !== row.nameProperty),
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

/** True when the two objects differ in the key. */
function differs(key: string, before: JsonMap, after: JsonMap): boolean {
  const had = Object.hasOwn(before, key);
  if (had !== Object.hasOwn(after, key)) return true;
  return had && canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null);
}

/**
 * An update's body; `undefined` when there is nothing to send. PATCH sends the changed properties, removed ones as
 * null. Other methods send all properties, merged into `current` (the object as returned) if the row merges.
 */
export function updateBody(
  row: RestType,
  before: JsonMap,
  after: JsonMap,
  current: JsonMap = {},
): Json | undefined {
  const never = [
    ...(row.createOnly ?? []),
    ...pathProperties(row, after).filter((name) => name !== row.nameProperty),
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
 * The outputs of a returned object: without our mark, with `id` if the provider names it differently, and with the
 * path and echoed properties that the provider does not return.
 */
export function outputsOf(
  row: RestType,
  object: JsonMap,
  id: string,
  properties: JsonMap,
): JsonMap {
  const copied = [...pathProperties(row, properties), ...(row.echoed ?? [])].filter(
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
  const ownTags = tags.filter((tag) => typeof tag !== "string" || !tag.startsWith(MARK));
  return { ...outputs, [tagProperty]: ownTags };
}

/** The value at a dotted path (own properties and array indexes only); without a path, the value itself. */
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
