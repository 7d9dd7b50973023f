/** What a provider keeps of an object after its delete. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { valueAt } from "#engine/value-paths.ts";
import { Secret, type Value } from "#engine/value.ts";
import type { Json } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { ResourceChange } from "./steps.ts";

const MAX_SAID = 20;

/** A sentence about what stays; undefined: nothing does, or the object itself does (`retainOnDelete`). */
export function leftBehind(
  object: StoredResource,
  facts: Pick<TypeFacts, "leaves"> | undefined,
): string | undefined {
  const { says, unless = [] } = facts?.leaves ?? {};
  if (says === undefined || object.retainOnDelete) return undefined;
  const leavesNothing = unless.some((settings) =>
    Object.entries(settings).every(([path, values]) => holds(object.inputs, path, values)),
  );
  return leavesNothing ? undefined : says;
}

/** What stays of a plan's objects, a sentence each for the first 20. */
export function saysWhatStays(changes: readonly ResourceChange[]): string[] {
  const left = changes.filter(({ leaves }) => leaves !== undefined);
  const rest = left.length - MAX_SAID;
  return [
    ...left
      .slice(0, MAX_SAID)
      .map(({ resource, leaves }) => `After the delete of ${resource}: ${leaves}`),
    ...(rest > 0 ? [`More stays of ${rest} others: see the plan.`] : []),
  ];
}

/** Whether one of the values is at the path, for `[*]` in all items of the list. */
function holds(inputs: Value, path: string, values: true | readonly Json[]): boolean {
  const [list = "", rest] = path.split("[*].");
  const at = plain(valueAt(inputs, factPath(list)));
  if (rest === undefined) return isOne(at, values);
  const items = Array.isArray(at) ? at : [];
  return items.every((item) => isOne(plain(valueAt(item, factPath(rest))), values));
}

function isOne(value: Value | undefined, values: true | readonly Json[]): boolean {
  if (values !== true) return values.some((one) => one === value);
  return value !== undefined && value !== null && value !== "";
}

function plain(value: Value | undefined): Value | undefined {
  return value instanceof Secret ? value.value : value;
}
