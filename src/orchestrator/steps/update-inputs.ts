/** The properties of an update, before and after it. */
import { comparedInputs } from "#engine/plan/compared-inputs.ts";
import { ignoredAsShown } from "#engine/plan/ignored-as-shown.ts";
import type { StoredResource } from "#engine/state/state.ts";
import type { ValueMap } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Provider } from "#providers/provider.ts";
import type { DueCall } from "./decide-step.ts";

/** What an update starts from: what it cannot change back counts as it was sent. */
export function startOfUpdate(
  { declaration, type }: DueCall,
  stored: StoredResource,
  provider: Provider,
): ValueMap {
  const options = declaration?.options ?? { ignoreChanges: [], replaceOnChanges: [] };
  return comparedInputs(stored, provider.facts(type) ?? { immutable: [] }, options).before;
}

/** The values with what the template ignores as the object is `shown`; undefined: it was not read. */
export function withIgnored(
  values: ValueMap,
  { stored, declaration, type }: DueCall,
  shown: JsonMap | undefined,
  provider: Provider,
): ValueMap {
  if (stored === undefined || shown === undefined) return values;
  const { ignoreChanges = [] } = declaration?.options ?? {};
  return ignoredAsShown(values, stored, shown, { ...provider.facts(type), ignoreChanges });
}
