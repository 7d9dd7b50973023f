import { type Expression, literal } from "#importers/expression.ts";

/** The value that leaves its property out. */
export function noValue(line: number): Expression {
  return { kind: "call", name: "pseudo", args: [literal("AWS::NoValue")], line };
}

export function isNoValue(of: Expression): boolean {
  const [named] = of.kind === "call" && of.name === "pseudo" ? of.args : [];
  return named?.kind === "literal" && named.value === "AWS::NoValue";
}
