import { compilePattern, type LinearPattern } from "#engine/linear-pattern.ts";
import type { Value, ValueMap } from "#engine/value.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { Range } from "./ast.ts";
import { ExpressionError } from "./problem.ts";
import { measure } from "./values/measure.ts";

const UNITS_PER_ENTRY = 4;

/** For all expressions of a template, or all policies of a plan. They take less than 150 ms. */
const UNITS = 200_000;
/** Limits of one value. */
export const MAX_CHARACTERS = 1_048_576;
const MAX_LEVELS = 100;
const MAX_SUGGESTIONS = 50;
const MAX_CANDIDATES = 200;

const CHARACTERS_PER_UNIT = 32;
/** The built-in matcher compiles each character class. */
const UNITS_PER_CLASS = 100;
const UNITS_PER_INSTRUCTION = 2;
const STEPS_PER_UNIT = 8;

/**
 * The work that evaluations may take together: a unit for each step and each value made, and one for 32 characters read
 * or made. The work on a sealed value does not depend on the value.
 */
export class Budget {
  #left: number;
  #suggestions = 0;
  readonly #patterns = new Map<string, LinearPattern | string>();

  constructor(units = UNITS) {
    this.#left = units;
  }

  /** The units left; 0 once they were exceeded. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Throws once the budget is exceeded, and on every later call. */
  spend(units: number, at: Range): void {
    this.#left -= units;
    if (this.#left < 0) throw new ExpressionError({ kind: "too_much_work" }, at);
  }

  spendOnCharacters(count: number, at: Range): void {
    this.spend(Math.ceil(count / CHARACTERS_PER_UNIT), at);
  }

  /** Charges for a new list and refuses one that is too large. */
  spendOnList(made: Value[], at: Range): Value[] {
    return this.#spendOnMade(made, made.length, at);
  }

  /** Charges for a new map and refuses one that is too large. */
  spendOnMap(made: ValueMap, at: Range): ValueMap {
    return this.#spendOnMade(made, UNITS_PER_ENTRY * Object.keys(made).length, at);
  }

  #spendOnMade<Made extends Value>(made: Made, units: number, at: Range): Made {
    this.spend(2 + units, at);
    const { size, depth } = measure(made);
    requireSize(size, at, depth);
    return made;
  }

  /** Charges for a text of this length before it is made. */
  spendOnText(length: number, at: Range): void {
    requireSize(length, at);
    this.spendOnCharacters(length, at);
  }

  /** A compiled pattern, or the reason why it cannot be used. */
  pattern(source: string, at: Range): LinearPattern | string {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const classes = source.match(/[[\\.]/g)?.length ?? 0;
    this.spend(1 + source.length + UNITS_PER_CLASS * classes, at);
    const pattern = compilePattern(source);
    if (typeof pattern !== "string") this.spend(pattern.size * UNITS_PER_INSTRUCTION, at);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  spendOnMatch(pattern: LinearPattern, text: string, at: Range): void {
    this.spend(Math.ceil((pattern.size * (text.length + 1)) / STEPS_PER_UNIT), at);
  }

  /** The candidate that a misspelt name may mean. Each search compares many names, so their number is limited. */
  nearest(name: string, candidates: readonly string[]): { nearest?: string } {
    this.#suggestions += 1;
    if (this.#suggestions > MAX_SUGGESTIONS) return {};
    const found = nearest(name, candidates.slice(0, MAX_CANDIDATES));
    return found === undefined ? {} : { nearest: found };
  }
}

function requireSize(size: number, at: Range, depth = 0): void {
  if (size <= MAX_CHARACTERS && depth <= MAX_LEVELS) return;
  throw new ExpressionError(
    { kind: "value_too_large", characters: MAX_CHARACTERS, levels: MAX_LEVELS },
    at,
  );
}
