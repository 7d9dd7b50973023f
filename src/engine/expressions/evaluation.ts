import { unknown, type Value } from "#engine/value.ts";
import type { Node, NodeOf, Range } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { ExpressionError } from "./problem.ts";
import { namesOf, type Scope, type Variables } from "./scope.ts";
import {
  isValue,
  type Marks,
  markValue,
  Omission,
  type Optional,
  type Outcome,
} from "./values/outcome.ts";

/** An evaluation under way. Its methods throw `ExpressionError`. */
export interface Evaluation {
  readonly scope: Scope;
  readonly budget: Budget;
  run(node: Node, variables: Variables): Outcome;
  /** As `run`; refuses an optional and an omission. */
  value(node: Node, variables: Variables): Value;
  /** As `run`, or the error that it fails with. Lasting errors are thrown. */
  attempt(node: Node, variables: Variables): Outcome | ExpressionError;
  /** A boolean whose marks are added to `marks`, undefined if it is only known after apply, or an error as `attempt`. */
  condition(
    node: Node,
    subject: string,
    variables: Variables,
    marks: Marks,
  ): boolean | undefined | ExpressionError;
}

/** The value of an outcome, unknown if it may be left out. Throws if it is left out, or an optional. */
export function requireValue(outcome: Outcome, at: Range): Value {
  if (isValue(outcome)) return outcome;
  if (outcome instanceof Omission && !outcome.certain)
    return markValue(unknown, { secret: outcome.secret, sealed: false });
  throw notUnwrapped(outcome, at);
}

export function notUnwrapped(outcome: Optional | Omission, at: Range): ExpressionError {
  return outcome instanceof Omission
    ? misusedOmission(at)
    : new ExpressionError({ kind: "optional_not_unwrapped" }, at);
}

export function misusedOmission(at: Range): ExpressionError {
  return new ExpressionError({ kind: "omission_not_used" }, at);
}

export function unknownName(
  node: NodeOf<"name">,
  variables: Variables,
  { scope, budget }: Pick<Evaluation, "scope" | "budget">,
): ExpressionError {
  const { name } = node;
  const names = [...namesOf(variables), ...scope.names()];
  const [first = ""] = name.split("-");
  const isSubtraction = first !== name && names.includes(first);
  const nearest = isSubtraction ? {} : budget.nearest(name, names);
  return new ExpressionError({ kind: "unknown_name", name, ...nearest }, node);
}
