/**
 * The properties with which an object's desired properties are compared. A change made outside never silently replaces
 * an object. A property that cannot be changed back in place stays as it is, unless `replaceOnChanges` names it.
 */
import { driftOf, type StoredResource } from "#engine/state/state.ts";
import type { ValueMap } from "#engine/value.ts";
import { applyIgnored, type DiffFacts, type DiffOptions, diffInputs } from "./diff.ts";
import { lastSeenInputs } from "./drift.ts";

export interface ComparedInputs {
  /** The properties as last seen, and as last sent for drift that stays. */
  before: ValueMap;
  /** The immutable paths with drift that stays. */
  keptDrift: readonly string[];
}

export function comparedInputs(
  stored: StoredResource,
  facts: DiffFacts,
  options: DiffOptions,
): ComparedInputs {
  const { inputs } = stored;
  if (driftOf(stored)?.kind !== "changed") return { before: inputs, keptDrift: [] };
  const observed = lastSeenInputs(stored);
  const replacing = (immutable: readonly string[], replaceOnChanges: readonly string[]): string[] =>
    diffInputs(
      observed,
      inputs,
      { ...facts, immutable },
      {
        ignoreChanges: options.ignoreChanges,
        replaceOnChanges,
      },
    )
      .changes.filter(({ replaces }) => replaces)
      .map(({ path }) => path);
  const chosen = new Set(replacing([], options.replaceOnChanges));
  const keptDrift = facts.immutable.filter((fact) =>
    replacing([fact], []).some((path) => !chosen.has(path)),
  );
  return { before: applyIgnored(inputs, observed, keptDrift), keptDrift };
}
