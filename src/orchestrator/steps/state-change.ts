/** Derives the change of an object's state from an outcome. Pure; the runner writes it with the journal entry. */
import { factPath } from "#engine/path-set.ts";
import { changedOutside } from "#engine/plan/changed-outside.ts";
import { applyIgnored } from "#engine/plan/diff.ts";
import { findDrift, sameDrift } from "#engine/plan/drift.ts";
import { markSecret } from "#engine/plan/planned-outputs.ts";
import { findUnshown, type Unshown } from "#engine/plan/unshown.ts";
import { markRepeatedSecrets } from "#engine/secret-strings.ts";
import { knownObject, type KnownResource, type StoredResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { asSent, sealAt, valueAt, withValueAt } from "#engine/value-paths.ts";
import { hasSealed, secretLike, type ValueMap } from "#engine/value.ts";
import { sealFound } from "#orchestrator/program/seal-found.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Provider, TypeFacts } from "#providers/provider.ts";
import {
  type Check,
  type Confirm,
  type Create,
  type Delete,
  type DueCall,
  type Find,
  type Import,
  type Await,
  storedOf,
  type Update,
} from "./decide-step.ts";
import { startOfUpdate, withIgnored } from "./update-inputs.ts";

/** `replaced`: the replaced object, which becomes a pending delete. */
export type StateChange =
  | { put: StoredResource; replaced?: StoredResource }
  | { forget: StoredResource }
  | undefined;

/** The object as the provider returned it. */
export interface Shown {
  id: string;
  outputs: JsonMap;
}

export function afterCreate(
  due: Create,
  objectName: string,
  { id, outputs }: Shown,
  provider: Provider,
): StateChange {
  const { stored } = due;
  const isSame = knownObject(stored)?.id === id;
  const name = isSame && stored !== undefined ? stored.objectName : objectName;
  const put = madeResource(due, name, id, outputs, provider.facts(due.type));
  return stored === undefined || isSame ? { put } : { put, replaced: stored };
}

/**
 * A lost object that was found for an apply; undefined: the search was for a delete. The object has the properties last
 * sent, and may still use its old dependencies.
 */
export function afterFind(
  due: Find,
  objectName: string,
  { id, outputs }: Shown,
  provider: Provider,
): KnownResource | undefined {
  // A delete needs only the id.
  if (due.declaration === undefined) return undefined;
  const found = madeResource(due, objectName, id, outputs, provider.facts(due.type));
  return { ...found, dependsOn: union(due.stored.dependsOn, found.dependsOn) };
}

export function afterUpdate(
  due: Update,
  objectName: string,
  { id, outputs }: Shown,
  provider: Provider,
): StateChange {
  const { stored } = due;
  const inputs = withIgnored(due.inputs, due, outputs, provider);
  const isSame = stored.id === id;
  const made = madeResource(
    { ...due, inputs },
    isSame ? stored.objectName : objectName,
    id,
    outputs,
    provider.facts(due.type),
  );
  const observed = observedAfter(due, inputs, outputs, provider);
  if (observed !== undefined) return { put: { ...made, drift: { kind: "changed", observed } } };
  return isSame ? { put: made } : { put: made, replaced: stored };
}

/** The state after an awaited object became usable. */
export function afterReady(due: Await, { id, outputs }: Shown, provider: Provider): StateChange {
  const { stored } = due;
  const facts = provider.facts(due.type);
  const { outputs: marked } = madeResource(due, stored.objectName, id, outputs, facts);
  // A type without updates has no half updated objects.
  const isUpdatable = facts?.immutable.includes("*") !== true;
  const isUnsure = stored.state === "deleting" || facts?.createdInParts === true;
  const state = isUpdatable && isUnsure ? "unsure" : "ready";
  return { put: { ...stored, state, outputs: marked } };
}

export function afterImport(
  due: Import,
  objectName: string,
  shown: Shown,
  provider: Provider,
): StateChange {
  return { put: importedResource(due, objectName, shown, provider.facts(due.type)) };
}

/** Old and new dependencies together: the object may use either, and deletes must respect both. */
export function union(before: readonly string[], after: readonly string[]): string[] {
  return [...new Set([...before, ...after])];
}

/** The properties observed right after an update, if they differ from those sent; undefined: they do not. */
function observedAfter(
  due: Update,
  inputs: ValueMap,
  outputs: JsonMap,
  provider: Provider,
): ValueMap | undefined {
  const { stored, declaration, type } = due;
  const unshown = unshownBy(due, outputs, provider)?.observed;
  const start = { ...stored, before: startOfUpdate(due, provider) };
  const { ignoreChanges } = declaration.options;
  const rules = { ...provider.facts(type), ignoreChanges };
  return changedOutside(start, unshown ?? inputs, outputs, rules) ?? unshown;
}

/** The parts of an updated object that still show their earlier values; undefined: none. */
export function unshownBy(due: Update, outputs: JsonMap, provider: Provider): Unshown | undefined {
  const before = startOfUpdate(due, provider);
  return findUnshown(before, due.inputs, outputs, provider.facts(due.type) ?? {});
}

/** The change of an object's drift after a read; undefined: the drift is the same. */
export function driftChange(
  { type, stored, declaration }: Check | Confirm,
  shown: JsonMap | "gone",
  provider: Provider,
): StateChange {
  const { drift: previous, ...resource } = stored;
  const drift = findDrift(stored, shown, {
    ...provider.facts(type),
    ignoreChanges: declaration?.options.ignoreChanges ?? [],
  });
  if (sameDrift(previous, drift)) return undefined;
  return { put: drift === undefined ? resource : { ...resource, drift } };
}

function importedResource(
  due: Import,
  objectName: string,
  { id, outputs }: Shown,
  facts: TypeFacts | undefined,
): KnownResource {
  const found = sealFound(outputs, { id, inputs: due.inputs, facts });
  const inputs = inputsAsFound(due, asSent(found, facts?.shownAt));
  return madeResource({ ...due, inputs }, objectName, id, found, facts);
}

/** The inputs of an imported object. Ignored properties keep its values, so the next update does not revert them. */
function inputsAsFound({ inputs, declaration }: Import, found: ValueMap): ValueMap {
  const known = Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [key, own(found, key) ?? value]),
  );
  const kept = applyIgnored(known, inputs, declaration.options.ignoreChanges);
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => {
      const sent = own(inputs, key);
      return [key, sent === undefined ? value : secretLike(value, sent)];
    }),
  );
}

