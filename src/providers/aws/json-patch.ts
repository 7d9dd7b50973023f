import { changedAt, jsonAt, omitted, placesIn } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import { mergePatchOf } from "#providers/rest/changes/body.ts";
import { patchOperations } from "#providers/rest/changes/patch-operations.ts";
import type { SentChange } from "#providers/rest/definition.ts";
import type { AwsType } from "./row-parts.ts";

/**
 * The operations (RFC 6902) that change the object as it is now, so that a repetition finds nothing left to do. A list
 * is replaced as a whole, because the cloud may show it in another order. What is sent but never shown is added again,
 * since a cloud that works on what it shows would lose it; in a list, with the whole list.
 */
export function jsonPatch(
  change: SentChange,
  { row, current }: { row: AwsType; current: JsonMap },
): Json[] | undefined {
  const { after } = change;
  const shown = omitted(current, row.writeOnly ?? []);
  let wanted = mergePatch(shown, mergePatchOf(change));
  const unshown = row.hidesUnknown === true ? leavesNotIn(after, current) : [];
  for (const path of [...(row.writeOnly ?? []), ...unshown]) {
    if (placesIn(after, path).length === 0) continue;
    // An item of a list cannot be told from others.
    const place = path.split(/\[[*0-9]/)[0] ?? path;
    const value = jsonAt(after, place);
    if (value !== undefined) wanted = changedAt(wanted, place, () => value);
  }
  const operations = patchOperations(shown, wanted);
  return operations.length === 0 ? undefined : operations;
}

/** The paths of values and lists that another map lacks. */
function leavesNotIn(map: JsonMap, other: Json | undefined, at: readonly string[] = []): string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const there = isJsonMap(other) && Object.hasOwn(other, key) ? other[key] : undefined;
    if (isJsonMap(value) && Object.keys(value).length > 0)
      return leavesNotIn(value, there, [...at, key]);
    return there === undefined ? [formatPropertyPath([...at, key])] : [];
  });
}
