/** The context of a conversion: its purpose, and the converter for nested values. */
import type { Fact } from "#engine/expressions/reads.ts";
import type { Bound, Decided, Path, Scope } from "#importers/evaluate/scope.ts";
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import type { Converted } from "./converted.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import type { Formula } from "./formulas/formula.ts";

/** The purpose of a conversion. */
export interface Use extends Place {
  address: string;
  /** The base name of a config value that replaces it. */
  name: string;
  /** The place in the resource. Values asked for at two places are two values. */
  path?: string | undefined;
  shape?: ValueShape | undefined;
  /** Whether the value is a secret. Literals of a secret are asked for. */
  isSecret?: boolean | undefined;
  /** The name of the resource with the property. A reference to itself is replaced by the given value. */
  own?: string | undefined;
  /** The output to read instead of an object's id or name. */
  reads?: string | undefined;
  /** Whether the value is a part of a formula or a text, so that it cannot be omitted. */
  isPart?: boolean | undefined;
  /** Whether the value is joined to others, or cut, so that a secret has only a part of it. */
  isJoined?: boolean | undefined;
  /** What holds wherever the value is read. */
  facts?: readonly Fact[] | undefined;
  /** Resources with a condition that are there wherever the value is read. */
  present?: readonly DraftedResource[] | undefined;
}

const joining =
  /^(?:join|format|lower|upper|title|substr|replace|arm:(?:replace|substring|take|takeLast|takeAny|skip|skipAny|padLeft))$/;

/** The use of the parts of a text, or of the arguments of a function of texts. Only a part of a secret counts. */
export function asJoined(use: Use, of: string | number): Use {
  if (use.isSecret !== true || use.isJoined === true) return use;
  const isJoining = typeof of === "number" ? of > 1 : joining.test(of);
  return isJoining ? { ...use, isJoined: true } : use;
}

/** Converts nested values. */
export interface Converting {
  convert: (expression: Expression, scope: Scope, use: Use) => Converted;
  convertBound: (bound: Bound, use: Use) => Converted;
  decided: (made: Decided, use: Use) => Converted;
  ask: (use: Use, key: string, reason: string, isSecret?: boolean, initial?: Json) => string;
  variable: (reference: string) => JsonMap | undefined;
  /** Writes formulas, and their parts; undefined: the template language has no form for one. */
  formulas: {
    convert: (expression: Expression, scope: Scope, use: Use) => Converted | undefined;
    below: (of: Formula, path: Path, scope: Scope, use: Use) => Formula | undefined;
  };
  /** Converts a name of a turn that only the deployment knows; undefined for another name. */
  open: (reference: ReferenceExpression, scope: Scope, use: Use) => Converted | undefined;
  /** The value that stands for the null of a root variable; undefined: its default is another one. */
  emptyOf: (variable: SourceVariable) => string | undefined;
  /** An attribute of a resource in the draft, which is the value of a formula. */
  attributeOf: (made: DraftedResource, formula: string, path: Path, use: Use) => Converted;
  /** Notes that a value reads a resource. */
  read: (made: DraftedResource) => void;
  /** Spends steps. False: the budget is spent. */
  spend: (steps: number) => boolean;
}

export const computed =
  "Only the source's own tool can compute it: a draft does not translate the expression.";
export const failing = "With what the files give, the source's own tool refuses it.";
