/**
 * Evaluates an expression. An unknown value stays unknown unless it cannot matter; the result of a secret is secret, also
 * through a condition. Nothing decides by a sealed value, and no work depends on one.
 */
import type { Value } from "#engine/value.ts";
import type { Node } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { requireValue } from "./evaluation.ts";
import { Evaluator } from "./evaluator.ts";
import { ExpressionError, type Problem } from "./problem.ts";
import type { Scope } from "./scope.ts";
import { Omission } from "./values/outcome.ts";

export type Evaluated =
  | { kind: "value"; value: Value }
  /** By `omit()`. Not certain: only known after apply whether there is a value. */
  | { kind: "omitted"; certain: boolean; secret: boolean }
  | { kind: "problem"; problem: Problem };

/** Spends of the budget, which all expressions of a template or of a plan's policies share. */
export function evaluate(node: Node, scope: Scope, budget: Budget): Evaluated {
  try {
    const outcome = new Evaluator(scope, budget).run(node, undefined);
    if (outcome instanceof Omission) return omitted(outcome);
    return { kind: "value", value: requireValue(outcome, node) };
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: "problem", problem: error.problem };
    throw error;
  }
}

function omitted({ certain, secret }: Omission): Evaluated {
  return { kind: "omitted", certain, secret };
}
