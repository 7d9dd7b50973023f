import { isSet, type Likeness, likenessAt, meaningOf, shownLikeness } from "#engine/likeness.ts";
import { plannedObject } from "#engine/output-types.ts";
import { factPath } from "#engine/path-set.ts";
import { markRepeatedSecrets } from "#engine/secret-strings.ts";
import type { KnownResource } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { asSent, sealAt, valueAt, withValueAt } from "#engine/value-paths.ts";
import {
  hasSealed,
  hasUnknown,
  isMap,
  PartlyKnown,
  reveal,
  Secret,
  unknownOf,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { anyKey, type PathSegment } from "#platform/property-path.ts";
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

/** The value of `${name.…}` for an existing object: its outputs, plus the provider's id when they have no `id`. */
export function storedOutputs(stored: Pick<KnownResource, "id" | "outputs">): ValueMap {
  return Object.hasOwn(stored.outputs, "id")
    ? stored.outputs
    : { ...stored.outputs, id: stored.id };
}

type Facts = Pick<TypeFacts, "writeOnly" | "outputs" | "properties"> &
  Partial<Pick<TypeFacts, "readOnly" | "secretOutputs" | "shownAt" | "caseInsensitive" | "sets">>;

/**
 * The value of `${name.…}` while planning. Assumes that a provider returns the sent properties where the type shows
 * them, except write-only ones. All other outputs of a changing object are unknown, and so is the id of a new object,
 * but their types may be known.
 */
export function plannedOutputs(
  { action, inputs }: Pick<ChangeDecision, "action" | "inputs">,
  stored: Pick<KnownResource, "id" | "outputs"> | undefined,
  facts: Facts | undefined,
  importId: string | undefined,
  secretNames: readonly string[] = [],
): Value {
  if (action === "unchanged" && stored !== undefined) {
    const outputs = sealAt(storedOutputs(stored), facts?.secretOutputs);
    return markSecret(markRepeatedSecrets(outputs, inputs), secretNames);
  }
  const before = action === "update" ? stored : undefined;
  const id = before === undefined ? undefined : storedOutputs(before)["id"];
  const known = shownLater(inputs, before?.outputs, facts);
  const { id: _, ...sent } = known;
  const withId = id ?? (action === "create" ? importId : undefined);
  const outputs = withId === undefined ? sent : { ...sent, id: withId };
  return plannedObject(markSecret(outputs, secretNames), facts, before?.outputs);
}

/** The inputs as the cloud will show them, so far as known. `before`: its form of the earlier ones. */
function shownLater(
  inputs: ValueMap,
  before: ValueMap | undefined,
  facts: Facts | undefined,
): ValueMap {
  if (facts === undefined) return inputs;
  const { shownAt = {} } = facts;
  // Without a list of sets, lists are assumed to keep their order.
  const likeness = shownLikeness({ ...facts, readOnly: [], sets: facts.sets ?? [] });
  const assumed = assume(inputs, asSent(before ?? {}, shownAt), likeness);
  let known: ValueMap = isMap(assumed) ? assumed : {};
  for (const property of Object.keys(shownAt))
    known = withValueAt(known, factPath(property), undefined);
  for (const [property, output] of Object.entries(shownAt)) {
    const value = valueAt(isMap(assumed) ? assumed : {}, factPath(property));
    if (value !== undefined) known = withMember(known, factPath(output), value);
  }
  return known;
}

/** The sent value as it will be shown. A value that the cloud may write in another form is known by its type alone. */
function assume(sent: Value, before: Value | undefined, likeness: Likeness): Value {
  if (sent instanceof Secret) return new Secret(assume(sent.value, before, likeness), sent);
  const last = before instanceof Secret ? before.value : before;
  const isLikeLast = (): boolean =>
    last !== undefined &&
    !hasUnknown(sent) &&
    meaningOf(reveal(sent), likeness) === meaningOf(reveal(last), likeness);
  if (typeof sent === "string" && likeness.caseInsensitive.here)
    return last !== undefined && isLikeLast() ? last : unknownOf("string");
  if (Array.isArray(sent)) {
    if (isSet(likeness)) return last !== undefined && isLikeLast() ? last : unknownOf("array");
    const items = Array.isArray(last) ? last : [];
    return sent.map((item, at) => assume(item, items[at], likenessAt(likeness, at)));
  }
  if (!isMap(sent)) return sent;
  const members = isMap(last) ? last : {};
  return Object.fromEntries(
    Object.entries(sent).flatMap(([key, item]): [string, Value][] => {
      const below = likenessAt(likeness, key);
      return below.hidden.here ? [] : [[key, assume(item, own(members, key), below)]];
    }),
  );
}

/** Adds a value at the path of an output. The cloud shows further members beside it. */
function withMember(
  values: ValueMap,
  [segment, ...rest]: readonly PathSegment[],
  value: Value,
): ValueMap {
  if (segment === undefined || segment === anyKey || rest.includes(anyKey)) return values;
  const key = String(segment);
  if (rest.length === 0) return { ...values, [key]: value };
  const before = own(values, key);
  const inside = before instanceof PartlyKnown ? before.known : isMap(before) ? before : {};
  return { ...values, [key]: new PartlyKnown(withMember(inside, rest, value)) };
}
