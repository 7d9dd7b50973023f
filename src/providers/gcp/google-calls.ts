/**
 * Calls as Google takes them: a merge patch is plain JSON, some services want the changed paths in a mask, and some
 * the fingerprint that the object showed last.
 */
import { changedAt, jsonAt } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec, SentChange } from "#providers/rest/definition.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import type { GcpType } from "./gcp-row.ts";

type GcpChange = ChangeRequest & { row: GcpType };

export function prepareRequest(request: RequestSpec, change: GcpChange): RequestSpec {
  if (change.verb === "create") return { ...request, body: createBody(request.body ?? {}, change) };
  if (change.verb === "delete") return { ...request, path: deletePath(request.path, change) };
  if (change.verb !== "update" || change.row.update !== "MERGE") return request;
  const { headers: _, ...plain } = request;
  return change.row.mask === undefined ? carrying(plain, change) : masked(plain, change);
}

function deletePath(path: string, { row: { deletedBy }, current = {} }: GcpChange): string {
  const shown = deletedBy === undefined ? undefined : current[deletedBy];
  return typeof shown === "string"
    ? path.replace(`{${deletedBy}}`, () => encodeURIComponent(shown))
    : path;
}

/** The object under the name that the call has for it, with what the call takes beside it. */
function createBody(
  body: Json,
  { row: { bodyKey, besideBody = {} }, properties }: GcpChange,
): Json {
  if (bodyKey === undefined) return body;
  const beside = Object.entries(besideBody).flatMap(([key, property]) =>
    Object.hasOwn(properties, property) ? [[key, properties[property] ?? null]] : [],
  );
  return { ...Object.fromEntries(beside), [bodyKey]: body };
}

/** The request with the fields that are sent back as the cloud last showed them. */
function carrying(request: RequestSpec, { row, current = {} }: GcpChange): RequestSpec {
  let body = isJsonMap(request.body) ? request.body : {};
  for (const path of row.carried ?? []) {
    const value = jsonAt(current, path);
    if (value !== undefined) body = changedAt(body, path, () => value);
  }
  const query = Object.entries(row.carriedQuery ?? {}).flatMap(([name, path]) => {
    const value = jsonAt(current, path);
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
  });
  return { ...request, body, query: Object.fromEntries(query) as Record<string, string> };
}

function masked(request: RequestSpec, { row, change }: GcpChange): RequestSpec {
  if (change === undefined) return request;
  const mask = maskOf(row, change);
  let body: JsonMap = {};
  for (const path of mask) {
    const value = jsonAt(change.after, path);
    if (value !== undefined) body = changedAt(body, path, () => value);
  }
  const updateMask = mask.join(",");
  return row.mask === "query" || row.mask === undefined
    ? { ...request, body, query: { updateMask } }
    : { ...request, body: { [row.mask.beside]: body, updateMask } };
}

/** Maps of a user's own keys, which a mask names as a whole. */
const labelMaps: ReadonlySet<string> = new Set(["labels", "annotations"]);
const maskable = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The paths that an update changes, down to values, lists and maps of a user's own keys. */
function maskOf(row: GcpType, { before, after, unsure }: SentChange): string[] {
  const paths: string[] = [];
  const visit = (path: string, old: Json | undefined, value: Json | undefined): void => {
    if (!unsure && old !== undefined && value !== undefined)
      if (canonicalJson(old) === canonicalJson(value)) return;
    const keys = [old, value].flatMap((one) => (isJsonMap(one) ? Object.keys(one) : []));
    const asWhole =
      !isJsonMap(value) ||
      (old !== undefined && !isJsonMap(old)) ||
      Object.keys(value).length === 0 ||
      keys.some((key) => !maskable.test(key)) ||
      labelMaps.has(path.split(".").at(-1) ?? "") ||
      (row.find?.by === "label" && row.find.property === path);
    if (asWhole) {
      paths.push(path);
      return;
    }
    for (const key of new Set(keys))
      visit(`${path}.${key}`, isJsonMap(old) ? own(old, key) : undefined, own(value, key));
  };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    visit(key, own(before, key), own(after, key));
  return paths;
}

function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Google compares the fingerprint with the object as it is, or deletes it by a name that it shows. */
export function readsFirst(verb: "update" | "delete", row: GcpType): boolean {
  return verb === "delete"
    ? row.deletedBy !== undefined
    : row.carried !== undefined || row.carriedQuery !== undefined;
}

/** Google takes a merge patch without a mask as plain JSON, and says so of every call for such an object. */
export function headersOf({ update, mask }: GcpType): Readonly<Record<string, string>> {
  return update === "MERGE" && mask === undefined ? { "content-type": "application/json" } : {};
}

/** Google leaves out a list that is empty. */
export function listed(json: Json | undefined, { envelope }: GcpType): Json | undefined {
  const list = valueAt(json, envelope?.list);
  return list === undefined && isJsonMap(json) ? [] : list;
}
