/** The properties of an update, before and after it. */
import { comparedInputs } from "#engine/plan/compared-inputs.ts";
import { ignoredAsShown } from "#engine/plan/ignored-as-shown.ts";
import type { ValueMap } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Provider } from "#providers/provider.ts";
import type { Update } from "./decide-step.ts";

/** The properties before an update. A property that it cannot change back has the value last sent. */
export function startOfUpdate({ declaration, type, stored }: Update, provider: Provider): ValueMap {
  const facts = provider.facts(type) ?? { immutable: [] };
  return comparedInputs(stored, facts, declaration.options).before;
}

/** The values, with ignored properties as `shown` by a read; undefined: the object was not read. */
export function withIgnored(
  values: ValueMap,
  { stored, declaration, type }: Update,
  shown: JsonMap | undefined,
  provider: Provider,
): ValueMap {
  if (shown === undefined) return values;
  const { ignoreChanges } = declaration.options;
  return ignoredAsShown(values, stored, shown, { ...provider.facts(type), ignoreChanges });
}
