/** Derives the change of an object's state from an outcome. Pure; the runner writes it with the journal entry. */
import { factPath } from "#engine/path-set.ts";
import { changedOutside } from "#engine/plan/changed-outside.ts";
import { applyIgnored } from "#engine/plan/diff.ts";
import { findDrift, sameDrift } from "#engine/plan/drift.ts";
import { markSecret } from "#engine/plan/planned-outputs.ts";
import type { Step } from "#engine/plan/steps.ts";
import { findUnshown, type Unshown } from "#engine/plan/unshown.ts";
import { markRepeatedSecrets } from "#engine/secret-strings.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { asSent, sealAt, valueAt, withValueAt } from "#engine/value-paths.ts";
import { hasSealed, secretLike, type ValueMap } from "#engine/value.ts";
import { sealFound } from "#orchestrator/program/seal-found.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Provider, TypeFacts } from "#providers/provider.ts";
import type { DueCall } from "./decide-step.ts";
import { startOfUpdate, withIgnored } from "./update-inputs.ts";

/** `replaced`: the replaced object, which becomes a pending delete. */
export type StateChange =
  | { put: StoredResource; replaced?: StoredResource }
  | { forget: StoredResource }
  | undefined;

export function afterDone(
  step: Step,
  decision: DueCall,
  objectName: string,
  { id, outputs }: { id: string; outputs: JsonMap },
  provider: Provider,
): StateChange {
  const { stored, declaration } = decision;
  const facts = provider.facts(decision.type);
  if (decision.settles === true && stored !== undefined) {
    const { unready: _, ...resource } = stored;
    const { outputs: marked } = madeResource(decision, stored.objectName, id, outputs, facts);
    // What no update can change, none has left half changed.
    const isUpdatable = facts?.immutable.includes("*") !== true;
    const unsure = isUpdatable && (stored.unsure || facts?.createdInParts === true);
    return { put: { ...resource, unsure, outputs: marked } };
  }
  if (decision.verb === "read" && stored !== undefined)
    return driftChange(decision, outputs, provider);
  if (step.kind === "delete") {
    return stored === undefined || decision.lostToken !== undefined
      ? undefined
      : { forget: stored };
  }
  if (declaration === undefined) return undefined;
  if (decision.lostToken !== undefined) {
    // Found as it was sent, so that it may still use its old dependencies.
    const found = madeResource(decision, objectName, id, outputs, facts);
    const dependsOn = [...new Set([...(stored?.dependsOn ?? []), ...found.dependsOn])];
    return { put: { ...found, dependsOn } };
  }
  if (decision.verb === "read")
    return { put: importedResource(decision, objectName, { id, outputs }, facts) };
  const updates = decision.verb === "update";
  const inputs = updates
    ? withIgnored(decision.inputs, decision, outputs, provider)
    : decision.inputs;
  const made = madeResource(
    { ...decision, inputs },
    stored !== undefined && id === stored.id ? stored.objectName : objectName,
    id,
    outputs,
    facts,
  );
  const replaces = stored !== undefined && stored.id !== id;
  const observed = updates ? observedAfter(decision, inputs, outputs, provider) : undefined;
  if (observed !== undefined) return { put: { ...made, drift: { kind: "changed", observed } } };
  return replaces ? { put: made, replaced: stored } : { put: made };
}

/** The properties as observed right after an update, where they are not as sent; undefined: they are. */
function observedAfter(
  decision: DueCall,
  inputs: ValueMap,
  outputs: JsonMap,
  provider: Provider,
): ValueMap | undefined {
  const { stored, declaration, type } = decision;
  const unshown = unshownBy(decision, outputs, provider)?.observed;
  if (stored === undefined) return unshown;
  const start = { ...stored, before: startOfUpdate(decision, stored, provider) };
  const { ignoreChanges = [] } = declaration?.options ?? {};
  const rules = { ...provider.facts(type), ignoreChanges };
  return changedOutside(start, unshown ?? inputs, outputs, rules) ?? unshown;
}

/** What the object of an update shows as it was before; undefined: nothing. */
export function unshownBy(
  decision: DueCall,
  outputs: JsonMap,
  provider: Provider,
): Unshown | undefined {
  const { type, stored, inputs } = decision;
  if (stored === undefined) return undefined;
  const before = startOfUpdate(decision, stored, provider);
  return findUnshown(before, inputs, outputs, provider.facts(type) ?? {});
}

