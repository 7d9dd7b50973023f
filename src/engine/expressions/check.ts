/**
 * Finds the problems of an expression before its values are known: names, functions, and kinds of values that no
 * evaluation accepts. The values of the scope are unknown, with their types where these are known. Every branch is checked,
 * also one that no given value takes.
 */
import { isMap, PartlyKnown, Unknown, unknown, unknownOf, type Value } from "#engine/value.ts";
import { childrenOf, type Identifier, type Node, type NodeOf } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { misusedOmission, requireValue } from "./evaluation.ts";
import { Evaluator } from "./evaluator.ts";
import { callingOf, findFunction, specialFunction } from "./functions.ts";
import { isFraction } from "./is-fraction.ts";
import { entriesOf, rangeOf, resultTypes } from "./loops.ts";
import { requireBoolean } from "./operators.ts";
import { ExpressionError, type Problem, type ProblemOf } from "./problem.ts";
import { isGuarded, readsOf } from "./reads.ts";
import { findVariable, type Scope, type Variables } from "./scope.ts";
import { either } from "./values/either.ts";
import { measure } from "./values/measure.ts";
import {
  isSealed,
  isValue,
  mark,
  type Marks,
  markValue,
  noMarks,
  Omission,
  Optional,
  type Outcome,
  unmark,
} from "./values/outcome.ts";
import { sealedValue } from "./values/sealed-value.ts";

/** The problems in text order, with warnings (`severityOf`). */
export function check(node: Node, scope: Scope, budget: Budget): Problem[] {
  const checker = new Checker(scope, budget, node);
  return checker.problemsOf(node);
}

class Checker extends Evaluator {
  readonly #problems = new Map<string, Problem>();
  readonly #outcomes = new Map<Node, Outcome>();
  /** Where the expression copes with a missing part. */
  readonly #guarded: { start: number; end: number }[];

  constructor(scope: Scope, budget: Budget, node: Node) {
    super(scope, budget);
    this.#guarded = readsOf(node).filter(isGuarded);
  }

