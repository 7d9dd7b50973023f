import type { Json, JsonMap } from "#platform/json.ts";

/** Properties with a call of their own: a resize, a firewall's rules. */
export type RestPart = WholePart | FlagPart | ItemPart;

interface AnyPart {
  /** Paths of the properties. */
  properties: readonly string[];
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** With placeholders, as the row's paths. */
  path: string;
  /**
   * The body; default: the properties, or none for an item. `"{size}"` alone is the property's value, of any type;
   * `{id}` is the object's, as text, and `"{#id}"` alone as a number. Such a placeholder in place of a map is the whole
   * body: a list.
   */
  body?: JsonMap | string;
  /** A create does not take the properties: the call is made once the new object is usable. */
  afterCreate?: true;
}

/** One call for all of the properties. */
export interface WholePart extends AnyPart {
  /**
   * When none of the properties is set any more: the body that unsets them, or `keep`, if nothing can and the cloud's
   * value stays. With `keep`, one of several that is not set is left out. Default: null for each, `[]` for a list.
   */
  absent?: "keep" | JsonMap;
  /** Members of the body, at its top level, as the cloud last showed them: paths in the object, by their names. */
  carried?: Readonly<Record<string, string>>;
  when?: never;
  each?: never;
  beforeDelete?: never;
}

/** A call for one value of the one flag in `properties`, which is false when it is not set. */
export interface FlagPart extends AnyPart {
  when: boolean;
  /** Where the flag is shown: by an item in a list. */
  shownIn?: { list: string; item: string };
  absent?: never;
  carried?: never;
  each?: never;
  beforeDelete?: never;
}

/**
 * One call for each item that was added to, or removed from, the one list in `properties`; `{item}` is it. A property
 * with one value counts as a list of it.
 */
export interface ItemPart extends AnyPart {
  each: "added" | "removed";
  /** The path of `{item}` in an item that is an object. */
  itemAt?: string;
  /** With `each: "removed"`: a delete removes every shown item first. */
  beforeDelete?: true;
  /**
   * The member that tells items apart which are maps: another value of the others is a change of the same item. The
   * item's members fill placeholders.
   */
  key?: string;
  absent?: never;
  carried?: never;
  when?: never;
}

/** An item for which a call is due. */
export interface DueItem {
  part: ItemPart;
  item: Json;
  /** The list that lacks it: the one before for an added item, the wanted one for a removed item. */
  others: readonly Json[];
}
