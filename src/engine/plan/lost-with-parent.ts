/** Objects that a cloud deletes together with the object that contains them. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { valueAt } from "#engine/value-paths.ts";
import { isMap, reveal, Secret, type Value } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { DesiredResource } from "./plan-steps.ts";

/**
 * The resource whose replacement takes the stored object with it: it is deleted first, and contains the object. Any of
 * its outputs may name it as the container, so a name that stays the same after the replacement counts too.
 */
export function lostWithParent(
  stored: StoredResource,
  facts: Pick<TypeFacts, "location" | "refers" | "caseInsensitive"> | undefined,
  dependencies: readonly DesiredResource[],
): DesiredResource | undefined {
  return dependencies.find(
    (parent) =>
      parent.decision.action === "replace" &&
      parent.deleteFirst &&
      parent.stored !== undefined &&
      !parent.retainOnDelete &&
      !parent.stored.retainOnDelete &&
      isIn(stored, facts, parent.stored),
  );
}

function isIn(
  { inputs }: StoredResource,
  facts: Pick<TypeFacts, "location" | "refers" | "caseInsensitive"> | undefined,
  parent: StoredResource,
): boolean {
  if (parent.state === "lost") return false;
  return (facts?.location ?? []).some((path) => {
    const place = textOf(valueAt(inputs, factPath(path)));
    if (place === undefined) return false;
    // The id of a contained object may begin with the container's id.
    const anyCase = facts?.caseInsensitive?.includes(path) === true;
    const folded = (text: string): string => (anyCase ? text.toLowerCase() : text);
    if (`${folded(place)}/`.startsWith(`${folded(parent.id)}/`)) return true;
    const named = facts?.refers?.[path] === parent.type.split(":").slice(1).join(":");
    return named && textsOf(parent.outputs).includes(place);
  });
}

function textsOf(outputs: Value): string[] {
  if (!isMap(outputs)) return [];
  return Object.values(outputs).flatMap((value) => textOf(value) ?? []);
}

function textOf(value: Value | undefined): string | undefined {
  const plain = value instanceof Secret ? value.value : value;
  if (plain === undefined || isMap(plain) || Array.isArray(plain)) return undefined;
  const text = reveal(plain);
  return typeof text === "string" || typeof text === "number" ? String(text) : undefined;
}
