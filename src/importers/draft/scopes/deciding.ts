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

/** Undefined: it is open. Its arguments, what it decides and what it makes are paid for around it, {@link Metered}. */
export type Function_ = (args: readonly Decided[], place: Place) => Decided | undefined;

/** Characters of a text that is decided. */
export const MAX_TEXT = 100_000;
/** Characters that one step reads or makes. */
const CHARACTERS_OF_STEP = 32;

/** Steps that reading or making a text takes. */
export function stepsOfText(characters: number): number {
  return Math.ceil(characters / CHARACTERS_OF_STEP);
}

/** Steps that reading or making a value takes: its text, or its items without what is in them. */
export function stepsOf(value: Decided | undefined): number {
  if (value?.kind === "list") return value.items.length;
  if (value?.kind === "map") return value.members.size;
  return value?.kind === "literal" && typeof value.value === "string"
    ? stepsOfText(value.value.length)
    : 0;
}

/**
 * The place of a call, which pays for the characters and items that the function reads and makes: without that, a loop
 * that splits a long text again and again takes as long as it likes.
 */
export class Metered implements Place {
  readonly scope: Scope;
  readonly #deciding: Deciding;
  #isSpent = false;

  constructor(scope: Scope, deciding: Deciding) {
    this.scope = scope;
    this.#deciding = deciding;
  }

  /** Whether something could not be paid: what the function made is not to be used. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  readonly takes = (steps: number): boolean => {
    this.#isSpent ||= !this.#deciding.takes(steps);
    return !this.#isSpent;
  };

  readonly decide = (bound: Bound): Decided | undefined => {
    const made = this.#deciding.decide(bound);
    const isText = made?.kind === "literal";
    return this.takes(1 + (isText ? stepsOf(made) : 0)) ? made : undefined;
  };

  readonly literal = (value: Literal, scope: Scope): Bound => {
    this.takes(1 + (typeof value === "string" ? stepsOfText(value.length) : 0));
    return this.#deciding.literal(value, scope);
  };

  readonly attribute = (bound: Bound): string | number | undefined =>
    this.takes(1) ? this.#deciding.attribute(bound) : undefined;
}
