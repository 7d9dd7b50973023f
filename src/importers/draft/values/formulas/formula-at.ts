/** The place of a part in a formula, and the reader of its parts. */
import { type Fact, isSameFact } from "#engine/expressions/reads.ts";
import type { DraftNames } from "#importers/draft/values/draft-names.ts";
import type { DraftedByScope, DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { Converting, Use } from "#importers/draft/values/use.ts";
import type { Bound, Path, Scope } from "#importers/evaluate/scope.ts";
import type { Expression } from "#importers/expression.ts";
import type { Asked } from "./asked-values.ts";
import { factsIn, type Formula } from "./formula.ts";

/** `isWhole`: the part's value is the formula's, so it may be omitted. */
export interface At {
  scope: Scope;
  use: Use;
  depth: number;
  isWhole: boolean;
}

/** Reads the parts of a formula. Undefined: the template language has no form for one. */
export interface FormulaReader {
  values: Converting;
  resources: DraftedByScope;
  names: DraftNames;
  read: (expression: Expression, at: At) => Formula | undefined;
  /** Reads a part that cannot be omitted. */
  part: (expression: Expression, at: At) => Formula | undefined;
  /** Reads an argument, in which a repeated resource is a list or a map. */
  operand: (expression: Expression, at: At) => Formula | undefined;
  bound: (bound: Bound, at: At) => Formula | undefined;
  parts: {
    all: (of: Formula) => Formula;
    asked: (expression: Expression, at: At) => Asked | "sure" | undefined;
    askedAt: (base: Formula, path: Path, at: At) => Asked | "sure" | undefined;
    walk: (of: Formula, path: Path, at: At) => Formula | undefined;
  };
}

/** The use where these facts hold. */
export function knowing<Place extends Use>(use: Place, facts: readonly Fact[]): Place {
  return { ...use, facts: [...(use.facts ?? []), ...facts] };
}

/** Whether a fact holds wherever the value is read. */
export function isKnown(test: string, { facts = [] }: Use): boolean {
  const wanted = factsIn(test);
  return wanted.length > 0 && wanted.every((one) => facts.some((fact) => isSameFact(one, fact)));
}

/** The place inside `has(…)`, or behind it. */
export function asking(at: At, of: DraftedResource): At {
  return { ...at, isWhole: false, use: { ...at.use, present: [...(at.use.present ?? []), of] } };
}

export function asPart(at: At): At {
  return { ...at, isWhole: false };
}
