/** The tools that functions use to decide a call. */
import type { Bound, Decided, Literal, Scope } from "./scope.ts";

/** Decides the content of a list or map. */
export interface Deciding {
  decide: (bound: Bound) => Decided | undefined;
  literal: (value: Literal, scope: Scope) => Bound;
  /** The object attribute that a value refers to, which is neither null nor empty. */
  attribute: (bound: Bound) => string | number | undefined;
  /** Spends steps of the draft's budget. False: the budget is spent. */
  spend: (steps: number) => boolean;
}

/** The tools at the scope of a call. */
export interface Place extends Deciding {
  scope: Scope;
}

/** Undefined: the result is open. {@link Metered} spends the steps for arguments and results. */
export type Function_ = (args: readonly Decided[], place: Place) => Decided | undefined;

/** The maximum length of a decided text, in characters. */
export const MAX_TEXT = 100_000;
/** The maximum number of items of a decided list or map. */
export const MAX_ITEMS = 1_000;
/** The number of characters that one step reads or writes. */
const CHARACTERS_OF_STEP = 32;

/** The steps for reading or writing a text. */
export function stepsOfText(characters: number): number {
  return Math.ceil(characters / CHARACTERS_OF_STEP);
}

/** The steps for reading or writing a value: its text, or its items without their content. */
export function stepsOf(value: Decided | undefined): number {
  if (value?.kind === "list") return value.items.length;
  if (value?.kind === "map") return value.members.size;
  return value?.kind === "literal" && typeof value.value === "string"
    ? stepsOfText(value.value.length)
    : 0;
}

/**
 * The tools of a call with a meter for the characters and items that the function reads and writes. Without it, a loop
 * could split a long text without end.
 */
export class Metered implements Place {
  readonly scope: Scope;
  readonly #deciding: Deciding;
  #isSpent = false;

  constructor(scope: Scope, deciding: Deciding) {
    this.scope = scope;
    this.#deciding = deciding;
  }

  /** Whether the budget was spent during the call, so that the result must not be used. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  readonly spend = (steps: number): boolean => {
    this.#isSpent ||= !this.#deciding.spend(steps);
    return !this.#isSpent;
  };

  readonly decide = (bound: Bound): Decided | undefined => {
    const made = this.#deciding.decide(bound);
    const isText = made?.kind === "literal";
    return this.spend(1 + (isText ? stepsOf(made) : 0)) ? made : undefined;
  };

  readonly literal = (value: Literal, scope: Scope): Bound => {
    this.spend(1 + (typeof value === "string" ? stepsOfText(value.length) : 0));
    return this.#deciding.literal(value, scope);
  };

  readonly attribute = (bound: Bound): string | number | undefined =>
    this.spend(1) ? this.#deciding.attribute(bound) : undefined;
}
