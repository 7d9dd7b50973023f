import type { ArmType } from "#importers/arm/values/known-values.ts";
import type { Expression } from "#importers/expression.ts";

/** The place of a call. */
export interface CallPlace {
  line: number;
  typeOf: (expression: Expression) => ArmType | undefined;
  /** Spends steps of the import's work. False: the budget is spent. */
  spend: (steps: number) => boolean;
}

/**
 * Computes a call, or writes it in the common vocabulary of expressions where a value of the deployment decides it.
 * Undefined: neither is possible, or ARM refuses the call.
 */
export type ArmFunction = (args: readonly Expression[], place: CallPlace) => Expression | undefined;

export type ArmFunctions = readonly (readonly [name: string, meaning: ArmFunction])[];

/** The longest text that a function makes, in characters. */
export const MAX_MADE = 100_000;
