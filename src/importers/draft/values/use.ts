/** What values are converted for, and by what. */
import type { Bound, Decided, Scope } from "#importers/draft/scopes/scope.ts";
import type { Expression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import type { Converted } from "./converted.ts";

/** What an expression is converted for. */
export interface Use extends Place {
  address: string;
  /** What a config value that stands for it is named after. */
  name: string;
  /** Where in the resource it is: what is asked for in two places are two values. */
  path?: string | undefined;
  shape?: ValueShape | undefined;
  /** The value is a secret: what the source writes out of it is asked for. */
  isSecret?: boolean | undefined;
  /** The name of the resource whose property it is: what it reads of itself, it has to say itself. */
  own?: string | undefined;
  /** Of an object that is named by its id or name, the output to read instead. */
  reads?: string | undefined;
}

/** Converts the values that another one is made of. */
export interface Converting {
  convert: (expression: Expression, scope: Scope, use: Use) => Converted;
  convertBound: (bound: Bound, use: Use) => Converted;
  decided: (made: Decided, use: Use) => Converted;
  ask: (use: Use, key: string, reason: string, isSecret?: boolean, initial?: Json) => string;
  variable: (reference: string) => JsonMap | undefined;
  /** Pays for so many steps; false: it is too much. */
  takes: (steps: number) => boolean;
}

export const computed =
  "Only the source's own tool can compute it: the template language has no conditions, loops or operators.";
export const failing = "With what the files give, the source's own tool refuses it.";
