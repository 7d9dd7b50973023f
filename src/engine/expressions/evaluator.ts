import { PartlyKnown, Secret, Unknown, unknown, unknownOf, type Value } from "#engine/value.ts";
import type { Node, NodeOf } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { callFunction } from "./call-function.ts";
import { type Evaluation, misusedOmission, requireValue, unknownName } from "./evaluation.ts";
import { callingOf, findFunction, specialFunction } from "./functions.ts";
import { isFraction } from "./is-fraction.ts";
import { evaluateLoop } from "./loops.ts";
import {
  add,
  calculate,
  compareEqual,
  compareOrder,
  isIn,
  minus,
  not,
  requireBoolean,
  wrongKind,
} from "./operators.ts";
import { callSpecial, compareOptionals } from "./optionals.ts";
import { evaluatePath, isPresent } from "./path.ts";
import { ExpressionError, isLasting } from "./problem.ts";
import { findVariable, type Scope, type Variables } from "./scope.ts";
import { either } from "./values/either.ts";
import { measure } from "./values/measure.ts";
import {
  isOpen,
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

/** For absorbing it: making an error takes long. */
const UNITS_PER_ERROR = 20;

export class Evaluator implements Evaluation {
  readonly scope: Scope;
  readonly budget: Budget;

  constructor(scope: Scope, budget: Budget) {
    this.scope = scope;
    this.budget = budget;
  }

  value(node: Node, variables: Variables): Value {
    return requireValue(this.run(node, variables), node);
  }

  attempt(node: Node, variables: Variables): Outcome | ExpressionError {
    try {
      return this.run(node, variables);
    } catch (error) {
      if (!(error instanceof ExpressionError) || isLasting(error.problem)) throw error;
      this.budget.spend(UNITS_PER_ERROR, node);
      return error;
    }
  }

  run(node: Node, variables: Variables): Outcome {
    this.budget.spend(1, node);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "name":
        return this.#name(node, variables);
      case "member":
      case "index":
        return evaluatePath(this, node, variables);
      case "has":
        return isPresent(this, node, variables);
      case "not":
        return not({ value: this.value(node.of, variables), at: node.of });
      case "minus":
        return minus({ value: this.value(node.of, variables), at: node.of });
      case "binary":
        return this.#binary(node, variables);
      case "logic":
        return this.#logic(node, variables);
      case "choice":
        return this.#choice(node, variables);
      case "list":
        return this.#list(node, variables);
      case "map":
        return this.#map(node, variables);
      case "call":
        return this.#call(node, variables);
      case "loop":
        return evaluateLoop(this, node, variables);
      case "bind": {
        const given = this.run(node.value, variables);
        const value = given instanceof Omission ? requireValue(given, node.value) : given;
        const fraction = isFraction(node.value, this.scope, variables);
        const { name } = node.variable;
        return this.run(node.body, { name, value, fraction, outer: variables });
      }
      case "optional-map":
        return this.#optionalMap(node, variables);
    }
  }

  #name(node: NodeOf<"name">, variables: Variables): Outcome {
    const variable = findVariable(node.name, variables);
    if (variable !== undefined) return variable.value;
    const found = this.scope.lookup(node.name);
    if (found.kind === "value") return found.value;
    if (found.kind === "absent")
      throw new ExpressionError({ kind: "absent_name", name: node.name }, node);
    throw unknownName(node, variables, this);
  }

  #binary(node: NodeOf<"binary">, variables: Variables): Value {
    const { operator } = node;
    const operation = { at: node, budget: this.budget };
    if (operator === "==" || operator === "!=") {
      const [a, b] = [this.run(node.left, variables), this.run(node.right, variables)];
      const equal =
        a instanceof Optional || b instanceof Optional
          ? compareOptionals(a, b, node, operation)
          : compareEqual(
              { value: requireValue(a, node.left), at: node.left },
              { value: requireValue(b, node.right), at: node.right },
              operation,
            );
      return operator === "==" ? equal : not({ value: equal, at: node });
    }
    const left = { value: this.value(node.left, variables), at: node.left };
    const right = { value: this.value(node.right, variables), at: node.right };
    switch (operator) {
      case "in":
        return isIn(left, right, operation);
      case "+":
        return add(left, right, operation);
      case "<":
      case "<=":
      case ">":
      case ">=":
        return compareOrder(operator, left, right, operation);
      case "-":
      case "*":
      case "/":
      case "%": {
        const whole =
          operator !== "/" ||
          ![node.left, node.right].some((side) => isFraction(side, this.scope, variables));
        return calculate(operator, left, right, { at: node, whole });
      }
    }
  }

  /** One side that decides makes the others irrelevant: they may be unknown or fail, as CEL defines it. */
  #logic({ operator, sides }: NodeOf<"logic">, variables: Variables): Value {
    const marks = noMarks();
    const decides = operator === "||";
    let failure: ExpressionError | undefined;
    let open = false;
    for (const side of sides) {
      const result = this.condition(side, `\`${operator}\``, variables, marks);
      if (result === decides) return markValue(decides, marks);
      if (result instanceof ExpressionError) failure ??= result;
      else open ||= result === undefined;
    }
    if (open) return markValue(unknownOf("boolean"), marks);
    if (failure !== undefined) throw failure;
    return markValue(!decides, marks);
  }

  condition(
    node: Node,
    subject: string,
    variables: Variables,
    marks: Marks,
  ): boolean | undefined | ExpressionError {
    const outcome = this.attempt(node, variables);
    if (outcome instanceof ExpressionError) return outcome;
    try {
      const value = requireValue(outcome, node);
      if (isSealed(value)) throw sealedValue(subject, node);
      const bare = unmark(value, marks);
      return requireBoolean(bare, subject, node);
    } catch (error) {
      if (error instanceof ExpressionError && !isLasting(error.problem)) return error;
      throw error;
    }
  }

  #choice(node: NodeOf<"choice">, variables: Variables): Outcome {
    const marks = noMarks();
    const condition = this.value(node.condition, variables);
    if (isSealed(condition)) throw sealedValue("A condition", node.condition);
    const holds = requireBoolean(unmark(condition, marks), "A condition", node.condition);
    if (holds !== undefined)
      return mark(this.run(holds ? node.met : node.otherwise, variables), marks);
    const then = this.attempt(node.met, variables);
    const otherwise = this.attempt(node.otherwise, variables);
    if (then instanceof ExpressionError) {
      if (otherwise instanceof ExpressionError) throw then;
      return mark(either(unknown, otherwise, node, this.budget), marks);
    }
    const other = otherwise instanceof ExpressionError ? unknown : otherwise;
    return mark(either(then, other, node, this.budget), marks);
  }

  #list(node: NodeOf<"list">, variables: Variables): Value {
    const marks = noMarks();
    const items: Value[] = [];
    let open = false;
    for (const { value, optional } of node.items) {
      const entry = this.#entry(value, optional, variables, marks);
      if (entry === "unknown") open = true;
      else if (entry !== "absent") items.push(entry.value);
    }
    const made = this.budget.spendOnList(items, node);
    if (!open) return markValue(made, marks);
    const { secret, sealed } = measure(made);
    return markValue(unknownOf("array"), {
      secret: marks.secret || secret,
      sealed: marks.sealed || sealed,
    });
  }

  #map(node: NodeOf<"map">, variables: Variables): Value {
    const marks = noMarks();
    const entries = new Map<string, Value>();
    let open = false;
    for (const { key: keyNode, value, optional } of node.entries) {
      const givenKey = this.value(keyNode, variables);
      if (isSealed(givenKey)) throw sealedValue("A key", keyNode);
      const key = unmark(givenKey, marks);
      const entry = this.#entry(value, optional, variables, marks);
      const isKnown = typeof key === "string";
      if (
        !isKnown &&
        !(key instanceof Unknown && (key.types === undefined || key.types.includes("string")))
      )
        throw wrongKind("A key", "a string", key, keyNode);
      if (!isKnown || entry === "unknown") open = true;
      else if (entries.has(key))
        throw new ExpressionError(
          marks.secret ? { kind: "duplicate_key" } : { kind: "duplicate_key", key },
          keyNode,
        );
      else if (entry !== "absent") entries.set(key, entry.value);
    }
    const known = Object.fromEntries(entries);
    const made = this.budget.spendOnMap(known, node);
    return markValue(open ? new PartlyKnown(made) : made, marks);
  }

  /** An item of a list or the value of a key, which may be left out. */
  #entry(
    node: Node,
    optional: boolean,
    variables: Variables,
    marks: Marks,
  ): { value: Value } | "absent" | "unknown" {
    const outcome = this.run(node, variables);
    if (outcome instanceof Omission) {
      marks.secret ||= outcome.secret;
      return outcome.certain ? "absent" : "unknown";
    }
    if (!optional) return { value: requireValue(outcome, node) };
    if (outcome instanceof Optional) {
      marks.secret ||= outcome.secret;
      return outcome.state.kind === "present" ? outcome.state : outcome.state.kind;
    }
    if (isOpen(outcome)) {
      marks.secret ||= outcome instanceof Secret;
      return "unknown";
    }
    throw wrongKind("`?`", "an optional, as in `a.?b`", outcome, node);
  }

  #call(node: NodeOf<"call">, variables: Variables): Outcome {
    const { function: called, of } = node;
    const special = specialFunction(called.name);
    if (special !== undefined && (special.style === "method") === (of !== undefined))
      return callSpecial(this, node, special, variables);
    const calling = callingOf(node, this.budget);
    const entry = findFunction(calling);
    const nodes = of === undefined ? node.arguments : [of, ...node.arguments];
    const given = nodes.map((argument) => this.value(argument, variables));
    return callFunction(entry, calling, given, nodes);
  }

  #optionalMap(node: NodeOf<"optional-map">, variables: Variables): Outcome {
    const of = this.run(node.of, variables);
    if (isOpen(of)) return of;
    if (!(of instanceof Optional))
      throw isValue(of)
        ? wrongKind("`optMap`", "an optional, as in `a.?b`", of, node.of)
        : misusedOmission(node.of);
    if (of.state.kind !== "present") return of;
    const { name } = node.variable;
    const marks = { secret: of.secret, sealed: false };
    const result = this.run(node.body, { name, value: of.state.value, outer: variables });
    if (!node.flat)
      return mark(new Optional({ kind: "present", value: requireValue(result, node.body) }), marks);
    if (result instanceof Optional) return mark(result, marks);
    if (isOpen(result)) return mark(new Optional({ kind: "unknown" }), marks);
    throw isValue(result)
      ? wrongKind("`optFlatMap`", "an optional, as in `a.?b`", result, node.body)
      : misusedOmission(node.body);
  }
}
