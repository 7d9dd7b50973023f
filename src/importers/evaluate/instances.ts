/** Evaluates Terraform's `count` and `for_each`. */
import { type Expression, literal } from "#importers/expression.ts";
import { indexKey } from "#importers/reports/terraform-address.ts";
import type { ModuleCall, SourceResource } from "#importers/source-module.ts";
import { asNumber } from "./decided.ts";
import type { Bound, Decisions, Instances, Path, Scope } from "./scope.ts";

/** The limits on objects that the files decide. */
const MAX_COUNT = 500;
const MAX_MEMBERS = 500;
const MAX_KEY = 200;

/** An instance of a repeated resource or module. */
export interface Instance {
  /** Its key in an address: `[0]`, `["a"]`; empty for a single object. */
  key: string;
  /** Its part of the object's name: the number, or the key. */
  label: string;
  /** The scope with its own `count.index`, `each.key` and `each.value`. */
  scope: Scope;
}

export function eachInstance(instances: Instances, scope: Scope): Instance[] {
  switch (instances.kind) {
    case "one":
      return [{ key: "", label: "", scope }];
    case "count":
      return Array.from({ length: instances.count }, (_, index) => ({
        key: indexKey(index),
        label: instances.count === 1 ? "" : String(index + 1),
        scope: { ...scope, instance: { index } },
      }));
    case "each":
      return [...instances.members].map(([name, value]) => ({
        key: indexKey(name),
        label: name,
        scope: { ...scope, instance: { name, value } },
      }));
  }
}

/** The instance that a path reads, with the rest of the path; undefined: it does not exist. */
export function instanceAt(
  instances: Instances,
  path: Path,
): { key: string; rest: Path } | undefined {
  const [step, ...rest] = path;
  switch (instances.kind) {
    case "one":
      return { key: "", rest: path };
    case "count": {
      const isIndex = /^\d{1,9}$/.test(String(step));
      if (isIndex)
        return Number(step) < instances.count ? { key: indexKey(Number(step)), rest } : undefined;
      // Old code reads a single instance without an index.
      return instances.count === 1 ? { key: indexKey(0), rest: path } : undefined;
    }
    case "each":
      return typeof step === "string" && instances.members.has(step)
        ? { key: indexKey(step), rest }
        : undefined;
  }
}

type Deciding = Pick<Decisions, "bound" | "decide">;

/**
 * The condition that a `count` of 0 or 1 states: of `var.on ? 1 : 0`, `var.on`. Undefined: it is another number, or
 * nothing tells.
 */
export function conditionOfCount(count: Expression, home: Scope): Expression | undefined {
  const known = asNumber(home.decided.decide(home.decided.bound(count, home)));
  if (known !== undefined) return known === 0 || known === 1 ? literal(known === 1) : undefined;
  if (count.kind === "reference" && count.target.kind === "local" && count.path.length === 0) {
    const local = home.locals.get(count.target.name);
    return local && conditionOfCount(local.value, home);
  }
  if (count.kind !== "call" || count.name !== "?:") return undefined;
  const [test, yes, no] = count.args;
  const met = yes && conditionOfCount(yes, home);
  const otherwise = no && conditionOfCount(no, home);
  if (test === undefined || met === undefined || otherwise === undefined) return undefined;
  const { line } = count;
  const call = (name: string, ...args: Expression[]): Expression => ({
    kind: "call",
    name,
    args,
    line,
  });
  const not = negated(test, call);
  if (met.kind === "literal" && otherwise.kind === "literal")
    return met.value === otherwise.value ? met : met.value === true ? test : not;
  if (otherwise.kind === "literal")
    return otherwise.value === true ? call("||", not, met) : call("&&", test, met);
  if (met.kind === "literal")
    return met.value === true ? call("||", test, otherwise) : call("&&", not, otherwise);
  return call("?:", test, met, otherwise);
}

function negated(
  test: Expression,
  call: (name: string, arg: Expression) => Expression,
): Expression {
  const [of] = test.kind === "call" && test.name === "!" ? test.args : [];
  return of ?? call("!", test);
}

/** The instances of a resource or a call; undefined: the files do not decide them, or there are too many. */
export function instancesOf(
  of: SourceResource | ModuleCall,
  home: Scope,
  deciding: Deciding,
): Instances | undefined {
  const { count, forEach, repeated } = of;
  const isComponent = "isComponent" in of;
  if (of.when !== undefined) {
    const holds = deciding.decide(deciding.bound(of.when, home));
    const isNever = holds?.kind === "literal" && holds.value === false;
    if (isNever) return { kind: "count", count: 0 };
    if (isComponent) return undefined;
    // The draft has an open condition too.
    if (count === undefined && forEach === undefined) return { kind: "one" };
  }
  if (isComponent) return undefined;
  if (forEach !== undefined) return membersOf(forEach, home, deciding);
  if (count === undefined) return repeated ? undefined : { kind: "one" };
  const number = asNumber(deciding.decide(deciding.bound(count, home)));
  const isUsable = number !== undefined && Number.isInteger(number) && number >= 0;
  return isUsable && number <= MAX_COUNT ? { kind: "count", count: number } : undefined;
}

function membersOf(given: Expression, home: Scope, deciding: Deciding): Instances | undefined {
  const of = deciding.decide(deciding.bound(given, home));
  const members =
    of?.kind === "map" ? of.members : of?.kind === "list" ? textsOf(of.items, deciding) : undefined;
  if (members === undefined || members.size > MAX_MEMBERS) return undefined;
  const isTooLong = [...members.keys()].some((key) => key.length > MAX_KEY);
  return isTooLong ? undefined : { kind: "each", members };
}

/** The items of a set of texts, by themselves. */
function textsOf(items: readonly Bound[], deciding: Deciding): Map<string, Bound> | undefined {
  if (items.length > MAX_MEMBERS) return undefined;
  const members = new Map<string, Bound>();
  for (const item of items) {
    const one = deciding.decide(item);
    if (one?.kind !== "literal" || typeof one.value !== "string") return undefined;
    members.set(one.value, { expression: literal(one.value), scope: item.scope });
  }
  return members;
}
