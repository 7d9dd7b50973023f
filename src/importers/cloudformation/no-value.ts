import { type Expression, literal } from "#importers/expression.ts";

/** The value that leaves its property out. */
export function noValue(line: number): Expression {
  return { kind: "call", name: "pseudo", args: [literal("AWS::NoValue")], line };
}
