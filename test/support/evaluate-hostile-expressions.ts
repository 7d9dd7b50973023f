/** Evaluates the hostile expressions in a process of its own, whose memory the caller limits. Prints their outcomes. */
import { Budget } from "#engine/expressions/budget.ts";
import { evaluate } from "#engine/expressions/evaluate.ts";
import { parse } from "#engine/expressions/parse.ts";
import { hostileExpressions, hostileScope } from "./hostile-expressions.ts";

const outcomes = hostileExpressions.map(([, text]) => {
  const parsed = parse(text);
  const result =
    parsed.kind === "parsed" ? evaluate(parsed.node, hostileScope, new Budget()) : parsed;
  return result.kind === "problem" ? result.problem.kind : result.kind;
});
console.log(JSON.stringify(outcomes));
