/** What a provider keeps of an object after its delete. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { valueAt } from "#engine/value-paths.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** A sentence about what stays; undefined: nothing does, or the object itself does (`retainOnDelete`). */
export function leftBehind(
  object: StoredResource,
  facts: Pick<TypeFacts, "leaves"> | undefined,
): string | undefined {
  const { says, unless = [] } = facts?.leaves ?? {};
  if (says === undefined || object.retainOnDelete) return undefined;
  const isSet = (path: string): boolean => {
    const value = valueAt(object.inputs, factPath(path));
    return value !== undefined && value !== null && value !== "";
  };
  return unless.some(isSet) ? undefined : says;
}
