/**
 * Changes made outside before an update of other properties. The update's answer shows them as if the update had made
 * them. They would then count as the cloud's own form of the sent values, and no check would report them.
 */
import { type Likeness, likenessAt, shownLikeness } from "#engine/likeness.ts";
import type { KnownResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { isMap, type ValueMap } from "#engine/value.ts";
import { alike, type DriftRules, findDrift } from "./drift.ts";

/**
 * The observed properties: `sent`, with the present values of properties that the update did not change and that show
 * neither the sent nor the earlier value. Undefined: there are none. `before`: the start of the update; `outputs`: the
 * object as last shown; `drift`: its known drift.
 */
export function changedOutside(
  {
    before,
    outputs,
    drift: known,
  }: Pick<KnownResource, "outputs" | "drift"> & { before: ValueMap },
  sent: ValueMap,
  shown: ValueMap,
  rules: DriftRules,
): ValueMap | undefined {
  const kept = keptIn(before, sent, shownLikeness(rules));
  const stored = { inputs: kept, outputs, ...(known === undefined ? {} : { drift: known }) };
  const drift = findDrift(stored, shown, rules);
  return drift?.kind === "changed" ? withObserved(sent, kept, drift.observed) : undefined;
}

/** The part of the sent properties that is as before. */
function keptIn(before: ValueMap, sent: ValueMap, likeness: Likeness): ValueMap {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([key, value]) => {
      const old = own(before, key);
      const below = likenessAt(likeness, key);
      if (old === undefined) return [];
      if (alike(old, value, below)) return [[key, value]];
      return isMap(old) && isMap(value) ? [[key, keptIn(old, value, below)]] : [];
    }),
  );
}

/** `values`, with the observed values of the kept part. */
function withObserved(values: ValueMap, kept: ValueMap, observed: ValueMap): ValueMap {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const [part, real] = [own(kept, key), own(observed, key)];
      if (part === undefined) return [[key, value]];
      if (real === undefined) return [];
      const isPart = isMap(value) && isMap(part) && isMap(real);
      return [[key, isPart ? withObserved(value, part, real) : real]];
    }),
  );
}
