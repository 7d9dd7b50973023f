/** Values that the files of the source decide: from literals, through locals and the variables of called modules. */
import { referencesIn } from "#importers/expression.ts";
import { hidden, isSecretSetting } from "#importers/hidden-values.ts";
import type { Bound, Decided, Literal } from "./scope.ts";

export const failed: Decided = { kind: "error" };

export function decidedLiteral(value: Literal): Decided {
  return { kind: "literal", value };
}

export function decidedList(items: readonly Bound[]): Decided {
  return { kind: "list", items };
}

/** The items must be sorted. */
export function decidedSet(items: readonly Bound[]): Decided {
  return { kind: "list", items, isSet: true };
}

export function decidedMap(members: ReadonlyMap<string, Bound>): Decided {
  return { kind: "map", members };
}

/** The text of a literal, as the source's tool converts it; undefined for other values. */
export function asText(of: Decided | undefined): string | undefined {
  return of?.kind === "literal" && of.value !== null ? String(of.value) : undefined;
}

/** The number of a literal; undefined for other values. */
export function asNumber(of: Decided | undefined): number | undefined {
  if (of?.kind !== "literal" || typeof of.value === "boolean" || of.value === null)
    return undefined;
  return typeof of.value === "number" || /^-?\d{1,15}(?:\.\d{1,6})?$/.test(of.value)
    ? Number(of.value)
    : undefined;
}

/** The boolean of a literal; undefined for other values. */
export function asTruth(of: Decided | undefined): boolean | undefined {
  if (of?.kind !== "literal") return undefined;
  if (of.value === true || of.value === "true") return true;
  return of.value === false || of.value === "false" ? false : undefined;
}

/** Whether a value is harmless under any name: a boolean, null or an error. */
export function isHarmless(value: Decided | undefined): boolean {
  if (value?.kind === "error") return true;
  return value?.kind === "literal" && (value.value === null || typeof value.value === "boolean");
}

/**
 * Hides the value of a member whose name marks a secret, where the name is dropped. A harmless value stays, and so does
 * a reference to an object's attribute, which the source does not write out. `keepsMaps`: a map stays, because the
 * names in it are checked.
 */
export function unnamed(
  name: string,
  value: Bound,
  decide: (bound: Bound) => Decided | undefined,
  { keepsMaps = false } = {},
): Bound {
  if (!isSecretSetting(name)) return value;
  const made = decide(value);
  const isKept =
    made === undefined
      ? referencesIn(value.expression).every(({ target }) => target.kind === "resource")
      : (keepsMaps && made.kind === "map") || isHarmless(made);
  return isKept ? value : { expression: hidden(1), scope: value.scope };
}

/** The value below another at a step; undefined if it is missing. */
export function boundAt(of: Decided, step: string | number): Bound | undefined {
  if (of.kind === "map") return of.members.get(String(step));
  if (of.kind !== "list" || !/^\d{1,9}$/.test(String(step))) return undefined;
  return of.items[Number(step)];
}
