/** Replacements of objects whose names are unique at the cloud. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasUnknown, reveal, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { DesiredResource } from "./plan-steps.ts";

/**
 * Whether the replacement would get the name that the old object has, which the cloud gives to one at a time. A name
 * that the template leaves to the engine is another for each object.
 */
export function keepsUniqueName(
  stored: StoredResource | undefined,
  inputs: ValueMap,
  facts: Pick<TypeFacts, "uniqueName"> | undefined,
): boolean {
  if (stored === undefined || facts?.uniqueName === undefined) return false;
  const path = factPath(facts.uniqueName);
  const [before, after] = [valueAt(stored.inputs, path), valueAt(inputs, path)];
  if (before === undefined || after === undefined || hasUnknown(after)) return false;
  const [old, wanted] = [reveal(before), reveal(after)];
  if (typeof old !== "string" || typeof wanted !== "string") return old === wanted;
  return old.toLowerCase() === wanted.toLowerCase();
}

/**
 * Throws `ResolveError` when the replaced object cannot be deleted before its replacement is created, because an object
 * that stays uses it. `users`: the resources that depend on it; `refersOf`: the types that a type's properties name.
 */
export function requireNotHeld(
  { name, stored }: DesiredResource,
  { place }: Pick<ResourceDeclaration, "place">,
  uniqueName: string,
  users: readonly DesiredResource[],
  refersOf: (type: string) => readonly string[],
): void {
  // An object that was never usable is used by nobody.
  if (stored === undefined || stored.tainted) return;
  const shortType = stored.type.split(":").slice(1).join(":");
  const holder = users.find(
    (user) =>
      user.stored !== undefined &&
      (user.decision.action === "update" || user.decision.action === "unchanged") &&
      refersOf(user.type).includes(shortType),
  );
  if (holder === undefined) return;
  throw new ResolveError(
    "name_in_use",
    `${name} has to be replaced, and its replacement cannot have the same \`${uniqueName}\` while the old object exists. The old object cannot be deleted first, because ${holder.name} uses it. Leave \`${uniqueName}\` of ${name} out of the template, so that every object gets a name of its own, or change it: the new object is then created first, ${holder.name} is changed to it, and the old one is deleted.`,
    place,
  );
}
