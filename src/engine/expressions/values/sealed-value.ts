import type { Range } from "#engine/expressions/ast.ts";
import { ExpressionError } from "#engine/expressions/problem.ts";

/** `subject`: what cannot take the value. */
export function sealedValue(subject: string, at: Range): ExpressionError {
  return new ExpressionError({ kind: "sealed_value", subject }, at);
}
