/**
 * The present cloud values of properties that a template ignores. An update must not reset them to the values last
 * sent.
 */
import type { KnownResource } from "#engine/state/state.ts";
import { asSent, sealAt, valueAt, withValueAt } from "#engine/value-paths.ts";
import { isMap, type ValueMap } from "#engine/value.ts";
import { anyKey, parsePropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { applyIgnored } from "./diff.ts";
import { findDrift } from "./drift.ts";

/**
 * `values`, with the object's present values at the paths of `ignoreChanges`. A value that the object still shows in
 * its earlier form keeps the form in which it was sent. `stored`: the object as last applied.
 */
export function ignoredAsShown(
  values: ValueMap,
  { inputs, outputs }: Pick<KnownResource, "inputs" | "outputs">,
  shown: ValueMap,
  { ignoreChanges, ...facts }: Partial<TypeFacts> & { ignoreChanges: readonly string[] },
): ValueMap {
  if (ignoreChanges.length === 0) return values;
  const drift = findDrift({ inputs, outputs }, shown, { ...facts, ignoreChanges: [] });
  const observed = drift?.kind === "changed" ? drift.observed : inputs;
  const now = asSent(sealAt(shown, facts.secretOutputs), facts.shownAt);
  const all = ignoreChanges.reduce((known, text) => withAdded(known, now, text), observed);
  return applyIgnored(all, values, ignoreChanges);
}

/** Adds a member that was added to a map outside, if the path names it. */
function withAdded(known: ValueMap, now: ValueMap, text: string): ValueMap {
  const path = parsePropertyPath(text) ?? [];
  const isNamed = path.length > 1 && !path.includes(anyKey);
  if (!isNamed || valueAt(known, path) !== undefined) return known;
  if (!isMap(valueAt(known, path.slice(0, -1)))) return known;
  return withValueAt(known, path, valueAt(now, path));
}
