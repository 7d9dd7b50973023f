/** Finds what a name of the source stands for, where the source writes it out. */
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import type { Scope } from "./scopes.ts";

export interface WrittenOut {
  expression: Expression;
  /** Where the names in it mean something. */
  scope: Scope;
  /** The root's variable whose default it is. */
  variable?: SourceVariable;
}

/** As many names, one for the other. */
const MAX_FOLLOWED = 50;

/**
 * What a reference to a local, a variable or an output of a module leads to: the reference itself where that is not known
 * here, or could be a secret.
 */
export function writtenOut(given: Expression, scope: Scope): WrittenOut {
  let at: WrittenOut = { expression: given, scope };
  for (let step = 0; step < MAX_FOLLOWED && at.expression.kind === "reference"; step += 1) {
    const next = followed(at.expression, at.scope);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function followed(reference: ReferenceExpression, scope: Scope): WrittenOut | undefined {
  const { target, path } = reference;
  if (target.kind === "resource" || target.kind === "each" || target.kind === "count")
    return undefined;
  if (isSecretSetting(target.name)) return undefined;
  if (target.kind === "local") return partOf(scope.locals.get(target.name)?.value, path, scope);
  if (target.kind === "module") {
    const called = scope.calls.get(target.name)?.scope;
    const [output, ...rest] = path;
    const found = called?.outputs.get(String(output));
    if (called == null || found === undefined || found.sensitive) return undefined;
    return partOf(found.value, rest, called);
  }
  const variable = scope.variables.get(target.name);
  if (variable === undefined || variable.sensitive) return undefined;
  const { caller } = scope;
  const given = caller?.settings.get(target.name);
  if (caller !== undefined && given !== undefined) return partOf(given, path, caller.scope);
  const initial = partOf(variable.default, path, scope);
  return initial && caller === undefined ? { ...initial, variable } : initial;
}

function partOf(
  of: Expression | undefined,
  path: ReferenceExpression["path"],
  scope: Scope,
): WrittenOut | undefined {
  const [step, ...rest] = path;
  if (of === undefined || step === undefined) return of && { expression: of, scope };
  if (of.kind === "reference") return { expression: { ...of, path: [...of.path, ...path] }, scope };
  if (of.kind === "list") return partOf(of.items[Number(step)], rest, scope);
  if (of.kind !== "object") return undefined;
  const member = of.members.find(({ name }) => name === String(step));
  return partOf(member?.value, rest, scope);
}
