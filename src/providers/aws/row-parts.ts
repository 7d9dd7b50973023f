/** What the rows of many types say alike. */
import type { RestType } from "#providers/rest/rest-type.ts";
import { HOURS } from "./hours.ts";

/** The key of the tag by which the object of a lost create is found. */
const MARK = "control:create";

/** A type of Cloud Control. */
export function controlled() {
  return {
    path: "/",
    update: "JSON_PATCH",
    idempotency: { field: "ClientToken", lifeMs: 36 * HOURS },
    listLagMs: 60_000,
  } as const satisfies RestType;
}

/** Tags in a list of keys and values. `at`: the only identifier that the object can have. */
export function marked(property = "Tags", at?: string) {
  return {
    find: { by: "label", property, key: MARK, listed: true, ...(at === undefined ? {} : { at }) },
  } as const satisfies Partial<RestType>;
}

/** Tags as a map. */
export function markedByMap(property = "Tags", at?: string) {
  return {
    find: { by: "label", property, key: MARK, ...(at === undefined ? {} : { at }) },
  } as const satisfies Partial<RestType>;
}

/** AWS shows no tags of it, and others in the account can choose its name. */
export function namedAlone(at?: string) {
  return {
    find: { by: "name", whole: true, ...(at === undefined ? {} : { at }) },
  } as const satisfies Partial<RestType>;
}

/** A type of which there is no row: what the catalogue knows, AWS decides. */
export function described(): RestType {
  return { ...controlled(), hidesUnknown: true };
}
