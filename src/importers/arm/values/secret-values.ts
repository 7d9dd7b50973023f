/** Hides values in places of secrets: by the name of the setting, or by the declaration of the name. */
import { type Expression, withParts } from "#importers/expression.ts";
import { isHidden, isSecretSetting, withoutLiterals } from "#importers/hidden-values.ts";
import type { DataNode } from "#importers/text/data-node.ts";
import { isTextPart } from "#importers/text/joined-text.ts";
import { isSecureType } from "./arm-names.ts";
import { call } from "./known-values.ts";

/** Hides the literals in a value of a secret. The conditions and the steps that select it are no part of it. */
export function withoutValues(of: Expression, line: number): Expression {
  if (of.kind === "literal" && of.value === "") return of;
  if (of.kind === "list" || of.kind === "object")
    return withParts(of, (part) => withoutValues(part, line));
  if (of.kind !== "call") return withoutLiterals(of, line);
  const isKept = (at: number) =>
    of.name === "?:" ? at === 0 : /^(?:\[\]|arm:tryGet)$/.test(of.name) && at > 0;
  const args = of.args.map((arg, at) => (isKept(at) ? arg : withoutValues(arg, line)));
  return of.name === "pseudo" ? of : { ...of, args };
}

/** Hides the literals of a secret, and marks what it refers to. */
export function asSecret(of: Expression, line: number): Expression {
  if (of.kind === "literal" && (of.value === null || of.value === "")) return of;
  if (of.kind === "list" || of.kind === "object")
    return withParts(of, (part) => asSecret(part, line));
  const left = withoutLiterals(of, line);
  return isTextPart(left) && !isHidden(left) ? call("sensitive", [left], line) : left;
}

/** A value that a name stands for, as a secret if the name or its declaration says so. */
export function asDeclared(name: string, declaration: DataNode, of: Expression): Expression {
  const isSecret = isSecureType(declaration) || isSecretSetting(name);
  return isSecret ? asSecret(of, declaration.line) : of;
}
