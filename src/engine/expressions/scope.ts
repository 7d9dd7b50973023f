import type { Value } from "#engine/value.ts";
import type { Outcome } from "./values/outcome.ts";

/** The names that an expression can use, besides the variables of its own loops. */
export interface Scope {
  /** The value of a name. `absent`: it is declared, and not included by its condition. */
  lookup(name: string): Found;
  /** All names, for suggestions. */
  names(): readonly string[];
  /** True for a number that is declared with fractions: `/` does not cut them off. */
  isFraction?(name: string): boolean;
}

export type Found = { kind: "value"; value: Value } | { kind: "absent" } | { kind: "unknown name" };

/** The variables of loops and of `cel.bind`, the innermost first. */
export type Variables =
  | { name: string; value: Outcome; fraction?: boolean; outer: Variables }
  | undefined;

export function findVariable(
  name: string,
  variables: Variables,
): Exclude<Variables, undefined> | undefined {
  for (let at = variables; at !== undefined; at = at.outer) if (at.name === name) return at;
  return undefined;
}

export function namesOf(variables: Variables): string[] {
  const names: string[] = [];
  for (let at = variables; at !== undefined; at = at.outer) names.push(at.name);
  return names;
}
