import type { TypeFacts } from "#providers/provider.ts";
import type { ChangeDecision } from "./decide-change.ts";
import type { StoredResource } from "./state.ts";
import { Partly, type Value, type ValueMap } from "./value.ts";

/** What `${name.…}` reads of an object that exists: its outputs, and the provider's id where they show none. */
export function storedOutputs(stored: Pick<StoredResource, "id" | "outputs">): ValueMap {
  return Object.hasOwn(stored.outputs, "id")
    ? stored.outputs
    : { ...stored.outputs, id: stored.id };
}

/**
 * What `${name.…}` reads while planning. A provider is taken to show what it was sent, save write-only
 * properties; everything else of an object that changes is unknown, and of a new object its id too.
 */
export function plannedOutputs(
  { action, inputs }: Pick<ChangeDecision, "action" | "inputs">,
  stored: Pick<StoredResource, "id" | "outputs"> | undefined,
  facts: Pick<TypeFacts, "writeOnly"> | undefined,
  importId: string | undefined,
): Value {
  if (action === "unchanged" && stored !== undefined) return storedOutputs(stored);
  const id =
    action === "update" && stored !== undefined
      ? storedOutputs(stored)["id"]
      : action === "create"
        ? importId
        : undefined;
  const hidden = new Set(["id", ...(facts?.writeOnly ?? [])]);
  const known = Object.fromEntries(Object.entries(inputs).filter(([key]) => !hidden.has(key)));
  return new Partly(id === undefined ? known : { ...known, id });
}