/** The change of an object's drift after a read; undefined: the drift is the same. */
export function driftChange(
  { type, stored, declaration }: DueCall,
  shown: JsonMap | "gone",
  provider: Provider,
): StateChange {
  if (stored === undefined) return undefined;
  const { drift: previous, ...resource } = stored;
  const drift = findDrift(stored, shown, {
    ...provider.facts(type),
    ignoreChanges: declaration?.options.ignoreChanges ?? [],
  });
  if (sameDrift(previous, drift)) return undefined;
  return { put: drift === undefined ? resource : { ...resource, drift } };
}

function importedResource(
  decision: DueCall,
  objectName: string,
  { id, outputs }: { id: string; outputs: JsonMap },
  facts: TypeFacts | undefined,
): StoredResource {
  const found = sealFound(outputs, { id, inputs: decision.inputs, facts });
  const inputs = inputsAsFound(decision, asSent(found, facts?.shownAt));
  return madeResource({ ...decision, inputs }, objectName, id, found, facts);
}

/** The inputs of an imported object. Ignored properties keep its values; else the next update would revert them. */
function inputsAsFound({ inputs, declaration }: DueCall, found: ValueMap): ValueMap {
  const known = Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [key, own(found, key) ?? value]),
  );
  const kept = applyIgnored(known, inputs, declaration?.options.ignoreChanges ?? []);
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => {
      const sent = own(inputs, key);
      return [key, sent === undefined ? value : secretLike(value, sent)];
    }),
  );
}

export function madeResource(
  { resource, type, inputs, declaration, dependsOn, stored }: DueCall,
  objectName: string,
  id: string,
  outputs: ValueMap,
  facts: Pick<TypeFacts, "secretOutputs" | "shownOnce"> | undefined,
): StoredResource {
  const kept = stored?.id === id ? stored.outputs : {};
  return {
    name: resource,
    type,
    id,
    objectName,
    inputs,
    outputs: markSecrets(withKept(outputs, kept, facts?.shownOnce), {
      inputs,
      more: declaration?.options.additionalSecretOutputs ?? [],
      ofCloud: facts?.secretOutputs,
      stored,
    }),
    dependsOn,
    protect: declaration?.options.protect ?? false,
    retainOnDelete: declaration?.options.retainOnDelete ?? false,
    deleteSeconds: declaration?.options.customTimeouts.deleteSeconds ?? null,
    tainted: false,
    unsure: false,
    ...namesOf(stored),
  };
}

/** The outputs, with those that were shown before and are not any more. */
function withKept(outputs: ValueMap, before: ValueMap, paths: readonly string[] = []): ValueMap {
  return paths.reduce((all, text) => {
    const path = factPath(text);
    const shown = valueAt(all, path);
    const known = valueAt(before, path);
    const isShown = shown !== undefined && shown !== null && shown !== "";
    return isShown || known === undefined ? all : withValueAt(all, path, known);
  }, outputs);
}

/** What the state keeps of an object's names when the object changes or is replaced. */
export function namesOf(
  stored: StoredResource | undefined,
): Pick<StoredResource, "formerNames" | "settledAliases"> {
  return {
    ...(stored?.formerNames === undefined ? {} : { formerNames: stored.formerNames }),
    ...(stored?.settledAliases === undefined ? {} : { settledAliases: stored.settledAliases }),
  };
}

/**
 * Marks outputs as secret: those in `more`, the secrets of the cloud, those that repeat a secret input, and those that
 * repeat a secret of the object as it was, since a cloud may keep a property that is no longer sent.
 */
function markSecrets(
  outputs: ValueMap,
  {
    inputs,
    more,
    ofCloud,
    stored,
  }: {
    inputs: ValueMap;
    more: readonly string[];
    ofCloud: TypeFacts["secretOutputs"];
    stored: StoredResource | undefined;
  },
): ValueMap {
  const former = stored === undefined ? [] : [stored.inputs, stored.outputs];
  const echoed = Object.fromEntries(
    Object.entries(sealAt(outputs, ofCloud)).map(([key, value]) => {
      const sent = own(inputs, key);
      if (sent !== undefined) return [key, secretLike(value, sent)];
      const kept = former.map((values) => own(values, key) ?? null);
      return [key, secretLike(value, ...kept.filter(hasSealed))];
    }),
  );
  return markRepeatedSecrets(markSecret(echoed, more), inputs, echoed, ...former);
}
