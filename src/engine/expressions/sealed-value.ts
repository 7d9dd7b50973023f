import type { Range } from "./ast.ts";
import { ExpressionError } from "./problem.ts";

/** `subject`: what cannot take the value. */
export function sealedValue(subject: string, at: Range): ExpressionError {
  return new ExpressionError({ code: "sealed_value", subject }, at);
}
