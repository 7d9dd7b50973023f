/**
 * What somebody changed outside before an update that was about something else. Its answer shows that change as if the
 * update had made it: it would count as the cloud's own form of what was sent, and nobody would ever be told.
 */
import { type Likeness, likenessAt, shownLikeness } from "#engine/likeness.ts";
import type { KnownResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { isMap, type ValueMap } from "#engine/value.ts";
import { alike, type DriftRules, findDrift } from "./drift.ts";

/**
 * The properties as observed: `sent`, with the values shown now where the update changed nothing and the object shows
 * neither what was sent nor what it showed before. Undefined: there are none. `before`: what the update started from;
 * `outputs`: what the object showed last; `drift`: what was known to be otherwise.
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

/** The part of what was sent that is as it was before. */
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

/** `values`, with what was observed of the part that was kept. */
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
