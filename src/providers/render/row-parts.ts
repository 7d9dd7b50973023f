import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ItemQuestion, RequestSpec } from "#providers/rest/definition.ts";
import type { DueItem, RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

export type RenderRows = Readonly<Record<string, RenderType>>;

/** A call for these properties: it sends those that are set, and nothing unsets the others. */
export function patchOf(path: string, ...properties: readonly string[]): RestPart {
  return { properties, method: "PATCH", path, body: nested(properties), absent: "keep" };
}

/** `serviceDetails.plan` as `{ serviceDetails: { plan: "{serviceDetails.plan}" } }`. */
function nested(paths: readonly string[]): JsonMap {
  const body: Record<string, Json> = {};
  for (const path of paths) {
    const [first = "", second] = path.split(".");
    body[first] =
      second === undefined
        ? `{${path}}`
        : Object.assign({}, body[first], { [second]: `{${path}}` });
  }
  return body;
}

/** An object moves to another environment, never out of all. */
export const environmentPart: RestPart = {
  properties: ["environmentId"],
  method: "POST",
  path: "/v1/environments/{environmentId}/resources",
  body: { resourceIds: ["{id}"] },
  absent: "keep",
};

export interface RenderType extends RestType {
  /** Items of a list are `{ cursor, <kind>: { … } }`. */
  listedAs?: string;
  /** The path of the call that puts a stored update into effect. */
  effect?: string;
}

export function listedAs(kind: string): Pick<RenderType, "listedAs"> {
  return { listedAs: kind };
}

/** The objects of a list without their cursors. */
export function listed(json: Json | undefined, row: RenderType): Json | undefined {
  return Array.isArray(json) ? json.map((item) => valueAt(item, row.listedAs) ?? null) : undefined;
}

export function effectOf({ effect }: RenderType): RequestSpec | undefined {
  return effect === undefined ? undefined : { method: "POST", path: effect, body: {} };
}

/** The calls for each variable of `envVars`. The others keep their values, also values that Render made. */
export function variableParts(owner: string): RestPart[] {
  const of = { properties: ["envVars"], key: "key", path: `${owner}/env-vars/{key}` };
  const body = { value: "{item.value}", generateValue: "{item.generateValue}" };
  return [
    { ...of, each: "added", method: "PUT", body },
    { ...of, each: "removed", method: "DELETE" },
  ];
}

/** Render makes a value once. An existing variable keeps its value, unless the template had another for it. */
export function beforeItem({ part, item, others }: DueItem): ItemQuestion | undefined {
  if (part.each !== "added" || !isJsonMap(item) || item["generateValue"] !== true) return undefined;
  const old = others.find((one) => isJsonMap(one) && one["key"] === item["key"]);
  if (old !== undefined && canonicalJson(old) !== canonicalJson(item)) return undefined;
  return { request: { method: "GET", path: part.path }, told: () => "done", gone: "due" };
}

/** The calls for each secret file: a file that somebody else added stays. */
export function fileParts(owner: string): RestPart[] {
  const of = { properties: ["secretFiles"], key: "name", path: `${owner}/secret-files/{name}` };
  return [
    { ...of, each: "added", method: "PUT", body: { content: "{item.content}" } },
    { ...of, each: "removed", method: "DELETE" },
  ];
}
