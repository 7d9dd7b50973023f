/** An object after an update, by the content type of the update's body. */
import { applyPatch, type Operation } from "rfc6902";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import type { Description } from "./description.ts";
import type { Refusal } from "./rules.ts";
import { flat } from "./sample.ts";
import { textOf } from "./text-of.ts";

export const MERGE_PATCH = "application/merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";

export interface Update {
  method: string;
  contentType: string;
  body: Json;
}

/** The top-level properties that an update sets, with their whole new values, and the ones that it removes. */
export interface Patched {
  set: JsonMap;
  removed: readonly string[];
}

/** The content type without its parameters. */
export function contentTypeOf(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

/** `schemas`: those of the shown properties. `updatable`: the properties that a PUT removes if it leaves them out. */
export function patched(
  shown: JsonMap,
  { method, contentType, body }: Update,
  of: {
    description: Description;
    schemas: Readonly<Record<string, JsonMap>>;
    updatable: readonly string[];
    merges: boolean;
  },
): Patched | Refusal {
  if (contentType === JSON_PATCH) return byOperations(shown, body, of);
  const sent = isJsonMap(body) ? body : {};
  if (contentType === MERGE_PATCH || (of.merges && method === "PATCH"))
    return between(shown, mergePatch(shown, sent));
  const removed = method === "PUT" ? of.updatable.filter((name) => !Object.hasOwn(sent, name)) : [];
  return { set: sent, removed };
}

function between(before: JsonMap, after: JsonMap): Patched {
  const text = (map: JsonMap, name: string): string =>
    Object.hasOwn(map, name) ? canonicalJson(map[name] ?? null) : "";
  const set = Object.entries(after).filter(([name]) => text(before, name) !== text(after, name));
  return {
    set: Object.fromEntries(set),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  };
}

/** All operations take effect, or none. */
function byOperations(
  shown: JsonMap,
  body: Json,
  {
    description,
    schemas,
  }: { description: Description; schemas: Readonly<Record<string, JsonMap>> },
): Patched | Refusal {
  const operations = Array.isArray(body) ? body : [];
  for (const operation of operations) {
    const path = isJsonMap(operation) ? operation["path"] : undefined;
    if (typeof path !== "string" || !isDescribed(description, schemas, path))
      return refused(`there is no property ${textOf(path)}`);
  }
  const after = structuredClone(shown);
  const failed = applyPatch(after, operations as unknown as Operation[]).find(
    (one) => one !== null,
  );
  return failed === undefined ? between(shown, after) : refused(failed.message || failed.name);
}

/** Whether a JSON Pointer leads to something that the schemas know. */
function isDescribed(
  description: Description,
  schemas: Readonly<Record<string, JsonMap>>,
  pointer: string,
): boolean {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  let schema: JsonMap = { type: "object", properties: { ...schemas } };
  for (const part of parts) {
    const { properties, additionalProperties, items } = flat(description, schema);
    const next: Json | undefined = isJsonMap(properties) ? properties[part] : undefined;
    if (next !== undefined) schema = description.resolve(next);
    else if (isJsonMap(additionalProperties)) schema = description.resolve(additionalProperties);
    else if (/^(\d+|-)$/.test(part) && items !== undefined) schema = description.resolve(items);
    else return properties === undefined && items === undefined;
  }
  return parts.length > 0;
}

function refused(message: string): Refusal {
  return { status: 422, code: "invalid_patch", message };
}
