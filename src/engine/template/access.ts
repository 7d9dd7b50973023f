import { isMap, PartlyKnown, Secret, Unknown, unknown, type Value } from "#engine/value.ts";
import { own } from "./own.ts";
import { formatReference } from "./references.ts";
import { didYouMean, quoted } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import type { Reference } from "./template.ts";

/**
 * The part of a value at a reference's path. Parts of a secret are secret; parts of an unknown value are unknown.
 * Throws `ResolveError` when a known value has no such part.
 */
export function access(
  start: Value,
  { root, path, place }: Reference,
  suggest: (name: string, candidates: readonly string[]) => string | undefined,
): Value {
  let value = start;
  let marks: Secret | undefined;
  for (const [depth, segment] of path.entries()) {
    if (value instanceof Secret) {
      marks = new Secret(null, { sealed: value.sealed || marks?.sealed === true });
      value = value.value;
    }
    if (value instanceof Unknown) break;
    const fail = (problem: string, hint?: string): never => {
      const parent = formatReference(root, path.slice(0, depth));
      throw new ResolveError("path_not_found", `${parent} ${problem}`, place, hint);
    };
    let part: Value | undefined;
    if (value instanceof PartlyKnown) {
      const known = typeof segment === "string" ? own(value.known, segment) : undefined;
      part = known === undefined ? unknown : known;
    } else if (Array.isArray(value)) {
      if (typeof segment === "string")
        return fail(
          `is a list and has no member ${quoted(segment)}.`,
          "Select an item by index, for example `[0]`.",
        );
      part = value[segment];
      if (part === undefined) return fail(`has no item ${segment}: the list is shorter.`);
    } else if (isMap(value)) {
      if (typeof segment === "number")
        return fail(`is a map, not a list: it has no item ${segment}.`, "Use a member's name.");
      part = own(value, segment);
      if (part === undefined)
        return fail(
          `has no member ${quoted(segment)}.`,
          // The member names of a secret are secret too.
          marks !== undefined ? undefined : didYouMean(suggest(segment, Object.keys(value))),
        );
    } else return fail(`is ${kindOf(value)} and has no members.`);
    value = part;
  }
  return marks === undefined ? value : new Secret(value, marks);
}

/** The kind of a value, as messages show it. */
export function kindOf(value: Value): string {
  if (value instanceof Secret) return kindOf(value.value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isMap(value) || value instanceof PartlyKnown) return "a map";
  if (value instanceof Unknown) return "not known yet";
  if (typeof value === "string") return "a string";
  return typeof value === "number" ? "a number" : "a boolean";
}
