import { holdsSecrets } from "#importers/evaluate/plain-value.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { type Expression, partsOf, referencesIn } from "#importers/expression.ts";

/** An expression on the way to a secret. `from`: the expression that reads it. */
interface Step {
  expression: Expression;
  home: Scope;
  from?: Step;
}

/** The answers for conditions, which may read each other in long chains. */
const verdicts = new WeakMap<Scope, Map<Expression, boolean>>();

/** Whether an expression reads a secret parameter, also through conditions and the parameters of nested stacks. */
export function readsSecret(given: Expression, scope: Scope): boolean {
  const seen = new Map<Scope, Map<Expression, Step>>();
  const found = secretIn({ expression: given, home: scope.home }, seen);
  if (found === undefined)
    for (const steps of seen.values()) for (const step of steps.values()) note(step, false);
  for (let step = found; step !== undefined; step = step.from) note(step, true);
  return found !== undefined;
}

function note({ expression, home }: Step, verdict: boolean): void {
  const known = verdicts.get(home) ?? new Map<Expression, boolean>();
  verdicts.set(home, known);
  known.set(expression, verdict);
}

/** The first step that reads a secret. `seen`: the steps on the way. */
function secretIn(given: Step, seen: Map<Scope, Map<Expression, Step>>): Step | undefined {
  const waiting: Step[] = [given];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { expression, home } = step;
    const verdict = verdicts.get(home)?.get(expression);
    if (verdict === true) return step;
    const known = seen.get(home) ?? new Map<Expression, Step>();
    seen.set(home, known);
    if (verdict === false || known.has(expression)) continue;
    known.set(expression, step);
    if (readsStore(expression)) return step;
    for (const { target } of referencesIn(expression)) {
      const local = target.kind === "local" ? home.locals.get(target.name) : undefined;
      if (local !== undefined) waiting.push({ expression: local.value, home, from: step });
      const variable = target.kind === "variable" ? home.variables.get(target.name) : undefined;
      if (variable === undefined) continue;
      if (variable.sensitive || holdsSecrets(variable.default)) return step;
      const passed = home.caller?.settings.get(variable.name);
      if (passed !== undefined && home.caller !== undefined)
        waiting.push({ expression: passed, home: home.caller.scope.home, from: step });
    }
  }
  return undefined;
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
