import type { StoredResource } from "#engine/state/state.ts";
import { isWithin } from "#engine/template/levels/address.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { isSameType } from "#providers/type-name.ts";

export interface Removal {
  /** As `writeOut` gives them. */
  leftOut: ReadonlySet<string>;
  /** The object is deleted before the creates. */
  early: boolean;
  /** The resources of the template that have no object yet, by address. */
  arriving: ReadonlyMap<string, Pick<ResourceDeclaration, "type" | "options">>;
}

/** The reason that a plan gives for deleting an object whose resource left the template. */
export function whyRemoved(
  object: Pick<StoredResource, "name" | "type">,
  { leftOut, early, arriving }: Removal,
): string {
  const renamed = perhapsRenamed(object, arriving);
  return [
    isWithin(object.name, leftOut) ? "its condition is false" : "no longer in the template",
    ...(renamed === undefined ? [] : [renamed]),
    ...(early ? ["deleted before the creates, because what it depends on is deleted first"] : []),
  ].join("; ");
}

/** A note for a misspelt alias: a new resource of the object's type has one, and no object had that name. */
function perhapsRenamed(
  { type }: Pick<StoredResource, "type">,
  arriving: Removal["arriving"],
): string | undefined {
  for (const [name, { type: other, options }] of arriving) {
    const [alias] = options.aliases;
    if (alias !== undefined && isSameType(other, type))
      return `${name} is created, because no object has its alias ${alias}`;
  }
  return undefined;
}
