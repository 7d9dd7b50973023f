/** Follows names to values that the source writes out. */
import { type Expression, literal, type ReferenceExpression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { blocksIn, itemNamed, listed } from "./each-turn.ts";
import { plainValue } from "./plain-value.ts";
import type { Bound, Scope } from "./scope.ts";

export interface WrittenOut {
  expression: Expression;
  /** The scope of the names in the expression. */
  scope: Scope;
  /** The root variable whose default it is. */
  variable?: SourceVariable;
}

/** The maximum number of names followed from one. */
const MAX_FOLLOWED = 50;

/**
 * Follows a name, a condition, or a call that the files decide. Returns the same expression if the value is unknown or
 * could be a secret.
 */
export function writtenOut(given: Expression, scope: Scope): WrittenOut {
  let at: WrittenOut = { expression: given, scope };
  for (let step = 0; step < MAX_FOLLOWED; step += 1) {
    const next = followed(at.expression, at.scope);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function followed(given: Expression, scope: Scope): WrittenOut | undefined {
  if (given.kind === "call" || given.kind === "for") return behindCall(given, scope);
  if (given.kind !== "reference") return undefined;
  const { target, path } = given;
  if (target.kind === "resource" || isSecret(given, scope)) return undefined;
  if (target.kind === "variable" && scope.home.caller === undefined) {
    const variable = scope.variables.get(target.name);
    const initial = variable && partOf(variable.default, path, scope);
    return initial && { ...initial, ...(variable === undefined ? {} : { variable }) };
  }
  return writtenAt(scope.decided.locate(given, scope));
}

/** The items of a written-out list, or the single value, each with the scope of its names. */
export function itemsOf({ expression, scope }: WrittenOut): WrittenOut[] {
  const items = expression.kind === "list" ? expression.items : [expression];
  return items.map((item) => {
    const found = writtenOut(item, scope);
    return found.variable === undefined && found.expression.kind === "object"
      ? found
      : { expression: item, scope };
  });
}

/** Follows a call to another value, or to a written-out list or map. */
function behindCall(call: Expression, scope: Scope): WrittenOut | undefined {
  const bound = scope.decided.bound(call, scope);
  return writtenAt(scope.decided.next(bound)) ?? structureOf(bound) ?? openBlocks(bound);
}

/** Nested blocks, some of which the files decide. */
function openBlocks(bound: Bound): WrittenOut | undefined {
  if (bound.expression.kind !== "call" || bound.expression.name !== "{}") return undefined;
  const found = blocksIn(bound, bound.scope.decided);
  return found.length > 1 ? listed(found, bound.scope) : undefined;
}

function writtenAt(found: Bound | "failed" | undefined): WrittenOut | undefined {
  if (found === undefined || found === "failed") return undefined;
  return (found.constraint && structureOf(found)) ?? found;
}

/** A list or map that the files decide. Items from several scopes get names in one scope. */
function structureOf(bound: Bound): WrittenOut | undefined {
  const { decided } = bound.scope;
  const made = decided.decide(bound);
  if (made?.kind !== "list" && made?.kind !== "map") return undefined;
  const all = made.kind === "list" ? made.items : [...made.members.values()];
  if (!decided.spend(all.length)) return undefined;
  const written = all.map(writtenIn);
  const scopes = new Set(written.flatMap((one) => (isPlain(one.expression) ? [] : [one.scope])));
  const [scope = bound.scope, ...others] = scopes;
  const expressions = written.map((one, at) =>
    others.length === 0 || isPlain(one.expression) ? one.expression : itemNamed(String(at)),
  );
  const line = "line" in bound.expression ? bound.expression.line : 1;
  const expression: Expression =
    made.kind === "list"
      ? { kind: "list", items: expressions }
      : {
          kind: "object",
          members: [...made.members.keys()].map((name, at) => ({
            name,
            value: expressions[at] ?? literal(null),
            line,
          })),
        };
  if (others.length === 0) return { expression, scope };
  return { expression, scope: listed(written, bound.scope).scope };
}

/** The content of a list or map after its type conversion. */
function writtenIn(one: Bound): WrittenOut {
  const value = one.constraint && one.scope.decided.decide(one);
  if (value?.kind === "literal") return { expression: literal(value.value), scope: one.scope };
  return (value && structureOf(one)) ?? one;
}

/** Whether the expression means the same in every scope. */
function isPlain(expression: Expression): boolean {
  return expression.kind === "literal" || plainValue(expression) !== undefined;
}

function isSecret({ target, path }: ReferenceExpression, scope: Scope): boolean {
  if (target.kind === "variable" && scope.variables.get(target.name)?.sensitive !== false)
    return true;
  return (
    target.kind !== "resource" &&
    [target.name, ...path].some((name) => isSecretSetting(String(name)))
  );
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
