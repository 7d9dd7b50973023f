import { holdsSecrets } from "#importers/draft/scopes/plain-value.ts";
import type { Scope } from "#importers/draft/scopes/scope.ts";
import { type Expression, partsOf, referencesIn } from "#importers/expression.ts";

/** Whether an expression reads a secret parameter, also through conditions and the parameters of nested stacks. */
export function readsSecret(given: Expression, scope: Scope): boolean {
  const seen = new Map<Scope, Set<Expression>>();
  const waiting: [Expression, Scope][] = [[given, scope.home]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [expression, home] = next;
    const known = seen.get(home) ?? new Set();
    seen.set(home, known);
    if (known.has(expression)) continue;
    known.add(expression);
    if (readsStore(expression)) return true;
    for (const { target } of referencesIn(expression)) {
      const local = target.kind === "local" ? home.locals.get(target.name) : undefined;
      if (local !== undefined) waiting.push([local.value, home]);
      const variable = target.kind === "variable" ? home.variables.get(target.name) : undefined;
      if (variable === undefined) continue;
      if (variable.sensitive || holdsSecrets(variable.default)) return true;
      const passed = home.caller?.settings.get(variable.name);
      if (passed !== undefined && home.caller !== undefined)
        waiting.push([passed, home.caller.scope.home]);
    }
  }
  return false;
}

/** Whether a part is read from a store of secrets. */
function readsStore(given: Expression): boolean {
  const waiting: Expression[] = [given];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "call" && at.name === "resolve") {
      const [service] = at.args;
      if (!(service?.kind === "literal" && service.value === "ssm")) return true;
    }
    for (const part of partsOf(at)) waiting.push(part);
  }
  return false;
}
