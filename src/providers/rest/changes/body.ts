/** The bodies of requests, and the outputs of the objects that are answered. */
import { jsonAt, omitted } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mergePatchBetween } from "#platform/merge-patch.ts";
import type { SentChange } from "#providers/rest/definition.ts";
import { pathProperties, type RestType } from "#providers/rest/rest-type.ts";
import { markedProperty, markOf, withMarks, withoutMarks } from "./mark.ts";
import { tokenUuid } from "./token-uuid.ts";

/** A create's token in the form that the cloud takes: the same for every repetition. */
export function tokenOf(row: RestType, token: string): string {
  return row.create?.token?.format === "uuid" ? tokenUuid(token) : token;
}

function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

/** The properties of a call, with the engine's name unless the template sets one. */
export function withName(row: RestType, properties: JsonMap, name: string): JsonMap {
  const key = row.name?.property;
  return key === undefined || Object.hasOwn(properties, key)
    ? properties
    : { ...properties, [key]: name };
}

/** The properties of a body: without those that only fill the path or that only the cloud sets. */
function sendable(row: RestType, properties: JsonMap): JsonMap {
  const placed = pathProperties(row, properties).filter((name) => name !== row.name?.property);
  const unsent = [...placed, ...(row.unsent ?? [])];
  return omitted(without(properties, unsent), row.readOnly ?? []);
}

/** A create's body: all properties except those only used in the path, plus the row's mark. */
export function createBody(row: RestType, properties: JsonMap, token: string): JsonMap {
  const mark = markOf(row, token);
  const fields = omitted(sendable(row, properties), latePaths(row));
  return mark === undefined || isMarkedLater(row) ? fields : withMarks(row, fields, [mark]);
}

/** Whether a part after the create sets the mark. */
export function isMarkedLater(row: RestType): boolean {
  const property = markedProperty(row);
  return property !== undefined && latePaths(row).includes(property);
}

/** The paths of properties that a create does not take. */
export function latePaths({ parts = [] }: RestType): string[] {
  return parts.flatMap(({ afterCreate, properties }) => (afterCreate === true ? properties : []));
}

/** The start of an update. */
export interface UpdateFrom {
  /** The properties as last applied. */
  before: JsonMap;
  after: JsonMap;
  /** The object as returned, if the row takes anything from it. */
  current?: JsonMap;
  /** The marks that the object has. */
  marks?: readonly string[];
  /** Whether `before` was applied is not known: everything is sent. */
  unsure?: boolean;
}

export interface UpdateBody {
  body: Json;
  /** Absent: plain JSON. */
  contentType?: string;
  change: SentChange;
}

/** The change that an update sends: without properties that have a call of their own (`parts`) or are sent once. */
export function sentChange(row: RestType, from: UpdateFrom): SentChange {
  const { marks = [], unsure = false } = from;
  const whole = row.update === "PUT" || row.update === "POST";
  const never = [
    ...(row.createOnly ?? []),
    ...Object.keys(row.onlyAtCreate ?? {}),
    ...(row.parts ?? []).flatMap(({ properties }) => properties),
    ...(whole ? [] : immutablesLeftOut(row, from)),
  ];
  const fit = (properties: JsonMap): JsonMap =>
    omitted(withMarks(row, sendable(row, properties), marks), never);
  return { before: fit(from.before), after: fit(from.after), unsure };
}

/** An update's body, as the row's `update` says; `undefined` when there is nothing to send. */
export function updateBody(row: RestType, from: UpdateFrom): UpdateBody | undefined {
  const change = sentChange(row, from);
  const { before, after, unsure } = change;
  switch (row.update) {
    case "none":
    case "DIALECT":
      return undefined;
    case "PUT":
    case "POST": {
      if (row.parts !== undefined && !unsure && canonicalJson(before) === canonicalJson(after))
        return undefined;
      const removed = removedFrom(before, after);
      // A create sets what existed before: a property that the template leaves out must not stay open.
      const isFirst = row.singleton !== undefined && Object.keys(from.before).length === 0;
      // Somebody else may have set a property that the template never had.
      const least = Object.entries(row.fallback ?? {}).filter(
        ([key]) => isFirst || removed.includes(key),
      );
      return { body: { ...Object.fromEntries(least), ...after }, change };
    }
    case "PATCH": {
      const sent = unsure ? {} : before;
      const changed = Object.entries(after).filter(([key]) => differs(key, sent, after));
      const removed = removedFrom(before, after).map((key): [string, Json] => [
        key,
        own(row.fallback ?? {}, key) ?? null,
      ]);
      return patchBody(Object.fromEntries([...changed, ...removed]), change);
    }
    case "MERGE": {
      return patchBody(mergePatchOf(change), change, "application/merge-patch+json");
    }
  }
}

/**
 * Immutable properties that are the same: clouds refuse them in patches. One that differs is sent, for the cloud to
 * refuse. In a PATCH, which replaces a top-level property as a whole, nested ones stay, as they do in lists.
 */
function immutablesLeftOut(row: RestType, { before, after }: UpdateFrom): string[] {
  const stays = row.update === "PATCH" ? /[.[]/ : /\[/;
  return (row.immutable ?? []).filter((path) => {
    if (stays.test(path)) return false;
    const [old = null, value = null] = [jsonAt(before, path), jsonAt(after, path)];
    return canonicalJson(old) === canonicalJson(value);
  });
}

function removedFrom(before: JsonMap, after: JsonMap): string[] {
  return Object.keys(before).filter((key) => !Object.hasOwn(after, key));
}

/** True when the two objects differ in the key. */
function differs(key: string, before: JsonMap, after: JsonMap): boolean {
  const had = Object.hasOwn(before, key);
  if (had !== Object.hasOwn(after, key)) return true;
  return had && canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null);
}

/** The merge patch (RFC 7396) for a change: of what differs, or of everything where nobody knows what was applied. */
export function mergePatchOf({ before, after, unsure }: SentChange): JsonMap {
  return unsure ? wholePatch(before, after) : mergePatchBetween(before, after);
}

/** The merge patch that sets all of `after`, and removes what only `before` has. */
function wholePatch(before: JsonMap, after: JsonMap): JsonMap {
  const members = Object.entries(after).map(([key, value]): [string, Json] => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, isJsonMap(old) && isJsonMap(value) ? wholePatch(old, value) : value];
  });
  const removed = removedFrom(before, after).map((key): [string, Json] => [key, null]);
  return Object.fromEntries([...members, ...removed]);
}

function patchBody(
  patch: JsonMap,
  change: SentChange,
  contentType?: string,
): UpdateBody | undefined {
  if (Object.keys(patch).length === 0) return undefined;
  return { body: patch, change, ...(contentType !== undefined && { contentType }) };
}

function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * The outputs of a returned object: without our mark, with `id` if the provider names it differently, and with the
 * path properties that the provider does not return.
 */
export function outputsOf(
  row: RestType,
  object: JsonMap,
  id: string,
  properties: JsonMap,
): JsonMap {
  const placed = pathProperties(row, properties).filter((key) => !Object.hasOwn(object, key));
  return {
    ...(Object.hasOwn(object, "id") ? {} : { id }),
    ...withoutMarks(row, object),
    ...Object.fromEntries(placed.map((key): [string, Json] => [key, properties[key] ?? null])),
  };
}