/** The object of a successful create, update or import. */
export function madeResource(
  due: Exclude<DueCall, Check | Delete>,
  objectName: string,
  id: string,
  outputs: ValueMap,
  facts: Pick<TypeFacts, "secretOutputs" | "shownOnce"> | undefined,
): KnownResource {
  const { resource, type, inputs, declaration, dependsOn } = due;
  const stored = storedOf(due);
  const known = knownObject(stored);
  const kept = known?.id === id ? known.outputs : {};
  return {
    name: resource,
    type,
    objectName,
    state: "ready",
    id,
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
    ...namesOf(stored),
  };
}

/** The outputs, together with earlier ones that the cloud no longer shows. */
function withKept(outputs: ValueMap, before: ValueMap, paths: readonly string[] = []): ValueMap {
  return paths.reduce((all, text) => {
    const path = factPath(text);
    const shown = valueAt(all, path);
    const known = valueAt(before, path);
    const isShown = shown !== undefined && shown !== null && shown !== "";
    return isShown || known === undefined ? all : withValueAt(all, path, known);
  }, outputs);
}

/** The part of an object's names that stays in the state when the object changes or is replaced. */
export function namesOf(
  stored: StoredResource | undefined,
): Pick<StoredResource, "formerNames" | "spentAliases"> {
  return {
    ...(stored?.formerNames === undefined ? {} : { formerNames: stored.formerNames }),
    ...(stored?.spentAliases === undefined ? {} : { spentAliases: stored.spentAliases }),
  };
}

/**
 * Marks outputs as secret: those in `more`, the type's secret outputs, and those that repeat a secret input or an
 * earlier secret of the object. A cloud may keep a property that is no longer sent.
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
  const former =
    stored === undefined
      ? []
      : [stored.inputs, ...(stored.state === "lost" ? [] : [stored.outputs])];
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
