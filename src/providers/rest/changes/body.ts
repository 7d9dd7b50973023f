/** The bodies of requests, and the outputs of the objects that are answered. */
// By their files: the package's own entry, which is CommonJS, brings the half that applies patches.
import { diffAny, type Operation } from "rfc6902/diff.js";
import { Pointer } from "rfc6902/pointer.js";
import { changedAt, jsonAt, omitted, placesIn } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mergePatch, mergePatchBetween } from "#platform/merge-patch.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { SentChange } from "#providers/rest/hooks.ts";
import { pathProperties, type RestType } from "#providers/rest/rest-type.ts";
import { markOf, withMarks, withoutMarks } from "./mark.ts";
import { tokenUuid } from "./token-uuid.ts";

/** A create's token in the form that the cloud takes: the same for every repetition. */
export function tokenOf(row: RestType, token: string): string {
  return row.idempotency?.format === "uuid" ? tokenUuid(token) : token;
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

/** The properties without those that only fill the path, and without what only the cloud sets. */
function sendable(row: RestType, properties: JsonMap): JsonMap {
  const placed = pathProperties(row, properties).filter((name) => name !== row.nameProperty);
  const unsent = [...placed, ...(row.unsent ?? [])];
  return omitted(without(properties, unsent), row.readOnly ?? []);
}

/** A create's body: all properties except those only used in the path, plus the row's mark or token. */
export function createBody(row: RestType, properties: JsonMap, token: string): JsonMap {
  const mark = markOf(row, token);
  let fields = omitted(sendable(row, properties), latePaths(row));
  if (mark !== undefined) fields = withMarks(row, fields, [mark]);
  if (row.idempotency && "field" in row.idempotency)
    fields = { ...fields, [row.idempotency.field]: tokenOf(row, token) };
  return fields;
}

/** The paths of what a create does not take. */
export function latePaths({ parts = [] }: RestType): string[] {
  return parts.flatMap(({ afterCreate, properties }) => (afterCreate === true ? properties : []));
}

/** What an update starts from. */
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

/**
 * An update's body, as the row's `update` says, without what has a call of its own (`parts`); `undefined` when there is
 * nothing to send.
 */
export function updateBody(row: RestType, from: UpdateFrom): UpdateBody | undefined {
  const { current = {}, marks = [], unsure = false } = from;
  const whole = row.update === "PUT" || row.update === "POST";
  const never = [
    ...(row.createOnly ?? []),
    ...Object.keys(row.onlyAtCreate ?? {}),
    ...(row.parts ?? []).flatMap(({ properties }) => properties),
    ...(whole ? [] : immutablesLeftOut(row, from)),
  ];
  const fit = (properties: JsonMap): JsonMap =>
    omitted(withMarks(row, sendable(row, properties), marks), never);
  const [before, after] = [fit(from.before), fit(from.after)];
  const change: SentChange = { before, after, unsure };
  switch (row.update) {
    case "none":
      return undefined;
    case "PUT":
    case "POST": {
      if (row.parts !== undefined && !unsure && canonicalJson(before) === canonicalJson(after))
        return undefined;
      const removed = removedFrom(before, after);
      // What was there before a create sets it: what the template leaves out does not stay open.
      const isFirst = row.singleton !== undefined && Object.keys(from.before).length === 0;
      // What the template never set may have been set by somebody else.
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
      const patch = unsure ? wholePatch(before, after) : mergePatchBetween(before, after);
      return patchBody(patch, change, "application/merge-patch+json");
    }
    case "JSON_PATCH": {
      const operations = operationsBetween(row, before, after, current, unsure);
      if (operations.length === 0) return undefined;
      return { body: operations, contentType: "application/json-patch+json", change };
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
 * The operations (RFC 6902) that change the object as it is now, so that a repetition finds nothing left to do. A list
 * is replaced as a whole, because the cloud may show it in another order. What is sent but never shown is added again,
 * since a cloud that works on what it shows would lose it; in a list, with the whole list.
 */
function operationsBetween(
  row: RestType,
  before: JsonMap,
  after: JsonMap,
  current: JsonMap,
  unsure: boolean,
): Json[] {
  const patch = unsure ? wholePatch(before, after) : mergePatchBetween(before, after);
  const shown = omitted(current, row.writeOnly ?? []);
  let wanted = mergePatch(shown, patch);
  const unshown = row.hidesUnknown === true ? leavesNotIn(after, current) : [];
  for (const path of [...(row.writeOnly ?? []), ...unshown]) {
    if (placesIn(after, path).length === 0) continue;
    // An item of a list cannot be told from others.
    const place = path.split(/\[[*0-9]/)[0] ?? path;
    const value = jsonAt(after, place);
    if (value !== undefined) wanted = changedAt(wanted, place, () => value);
  }
  return differences(shown, wanted, new Pointer()).map((operation) => ({ ...operation }));
}

/** The operations that make `b` of `a`; a list is replaced as a whole. */
function differences(a: unknown, b: unknown, pointer: Pointer): Operation[] {
  if (!Array.isArray(a) || !Array.isArray(b)) return diffAny(a, b, pointer, differences);
  if (canonicalJson(a as Json) === canonicalJson(b as Json)) return [];
  return [{ op: "replace", path: pointer.toString(), value: b as Json }];
}

/** The paths of values and lists that another map lacks. */
function leavesNotIn(map: JsonMap, other: Json | undefined, at: readonly string[] = []): string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const there = isJsonMap(other) ? own(other, key) : undefined;
    if (isJsonMap(value) && Object.keys(value).length > 0)
      return leavesNotIn(value, there, [...at, key]);
    return there === undefined ? [formatPropertyPath([...at, key])] : [];
  });
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
