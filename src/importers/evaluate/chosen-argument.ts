/** Evaluates calls whose result is one of their arguments, or a part of one: conditions, `try`, indexes. */
import type { Expression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import { asNumber, asText, asTruth } from "./decided.ts";
import type { Bound, Decided, Decisions, Followed, Path } from "./scope.ts";

/** The tools to read below a value. */
export interface Choosing extends Pick<Decisions, "decide" | "follow"> {
  walk: (from: Bound, path: Path) => Followed;
  literal: (value: null, scope: Bound["scope"]) => Bound;
  attribute: (bound: Bound) => string | number | undefined;
}

type Choice = (args: readonly [Bound, ...Bound[]], values: Choosing) => Followed | undefined;

/** The argument or part that is the result of a call. Undefined: another call, or the files do not decide it. */
export function argumentOf(
  name: string,
  [first, ...others]: readonly Bound[],
  values: Choosing,
): Followed | undefined {
  return first === undefined ? undefined : choices.get(name)?.([first, ...others], values);
}

export function isChoice(name: string): boolean {
  return choices.has(name);
}

/** The path of decided steps; undefined if one is open. */
export function pathOf(steps: readonly (Decided | undefined)[]): Path | undefined {
  const path = steps.flatMap((step) =>
    step?.kind === "literal" && (typeof step.value === "string" || typeof step.value === "number")
      ? [step.value]
      : [],
  );
  return path.length === steps.length ? path : undefined;
}

const condition: Choice = ([of, yes, no], values) => {
  const isTrue = asTruth(values.decide(of));
  return isTrue === undefined ? undefined : isTrue ? yes : no;
};

const attempt: Choice = (args, values) => {
  const found = args.find((arg) => values.decide(arg)?.kind !== "error");
  if (found === undefined) return "failed";
  // Another deployment's value may lack the part.
  return isPartOfOpen(found, values) ? undefined : found;
};

function isPartOfOpen(bound: Bound, values: Choosing): boolean {
  const found = values.follow(bound);
  if (found === "failed") return false;
  const { expression, scope } = found;
  const [of, ...steps] = isPart(expression) ? expression.args : [expression];
  if (of?.kind !== "reference") return false;
  const { target, path } = of;
  if (path.length + steps.length === 0) return false;
  if (target.kind === "local") return false;
  if (target.kind !== "resource" && target.kind !== "module") return true;
  const { resources, calls } = scope.home;
  const source = target.kind === "module" ? calls.get(target.name) : resources.get(target.address);
  return source?.repeated === true && scope.decided.instances(source, scope) === undefined;
}

const firstPresent: Choice = (args, values) => {
  for (const arg of args) {
    const one = values.decide(arg);
    if (one === undefined) return values.attribute(arg) === undefined ? undefined : arg;
    if (one.kind === "error") return "failed";
    if (one.kind !== "literal" || (one.value !== null && one.value !== "")) return arg;
  }
  return "failed";
};

const part: Choice = ([of, ...steps], values) => {
  const path = pathOf(steps.map((step) => values.decide(step)));
  if (path === undefined || path.some((step) => isSecretSetting(String(step)))) return undefined;
  const from = values.follow(of);
  if (from === "failed") return "failed";
  const found = values.walk(from, path);
  // A result that is the same call again is not a step.
  return found !== "failed" && isPart(found.expression) ? undefined : found;
};

function isPart(expression: Expression): expression is Extract<Expression, { kind: "call" }> {
  return expression.kind === "call" && expression.name === "[]";
}

const only: Choice = ([of], values) => {
  const list = values.decide(of);
  if (list?.kind !== "list") return list?.kind === "error" ? "failed" : undefined;
  const [item, ...others] = list.items;
  return others.length > 0 ? "failed" : (item ?? values.literal(null, of.scope));
};

/** `element` wraps around the end of the list. */
const element: Choice = ([of, index], values) => {
  const list = values.decide(of);
  const at = index && asNumber(values.decide(index));
  if (list?.kind === "error") return "failed";
  if (list?.kind !== "list" || at === undefined || !Number.isInteger(at) || at < 0)
    return undefined;
  return list.items[at % list.items.length] ?? "failed";
};

const lookup: Choice = ([of, key, otherwise], values) => {
  const map = values.decide(of);
  if (map?.kind === "map" && map.members.size === 0) return otherwise ?? "failed";
  const name = key && asText(values.decide(key));
  if (map?.kind !== "map" || name === undefined || isSecretSetting(name)) return undefined;
  return map.members.get(name) ?? otherwise ?? "failed";
};

/** The calls whose result is one of their arguments. */
export const choices: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ["?:", condition],
  ["try", attempt],
  ["coalesce", firstPresent],
  ["[]", part],
  ["one", only],
  ["element", element],
  ["lookup", lookup],
]);
