import type { StoredResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { applyIgnored, diffInputs } from "./diff.ts";
import { lastSeenInputs } from "./drift.ts";
import type { Action, PropertyChange } from "./steps.ts";

export interface ChangeDecision {
  action: Exclude<Action, "delete">;
  /** Only if a value that is known after apply turns out to differ. */
  tentative: boolean;
  /** What to send: the resolved properties, with old values where `ignoreChanges` says so. */
  inputs: ValueMap;
  changes: PropertyChange[];
  reason?: string;
}

const noFacts = { immutable: [] };
const noOptions = { ignoreChanges: [], replaceOnChanges: [] };

/**
 * What a resource needs, given the object it has (if any) and its resolved properties. The plan asks with
 * values that may be unknown yet; the run asks again when all are known, and gets the answer that holds.
 */
export function decideChange(
  { type, options }: Pick<ResourceDeclaration, "type" | "options">,
  stored: StoredResource | undefined,
  properties: ValueMap,
  facts: TypeFacts | undefined,
): ChangeDecision {
  const fresh = stored === undefined || stored.type !== type;
  if (fresh) {
    const { changes } = diffInputs(stored?.inputs ?? {}, properties, noFacts, noOptions);
    const decision = { tentative: false, inputs: properties, changes };
    if (stored !== undefined)
      return { ...decision, action: "replace", reason: `type: ${stored.type} to ${type}` };
    if (options.import === undefined) return { ...decision, action: "create" };
    return { ...decision, action: "create", reason: `import ${options.import}` };
  }
  if (stored.drift?.kind === "missing" && !stored.tainted) {
    const { changes } = diffInputs({}, properties, noFacts, noOptions);
    const reason = "gone at the provider";
    return { action: "create", tentative: false, inputs: properties, changes, reason };
  }
  const before = lastSeenInputs(stored);
  const inputs = applyIgnored(before, properties, options.ignoreChanges);
  const { changes, replace, tentative, reason } = diffInputs(
    before,
    inputs,
    facts ?? noFacts,
    options,
  );
  if (stored.tainted)
    return { action: "replace", tentative: false, inputs, changes, reason: "tainted" };
  if (replace)
    return {
      action: "replace",
      tentative,
      inputs,
      changes,
      ...(reason === undefined ? {} : { reason }),
    };
  if (stored.unsure)
    return {
      action: "update",
      tentative: false,
      inputs,
      changes,
      reason: "the last update may not have taken effect",
    };
  return {
    action: changes.length > 0 ? "update" : "unchanged",
    tentative,
    inputs,
    changes,
    ...(changes.length > 0 && stored.drift !== undefined
      ? { reason: "changed at the provider" }
      : {}),
  };
}