  problemsOf(node: Node): Problem[] {
    try {
      this.#tried(node, () => {
        const outcome = this.run(node, undefined);
        if (outcome instanceof Optional) requireValue(outcome, node);
        return outcome;
      });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#add(error.problem);
    }
    return [...this.#problems.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Each node has one outcome, so that a node with several parents is not checked again and again. */
  override run(node: Node, variables: Variables): Outcome {
    const known = this.#outcomes.get(node);
    if (known !== undefined) return known;
    const outcome = this.#tried(node, () => this.#check(node, variables));
    this.#outcomes.set(node, outcome);
    return outcome;
  }

  #check(node: Node, variables: Variables): Outcome {
    switch (node.kind) {
      case "choice":
        return this.#choice(node, variables);
      case "logic":
        return this.#logic(node, variables);
      case "loop":
        return this.#loop(node, variables);
      case "bind":
        return this.#bind(node, variables);
      case "optional-map":
        return this.#optionalMap(node, variables);
      case "call":
        if (!this.#isKnownFunction(node)) {
          // Its arguments may have the variables of a misspelt loop.
          if (node.of !== undefined) this.run(node.of, variables);
          return unknown;
        }
        for (const child of childrenOf(node)) this.run(child, variables);
        return super.run(node, variables);
      case "binary":
      case "list":
      case "map":
        // All of them: the first failure ends an evaluation.
        for (const child of childrenOf(node)) this.run(child, variables);
        return super.run(node, variables);
      case "member":
      case "index":
      case "has":
        // Not the values on the way: only the last part tells whether a missing one is coped with.
        for (let at: Node = node; ; at = at.of) {
          if (at.kind === "index") this.run(at.index, variables);
          else if (at.kind !== "member" && at.kind !== "has") {
            this.run(at, variables);
            break;
          }
        }
        return super.run(node, variables);
      case "literal":
        if (typeof node.value === "string" && node.value.includes("${"))
          this.#add({ kind: "not_interpolated", start: node.start, end: node.end });
        return super.run(node, variables);
      case "name":
      case "not":
      case "minus":
        return super.run(node, variables);
    }
  }

  override attempt(node: Node, variables: Variables): Outcome {
    return this.run(node, variables);
  }

  override condition(node: Node, subject: string, variables: Variables, marks: Marks): undefined {
    this.#tried(node, () => {
      const value = this.value(node, variables);
      if (isSealed(value)) throw sealedValue(subject, node);
      requireBoolean(unmark(value, marks), subject, node);
      return value;
    });
  }

  /** The outcome, or an unknown value in place of a problem. */
  #tried(node: Node, compute: () => Outcome): Outcome {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      if (error.problem.kind === "too_much_work") throw error;
      this.#add(error.problem);
      return node.kind === "logic" || node.kind === "not" ? unknownOf("boolean") : unknown;
    }
  }

  #add(problem: Problem): void {
    const isMissing = problem.kind === "no_such_member" || problem.kind === "no_such_item";
    const isCopedWith = this.#guarded.some(
      ({ start, end }) => start <= problem.start && problem.end <= end,
    );
    if (isMissing && isCopedWith) return;
    const key = `${problem.kind} ${problem.start} ${problem.end}`;
    if (!this.#problems.has(key)) this.#problems.set(key, problem);
  }

  #warnOfHidden(introduced: readonly Identifier[], variables: Variables): void {
    for (const { name, start, end } of introduced) {
      const isHiding =
        findVariable(name, variables) !== undefined ||
        this.scope.lookup(name).kind !== "unknown name";
      const problem: ProblemOf = { kind: "hidden_name", name };
      if (isHiding) this.#add({ ...problem, start, end });
    }
  }

  #isKnownFunction(node: NodeOf<"call">): boolean {
    const special = specialFunction(node.function.name);
    const isMethod = node.of !== undefined;
    if (special !== undefined && (special.style === "method") === isMethod) return true;
    try {
      findFunction(callingOf(node, this.budget));
      return true;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#add(error.problem);
      return false;
    }
  }

  #bind({ variable, value: given, body }: NodeOf<"bind">, variables: Variables): Outcome {
    this.#warnOfHidden([variable], variables);
    const value = this.#tried(given, () => {
      const outcome = this.run(given, variables);
      if (outcome instanceof Omission) throw misusedOmission(given);
      return outcome;
    });
    const fraction = isFraction(given, this.scope, variables);
    return this.run(body, { name: variable.name, value, fraction, outer: variables });
  }

  #choice(node: NodeOf<"choice">, variables: Variables): Outcome {
    const marks = noMarks();
    this.condition(node.condition, "A condition", variables, marks);
    const met = this.run(node.met, variables);
    return mark(either(met, this.run(node.otherwise, variables), node, this.budget), marks);
  }

  #logic({ operator, sides }: NodeOf<"logic">, variables: Variables): Value {
    const marks = noMarks();
    for (const side of sides) this.condition(side, `\`${operator}\``, variables, marks);
    return markValue(unknownOf("boolean"), marks);
  }

  /** One turn, with the knowledge about every item. */
  #loop(node: NodeOf<"loop">, variables: Variables): Outcome {
    this.#warnOfHidden(node.variables, variables);
    const marks = noMarks();
    const range = this.#tried(node.of, () => rangeOf(this, node, variables, marks));
    const [first, second] = node.variables;
    const { single, key, item } = turnOver(range);
    let inner = variables;
    if (first !== undefined)
      inner = { name: first.name, value: second === undefined ? single : key, outer: inner };
    if (second !== undefined) inner = { name: second.name, value: item, outer: inner };
    const type = resultTypes[node.loop];
    const subject = `\`${node.loop}\``;
    if (node.filter !== undefined) this.condition(node.filter, subject, inner, marks);
    if (type === "boolean" || node.loop === "filter")
      this.condition(node.body, subject, inner, marks);
    else {
      const body = this.run(node.body, inner);
      const { secret, sealed } = isValue(body) ? measure(body) : noMarks();
      marks.secret ||= secret;
      marks.sealed ||= sealed;
      if (node.loop === "transformMapEntry" && isValue(body))
        this.#tried(node.body, () => {
          entriesOf(body, node, noMarks());
          return body;
        });
    }
    return markValue(unknownOf(type), marks);
  }

  #optionalMap(node: NodeOf<"optional-map">, variables: Variables): Outcome {
    this.#warnOfHidden([node.variable], variables);
    const of = this.run(node.of, variables);
    const state = of instanceof Optional ? of.state : undefined;
    const value = state?.kind === "present" ? state.value : unknown;
    const body = this.run(node.body, { name: node.variable.name, value, outer: variables });
    if (of instanceof Optional && isValue(body)) return new Optional({ kind: "unknown" });
    return super.run(node, variables);
  }
}

/** The knowledge about a loop's variables that holds for every item of the range. */
function turnOver(range: Outcome): { single: Value; key: Value; item: Value } {
  const types = range instanceof Unknown ? range.types : undefined;
  if (Array.isArray(range) || types?.includes("object") === false) {
    const item = Array.isArray(range) ? common(range) : unknown;
    return { single: item, key: unknownOf("integer"), item };
  }
  const isMapAlone =
    range instanceof PartlyKnown ||
    (!(range instanceof Unknown) && isValue(range) && isMap(range)) ||
    types?.includes("array") === false;
  if (!isMapAlone) return { single: unknown, key: unknown, item: unknown };
  const item = isValue(range) && isMap(range) ? common(Object.values(range)) : unknown;
  return { single: unknownOf("string"), key: unknownOf("string"), item };
}

function common(items: readonly Value[]): Value {
  const [first, ...more] = items;
  if (first !== undefined && more.length === 0) return first;
  const sealed = items.length > 0 && items.every(isSealed);
  return markValue(unknown, { secret: sealed, sealed });
}
