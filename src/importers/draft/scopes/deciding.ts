/** What functions of the source's language are given to decide a call. */
import type { Bound, Decided, Literal, Scope } from "./scope.ts";

/** How what is in a list or a map is decided. */
export interface Deciding {
  decide: (bound: Bound) => Decided | undefined;
  literal: (value: Literal, scope: Scope) => Bound;
  /** The attribute of an object that it reads, which is neither null nor empty. */
  attribute: (bound: Bound) => string | number | undefined;
  /** Whether so many further steps are within the budget of the draft; takes them. */
  takes: (steps: number) => boolean;
}

/** Where a call is. */
export interface Place extends Deciding {
  scope: Scope;
}

/** Undefined: it is open. */
export type Function_ = (args: readonly Decided[], place: Place) => Decided | undefined;

/** Characters of a text that is decided. */
export const MAX_TEXT = 100_000;
