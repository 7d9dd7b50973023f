/** Why an expression cannot be read, checked or evaluated. No problem contains a value, except those of the text itself. */
import type { Range } from "./ast.ts";
import { hintForFunction } from "./terraform-words.ts";

export type Problem = Range &
  // The text
  (
    | { kind: "expression_not_closed" }
    | { kind: "expression_too_long"; most: number }
    | { kind: "expression_too_deep"; most: number }
    | { kind: "malformed_expression"; wanted: string; found: string; hint?: string }
    | { kind: "unterminated_text" }
    | { kind: "invalid_escape" }
    | { kind: "number_too_large"; text: string }
    | { kind: "syntax_not_supported"; what: string; instead: string }
    // Names
    | { kind: "unknown_name"; name: string; nearest?: string }
    | { kind: "unknown_function"; name: string; nearest?: string; spelling?: string }
    | { kind: "hidden_name"; name: string }
    | { kind: "not_interpolated" }
    | { kind: "absent_name"; name: string }
    // Values
    /** A name or an index that a secret decides is not told. */
    | { kind: "no_such_member"; name?: string; nearest?: string }
    | { kind: "no_such_item"; index?: number; length?: number }
    | { kind: "wrong_count"; name: string; least: number; most: number; given: number }
    | { kind: "wrong_kind"; subject: string; takes: string; given: string; hint?: string }
    | { kind: "invalid_argument"; subject: string; reason: string; hint?: string }
    | { kind: "duplicate_key"; key?: string }
    | { kind: "optional_not_unwrapped" }
    | { kind: "omission_not_used" }
    | { kind: "sealed_value"; subject: string }
    // Limits
    | { kind: "value_too_large"; characters: number; levels: number }
    | { kind: "too_much_work" }
  );

type ProblemKind = Problem["kind"];

/** A problem of one kind without its range. */
export type ProblemOf<Kind extends ProblemKind = ProblemKind> = Kind extends ProblemKind
  ? Omit<Extract<Problem, { kind: Kind }>, keyof Range>
  : never;

/** Thrown inside this folder only: its public functions return the problem. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly problem: Problem;

  constructor(problem: ProblemOf, { start, end }: Range) {
    super(problem.kind);
    this.problem = { ...problem, start, end };
  }
}

/**
 * Problems that neither `||` nor an unknown condition hides. To hide `sealed_value` would reveal the value; to hide
 * `too_much_work` would let the evaluation continue.
 */
export function isLasting({ kind }: Problem): boolean {
  return kind === "sealed_value" || kind === "too_much_work";
}

/** A warning does not prevent the evaluation. */
export function severityOf({ kind }: Problem): "error" | "warning" {
  return kind === "hidden_name" || kind === "not_interpolated" ? "warning" : "error";
}

