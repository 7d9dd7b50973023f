/** What two of DigitalOcean's types need of creates and updates. */
import { omitted } from "#platform/at-path.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

export interface DigitalOceanType extends RestType {
  /**
   * An update sends the object as DigitalOcean shows it, with what changes. `fallback` is then what it has at least,
   * where neither the template nor the object has it.
   */
  mergesCurrent?: true;
  /** What every create sends. */
  fixed?: JsonMap;
  /** Properties that a call leaves out where it sends another, by that one: what it says for both. */
  without?: Readonly<Record<string, readonly string[]>>;
}

export type DigitalOceanRows = Readonly<Record<string, DigitalOceanType>>;

/** The row for an object with these properties. */
export function rowInUse(row: DigitalOceanType, _: JsonMap, properties: JsonMap): RestType {
  const unsent = Object.entries(row.without ?? {}).flatMap(([name, others]) =>
    Object.hasOwn(properties, name) && properties[name] !== null ? others : [],
  );
  return unsent.length === 0 ? row : { ...row, unsent: [...(row.unsent ?? []), ...unsent] };
}

export function readsFirst(verb: "update" | "delete", row: DigitalOceanType): boolean {
  return verb === "update" && row.mergesCurrent === true;
}

export function prepareRequest(
  request: RequestSpec,
  { verb, row, change, current }: ChangeRequest & { row: DigitalOceanType },
): RequestSpec {
  if (verb === "create" && row.fixed !== undefined && isJsonMap(request.body))
    return { ...request, body: { ...row.fixed, ...request.body } };
  if (row.mergesCurrent !== true || change === undefined) return request;
  const { before, after } = change;
  const { fallback = {} } = row;
  const isGone = (key: string): boolean =>
    Object.hasOwn(before, key) && !Object.hasOwn(after, key) && !Object.hasOwn(fallback, key);
  const shown = omitted(current ?? {}, [...(row.readOnly ?? []), ...(row.createOnly ?? [])]);
  const kept = Object.entries(shown).filter(([key]) => !isGone(key));
  return { ...request, body: { ...fallback, ...Object.fromEntries(kept), ...after } };
}
