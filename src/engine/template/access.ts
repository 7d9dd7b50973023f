import { kindOf } from "#engine/kind-of.ts";
import { isMap, mayBe, PartlyKnown, Secret, Unknown, unknown, type Value } from "#engine/value.ts";
import { own } from "./own.ts";
import { formatReference } from "./references.ts";
import { didYouMean, quoted } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import type { Reference } from "./template.ts";

/**
 * The part of a value at a reference's path. Parts of a secret are secret; parts of an unknown value are unknown.
 * Throws `ResolveError` when a known value, or any value of an unknown one's type, has no such part. The sent values of
 * a planned object may come back with more members and items, or with an object instead of its name. A missing part of
 * them is unknown. `hintForLoop`: if the root is a loop, with a key of it where one is known.
 */
export function access(
  start: Value,
  { root, path, place }: Reference,
  suggest: (name: string, candidates: readonly string[]) => string | undefined,
  hintForLoop?: (key: string | undefined) => string,
): Value {
  let value = start;
  let marks: Secret | undefined;
  let mayGrow = false;
  for (const [depth, segment] of path.entries()) {
    if (value instanceof Secret) {
      marks = new Secret(null, { sealed: value.sealed || marks?.sealed === true });
      value = value.value;
    }
    const fail = (problem: string, hint?: string): never => {
      const parent = formatReference(root, path.slice(0, depth));
      throw new ResolveError("path_not_found", `${parent} ${problem}`, place, hint);
    };
    const [key] = isMap(value) ? Object.keys(value) : [];
    const loopHint = depth === 0 ? hintForLoop?.(key) : undefined;
    let part: Value | undefined;
    if (value instanceof Unknown) {
      if (!mayBe(value, ["object", "array"]))
        return fail(`is ${kindOf(value)} and has no members.`);
      if (typeof segment === "string" && !mayBe(value, ["object"]))
        return fail(...noMember(segment));
      if (typeof segment === "number" && !mayBe(value, ["array"]))
        return fail(...noItem(segment, loopHint));
      part = unknown;
    } else if (value instanceof PartlyKnown) {
      if (typeof segment === "number") return fail(...noItem(segment));
      mayGrow = true;
      const known = own(value.known, segment);
      part = known === undefined ? (own(value.later, segment) ?? unknown) : known;
    } else if (Array.isArray(value)) {
      if (typeof segment === "string") return fail(...noMember(segment));
      part = value[segment];
      if (part === undefined && mayGrow) part = unknown;
      if (part === undefined) return fail(`has no item ${segment}: the list is shorter.`);
    } else if (isMap(value)) {
      if (typeof segment === "number") return fail(...noItem(segment, loopHint));
      part = own(value, segment);
      if (part === undefined && mayGrow) part = unknown;
      if (part === undefined)
        return fail(
          `has no member ${quoted(segment)}.`,
          // The member names of a secret are secret too.
          marks !== undefined
            ? undefined
            : (didYouMean(suggest(segment, Object.keys(value))) ?? loopHint),
        );
    } else if (mayGrow) part = unknown;
    else return fail(`is ${kindOf(value)} and has no members.`);
    value = part;
  }
  return marks === undefined ? value : new Secret(value, marks);
}

function noMember(name: string): [problem: string, hint: string] {
  return [
    `is a list and has no member ${quoted(name)}.`,
    "Select an item by index, for example `[0]`.",
  ];
}

function noItem(index: number, hint = "Use a member's name."): [problem: string, hint: string] {
  return [`is a map, not a list: it has no item ${index}.`, hint];
}