/** The problem in words for people. */
export function explain(problem: Problem): { message: string; hint?: string } {
  switch (problem.kind) {
    case "expression_not_closed":
      return told("The expression has no closing brace.", "Add `}`.");
    case "expression_too_long":
      return told(
        `An expression has at most ${problem.most} characters.`,
        "Split it: give a part of it a name under `variables`.",
      );
    case "expression_too_deep":
      return told(
        `The expression nests deeper than ${problem.most} levels.`,
        "Split it: give a part of it a name under `variables`.",
      );
    case "malformed_expression":
      return told(`Expected ${problem.wanted}, found ${problem.found}.`, problem.hint);
    case "unterminated_text":
      return told("The string has no closing quote.", "Add the quote.");
    case "invalid_escape":
      return told("This escape is not known.", "Write `\\\\` for a backslash.");
    case "number_too_large":
      return told(
        `${problem.text} is larger than a number can be.`,
        "Quote it if it is a string, such as an id.",
      );
    case "syntax_not_supported":
      return told(`${problem.what} are not supported.`, problem.instead);
    case "unknown_name":
      return told(`Nothing is named ${code(problem.name)}.`, nameHint(problem));
    case "unknown_function":
      return told(`There is no function ${code(problem.name)}.`, functionHint(problem));
    case "not_interpolated":
      return told(
        "A text inside an expression stays as it is written: `${…}` in it is not replaced.",
        'Join the parts, as in `"web-" + string(number)`.',
      );
    case "hidden_name":
      return told(
        `The variable ${code(problem.name)} hides another value of this name.`,
        "Choose another name.",
      );
    case "absent_name":
      return told(
        `${code(problem.name)} is not included: its condition \`when\` is false.`,
        `Ask with ${code(`has(${problem.name})`)}, or read it with ${code(`${problem.name}.?member.orValue(…)`)}.`,
      );
    case "no_such_member":
      return told(
        problem.name === undefined
          ? "There is no such member."
          : `There is no member ${code(problem.name)}.`,
        didYouMean(problem.nearest) ?? "Ask with `has(…)`, or read it with `.?` and `.orValue(…)`.",
      );
    case "no_such_item":
      return told(
        problem.index === undefined || problem.length === undefined
          ? "The list is shorter."
          : `There is no item ${problem.index}: the list has ${counted(problem.length, "item")}.`,
        "Read it with `[?…]` and `.orValue(…)`.",
      );
    case "wrong_count":
      return told(
        `${code(problem.name)} takes ${argumentsOf(problem)}, not ${problem.given === 0 ? "none" : problem.given}.`,
      );
    case "wrong_kind":
      return told(`${problem.subject} takes ${problem.takes}, not ${problem.given}.`, problem.hint);
    case "invalid_argument":
      return told(`${problem.subject} ${problem.reason}`, problem.hint);
    case "duplicate_key":
      return told(
        problem.key === undefined
          ? "A key occurs twice."
          : `The key ${code(problem.key)} occurs twice.`,
        "Remove one of the entries.",
      );
    case "optional_not_unwrapped":
      return told("This value may be absent.", "Add `.orValue(…)`.");
    case "omission_not_used":
      return told(
        "`omit()` leaves out a property, an item or an entry, so nothing can be computed from it.",
        "Make `omit()` a whole result, as in `condition ? value : omit()`.",
      );
    case "sealed_value":
      return told(
        `${problem.subject} cannot take a sealed value: its result or its failure would tell what the value is.`,
        "A sealed value can be passed on and joined to texts. Decide by a config value that is not secret; read a member as a reference of its own.",
      );
    case "value_too_large":
      return told(
        `A value has at most ${problem.characters} characters and ${problem.levels} levels.`,
        "Store large content in a bucket or an image and refer to it.",
      );
    case "too_much_work":
      return told(
        "The expressions take too much work together.",
        "Loop over fewer items, or once instead of inside another loop.",
      );
  }
}

function told(message: string, hint?: string): { message: string; hint?: string } {
  return hint === undefined ? { message } : { message, hint };
}

const MAX_SHOWN = 80;

/** A part of an expression between backticks, shortened. */
export function code(text: string): string {
  return `\`${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}\``;
}

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `Did you mean ${code(name)}?`;
}

function functionHint({
  name,
  nearest,
  spelling,
}: {
  name: string;
  nearest?: string;
  spelling?: string;
}): string | undefined {
  const written = spelling === undefined ? didYouMean(nearest) : `Write ${code(spelling)}.`;
  return hintForFunction(name) ?? written;
}

function nameHint({ name, nearest }: { name: string; nearest?: string }): string | undefined {
  if (nearest !== undefined) return didYouMean(nearest);
  return name.includes("-")
    ? `\`-\` may be part of a name. For a subtraction, write ${code(name.replaceAll(/-+/g, " - "))}.`
    : undefined;
}

function counted(count: number, noun: string): string {
  return count === 0 ? `no ${noun}s` : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function argumentsOf({ least, most }: { least: number; most: number }): string {
  if (least === most) return counted(most, "argument");
  return `${least} ${most === least + 1 ? "or" : "to"} ${counted(most, "argument")}`;
}
