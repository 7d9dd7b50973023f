import type { Json } from "#platform/json.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

/** Every answer wraps its object under the type's name, and lists under its plural. */
export function envelope(one: string, many = `${one}s`): Pick<RestType, "envelope"> {
  return { envelope: { create: one, read: one, update: one, list: many } };
}

/** Where a database lists its replicas. */
export const REPLICAS = "database.read_replicas";

/** The objects in the answer to a list. A database without replicas may leave the list out. */
export function listed(json: Json | undefined, { envelope: at }: RestType): Json | undefined {
  const shown = valueAt(json, at?.list);
  const isLeftOut = at?.list === REPLICAS && valueAt(json, "database.id") !== undefined;
  return shown ?? (isLeftOut ? [] : undefined);
}

/** A collection, listed by the most that a page can have. */
export function paged(path: string): Pick<RestType, "path" | "paths"> {
  return { path, paths: { list: `${path}?per_page=500` } };
}

export const inRegion = {
  region: { property: "region" },
  defaults: { region: { region: true } },
} as const satisfies Partial<RestType>;

/** By these properties and the time of the create. */
export function since(...properties: readonly string[]): Pick<RestType, "find"> {
  return { find: { by: "properties", properties, createdAt: "date_created" } };
}

/** The attachment to a machine. A create takes none, and the object leaves one machine before it joins the next. */
export function attachedBy(
  property: string,
  path: string,
  options: { live?: true } = {},
): Required<Pick<RestType, "parts">> {
  const left: RestPart = {
    properties: [property],
    each: "removed",
    beforeDelete: true,
    method: "POST",
    path: `${path}/{id}/detach`,
    ...(options.live && { body: options }),
  };
  const joined: RestPart = {
    properties: [property],
    each: "added",
    afterCreate: true,
    method: "POST",
    path: `${path}/{id}/attach`,
    body: { instance_id: "{item}", ...options },
  };
  return { parts: [left, joined] };
}

export interface VultrType extends RestType {
  /** An object is not usable while it shows all values of one of these, by their paths. */
  waits?: readonly Readonly<Record<string, Json>>[];
}

export type VultrRows = Readonly<Record<string, VultrType>>;

/** The values that an object shows which is not usable yet. */
export function waitsFor(
  shown: Json | undefined,
  { waits }: VultrType,
): Readonly<Record<string, Json>> | undefined {
  return waits?.find((values) =>
    Object.entries(values).every(([path, value]) => valueAt(shown, path) === value),
  );
}
