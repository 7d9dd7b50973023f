import { driftOf, type LostResource, type StoredResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { isSameType } from "#providers/type-name.ts";
import { comparedInputs } from "./compared-inputs.ts";
import { applyIgnored, diffInputs } from "./diff.ts";
import { factsFor, ignoredPaths } from "./one-way-changes.ts";
import type { Action, PropertyChange } from "./steps.ts";

export interface ChangeDecision {
  action: Exclude<Action, "delete">;
  /** The action applies only if a value that becomes known after apply differs. */
  tentative: boolean;
  /** The properties to send: the resolved values, or the old ones under `ignoreChanges`. */
  inputs: ValueMap;
  changes: PropertyChange[];
  reason?: string;
  /** Immutable paths that were changed outside and stay as they are. */
  keptDrift?: readonly string[];
}

/** The part of a resource that a decision needs. */
export interface Changeable {
  type: string;
  options: Pick<ResourceDeclaration["options"], "ignoreChanges" | "replaceOnChanges" | "import">;
}

const noFacts: Pick<TypeFacts, "immutable"> = { immutable: [] };
const noOptions = { ignoreChanges: [], replaceOnChanges: [] };

/**
 * The action that a resource needs, given its stored object (if any) and its resolved properties. The plan decides with
 * values that may still be unknown. The run decides again once all are known, and that decision is final.
 */
export function decideChange(
  { type, options }: Changeable,
  stored: StoredResource | undefined,
  properties: ValueMap,
  facts: TypeFacts | undefined,
): ChangeDecision {
  const fresh = stored === undefined || !isSameType(stored.type, type);
  if (fresh) {
    const { changes } = diffInputs(stored?.inputs ?? {}, properties, noFacts, noOptions);
    const decision = { tentative: false, inputs: properties, changes };
    if (stored !== undefined)
      return { ...decision, action: "replace", reason: `type: ${stored.type} to ${type}` };
    if (options.import === undefined) return { ...decision, action: "create" };
    return { ...decision, action: "create", reason: `import ${options.import}` };
  }
  if (stored.state !== "tainted" && driftOf(stored)?.kind === "missing") {
    const { changes } = diffInputs({}, properties, noFacts, noOptions);
    const reason = "missing at the provider";
    return { action: "create", tentative: false, inputs: properties, changes, reason };
  }
  if (stored.state === "lost" && options.import !== undefined) {
    const { changes } = diffInputs({}, properties, noFacts, noOptions);
    const reason = `import ${options.import}`;
    return { action: "create", tentative: false, inputs: properties, changes, reason };
  }
  const asked = { ...options, ignoreChanges: ignoredPaths(options, facts) };
  const known = factsFor(stored, properties, facts) ?? noFacts;
  const { before, keptDrift } = comparedInputs(stored, known, asked);
  const inputs = applyIgnored(before, properties, asked.ignoreChanges);
  const { changes, replace, tentative, reason } = diffInputs(before, inputs, known, asked);
  const certain = { tentative: false, inputs, changes };
  if (stored.state === "lost")
    return isLookedFor(stored, { changed: changes.length > 0, replace })
      ? {
          ...certain,
          action: "update",
          reason: "its create was never answered: looked for first, and kept if it exists",
        }
      : {
          ...certain,
          action: "replace",
          reason: "its create was never answered, and other properties are wanted",
        };
  if (stored.state === "tainted") return { ...certain, action: "replace", reason: "tainted" };
  if (replace)
    return {
      action: "replace",
      tentative,
      inputs,
      changes,
      ...(reason === undefined ? {} : { reason }),
    };
  if (stored.state === "unready" || stored.state === "deleting")
    return {
      ...certain,
      action: "update",
      reason: "its create or delete was not seen to end: read first, and kept if it is usable",
    };
  // An object of a type without updates cannot have been left half updated.
  if (stored.state === "unsure" && !known.immutable.includes("*"))
    return {
      ...certain,
      action: "update",
      reason: "the last update may not have taken effect",
    };
  const seen = [
    ...(keptDrift.length > 0 ? [keptReason(keptDrift)] : []),
    ...(keptDrift.length === 0 && changes.length > 0 && stored.drift !== undefined
      ? ["changed at the provider"]
      : []),
    ...(options.import === undefined || options.import === stored.id
      ? []
      : [`it has the object ${stored.id}: \`import: ${options.import}\` has no effect`]),
  ].join("; ");
  return {
    action: changes.length > 0 ? "update" : "unchanged",
    tentative,
    inputs,
    changes,
    ...(seen === "" ? {} : { reason: seen }),
    ...(keptDrift.length === 0 ? {} : { keptDrift }),
  };
}

function keptReason(paths: readonly string[]): string {
  const names = paths.join(", ");
  return `changed at the provider: ${names}, which cannot be changed back in place and stays; name it in \`ignoreChanges\` to accept that, or in \`replaceOnChanges\` to replace the object`;
}

/**
 * Whether an object whose create was never answered is looked for and kept, instead of replaced. It is kept if a new
 * create would send the same properties. Otherwise it is replaced, since a cloud may refuse the old ones for ever. It
 * is not replaced if its delete would leave it at the provider, where no run would look for it again.
 */
function isLookedFor(
  { sealedInputs, retainOnDelete }: LostResource,
  { changed, replace }: { changed: boolean; replace: boolean },
): boolean {
  return retainOnDelete ? sealedInputs !== undefined || !replace : !changed;
}
