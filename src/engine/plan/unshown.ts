/**
 * Properties that a cloud still shows with their earlier values after an update. A cloud may write values in its own
 * form. But then it shows that form, or has shown the earlier value in another form too. So a value that is still
 * exactly the earlier one has not been changed.
 */
import { type Likeness, likenessAt, shownLikeness } from "#engine/likeness.ts";
import { own } from "#engine/template/own.ts";
import { asSent, sealAt } from "#engine/value-paths.ts";
import { isMap, Secret, secretLike, type Value, type ValueMap } from "#engine/value.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { alike, isShownAs } from "./drift.ts";

export interface Unshown {
  /** The paths of the properties. */
  paths: string[];
  /** The properties as sent, with the earlier values that are still shown; secrets marked. */
  observed: ValueMap;
}

type Rules = Pick<
  TypeFacts,
  "writeOnly" | "readOnly" | "secretOutputs" | "shownAt" | "caseInsensitive" | "sets"
>;

/** `before`: the properties as last seen before the update. Undefined: no earlier value is shown. */
export function findUnshown(
  before: ValueMap,
  sent: ValueMap,
  shown: ValueMap,
  rules: Partial<Rules>,
): Unshown | undefined {
  const paths: string[] = [];
  const now = asSent(sealAt(shown, rules.secretOutputs), rules.shownAt);
  const walk = (
    at: readonly string[],
    [old, wanted, seen]: readonly [Value | undefined, Value, Value | undefined],
    likeness: Likeness,
  ): Value => {
    if (old === undefined || seen === undefined || likeness.hidden.here) return wanted;
    const [was, is, shows] = [old, wanted, seen].map(plain);
    if (isMap(was) && isMap(is) && isMap(shows)) {
      const members = Object.entries(is).map(([key, value]): [string, Value] => [
        key,
        walk([...at, key], [own(was, key), value, own(shows, key)], likenessAt(likeness, key)),
      ]);
      const kept = Object.fromEntries(members);
      return alike(kept, is, likeness) ? wanted : secretLike(kept, old, wanted, seen);
    }
    if (isShownAs(wanted, seen, likeness) || !isShownAs(old, seen, likeness)) return wanted;
    paths.push(formatPropertyPath(at));
    return secretLike(plain(seen), old, wanted, seen);
  };
  const likeness = shownLikeness(rules);
  const members = Object.entries(sent).map(([key, value]): [string, Value] => [
    key,
    walk([key], [own(before, key), value, own(now, key)], likenessAt(likeness, key)),
  ]);
  return paths.length === 0 ? undefined : { paths, observed: Object.fromEntries(members) };
}

function plain(value: Value): Value {
  return value instanceof Secret ? plain(value.value) : value;
}
