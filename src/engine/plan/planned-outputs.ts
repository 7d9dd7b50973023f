import { outputTypes } from "#engine/output-types.ts";
import { markRepeatedSecrets } from "#engine/secret-strings.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { hasSealed, PartlyKnown, Secret, type Value, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { ChangeDecision } from "./decide-change.ts";

/** Marks the named outputs (`additionalSecretOutputs`) as secrets of the template itself. */
export function markSecret(outputs: ValueMap, names: readonly string[]): ValueMap {
  if (names.length === 0) return outputs;
  return Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [
      key,
      names.includes(key) && !(value instanceof Secret)
        ? new Secret(value, { sealed: hasSealed(value) })
        : value,
    ]),
  );
}

/** What `${name.…}` reads of an existing object: its outputs, plus the provider's id when they have no `id`. */
export function storedOutputs(stored: Pick<StoredResource, "id" | "outputs">): ValueMap {
  return Object.hasOwn(stored.outputs, "id")
    ? stored.outputs
    : { ...stored.outputs, id: stored.id };
}

/**
 * What `${name.…}` reads while planning. Assumes that a provider returns what it was sent, except write-only
 * properties. All other outputs of a changing object are unknown, and so is the id of a new object, but their types
 * may be known.
 */
export function plannedOutputs(
  { action, inputs }: Pick<ChangeDecision, "action" | "inputs">,
  stored: Pick<StoredResource, "id" | "outputs"> | undefined,
  facts: Pick<TypeFacts, "writeOnly" | "outputs" | "properties"> | undefined,
  importId: string | undefined,
  secretNames: readonly string[] = [],
): Value {
  if (action === "unchanged" && stored !== undefined)
    return markSecret(markRepeatedSecrets(storedOutputs(stored), inputs), secretNames);
  const id =
    action === "update" && stored !== undefined
      ? storedOutputs(stored)["id"]
      : action === "create"
        ? importId
        : undefined;
  const hidden = new Set(["id", ...(facts?.writeOnly ?? [])]);
  const known = Object.fromEntries(Object.entries(inputs).filter(([key]) => !hidden.has(key)));
  const later = outputTypes(facts, action === "update" ? stored?.outputs : undefined);
  return new PartlyKnown(
    markSecret(id === undefined ? known : { ...known, id }, secretNames),
    later,
  );
}
