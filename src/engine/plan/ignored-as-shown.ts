/** What a template ignores, as it is at the cloud: an update must not set it back to what was sent last. */
import type { KnownResource } from "#engine/state/state.ts";
import { asSent, sealAt, valueAt, withValueAt } from "#engine/value-paths.ts";
import { isMap, type ValueMap } from "#engine/value.ts";
import { anyKey, parsePropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { applyIgnored } from "./diff.ts";
import { findDrift } from "./drift.ts";

/**
 * `values`, with what the object shows now at the paths of `ignoreChanges`. What it shows in the form in which it showed
 * the last ones keeps the form in which these were sent. `stored`: the object as last applied.
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

/** With a member that somebody added to a map, if the path names it. */
function withAdded(known: ValueMap, now: ValueMap, text: string): ValueMap {
  const path = parsePropertyPath(text) ?? [];
  const isNamed = path.length > 1 && !path.includes(anyKey);
  if (!isNamed || valueAt(known, path) !== undefined) return known;
  if (!isMap(valueAt(known, path.slice(0, -1)))) return known;
  return withValueAt(known, path, valueAt(now, path));
}
