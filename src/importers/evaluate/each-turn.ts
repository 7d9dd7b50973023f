/** Evaluates Terraform's `for`: https://developer.hashicorp.com/terraform/language/expressions/for */
import { type Expression, type ForExpression, literal } from "#importers/expression.ts";
import { asText, asTruth, decidedList, decidedMap, failed, unnamed } from "./decided.ts";
import type { Bound, Decided, Decisions, Scope } from "./scope.ts";

const MAX_TURNS = 1_000;
/** The steps of a turn, whose own names take memory. */
const STEPS_OF_TURN = 20;

type Deciding = Pick<Decisions, "bound" | "decide" | "spend">;

/** Undefined: the files do not decide the collection, or a condition or key. */
export function eachTurn(
  made: ForExpression,
  scope: Scope,
  deciding: Deciding,
): Decided | undefined {
  const given = deciding.decide(deciding.bound(made.of, scope));
  const turns = given && turnsOf(given, scope, deciding);
  if (turns === undefined || turns === "failed") return turns && failed;
  if (turns.length > MAX_TURNS || !deciding.spend(turns.length * STEPS_OF_TURN)) return undefined;
  const kept = new Map<string, Bound[]>();
  for (const [at, turn] of turns.entries()) {
    const own = scopeOf(turn, made, scope);
    const decided = (of: Expression) => deciding.decide(deciding.bound(of, own));
    const condition = made.condition && decided(made.condition);
    if (made.condition !== undefined && condition === undefined) return undefined;
    const isWanted = condition === undefined || asTruth(condition);
    if (isWanted === false) continue;
    const key = made.key && decided(made.key);
    if (made.key !== undefined && key === undefined) return undefined;
    const name = key === undefined ? String(at) : asText(key);
    if (isWanted === undefined || name === undefined) return failed;
    const same = kept.get(name) ?? [];
    if (same.length > 0 && !made.isGrouped) return failed;
    same.push(deciding.bound(made.value, own));
    kept.set(name, same);
  }
  if (made.key === undefined) return decidedList([...kept.values()].flat());
  const members = [...kept].map(([name, all]): [string, Bound] => {
    const [only] = all;
    return [name, made.isGrouped || only === undefined ? listed(all, scope) : only];
  });
  return decidedMap(new Map(members));
}

/** The key and the value of a turn. */
type Turn = readonly [Bound, Bound];

/** The turns in Terraform's order. */
function turnsOf(given: Decided, scope: Scope, deciding: Deciding): Turn[] | "failed" {
  const named = (key: string | number): Bound => ({ expression: literal(key), scope });
  if (given.kind === "map")
    return [...given.members]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [
        named(name),
        unnamed(name, one, (of) => deciding.decide(of), { keepsMaps: true }),
      ]);
  if (given.kind !== "list") return "failed";
  return given.items.map((item, at) => [given.isSet === true ? item : named(at), item]);
}

function scopeOf(turn: Turn, { names }: ForExpression, scope: Scope): Scope {
  const items = new Map(scope.items);
  for (const [at, one] of turn.slice(-names.length).entries()) items.set(names[at] ?? "", one);
  return { ...scope, items };
}

/** Nested blocks in order. A `dynamic` block that the files do not decide stays itself. */
export function blocksIn({ expression, scope }: Bound, deciding: Deciding): Bound[] {
  const args = expression.kind === "call" ? expression.args : [];
  return args.flatMap((arg): readonly Bound[] => {
    const bound = deciding.bound(arg, scope);
    const made = arg.kind === "for" ? deciding.decide(bound) : undefined;
    return made?.kind === "list" ? made.items : [bound];
  });
}

/** Combines values of several scopes to a list in one scope. */
export function listed(values: readonly Bound[], scope: Scope): Bound {
  const items = new Map(values.map((value, at) => [String(at), value]));
  return {
    expression: { kind: "list", items: values.map((_, at) => itemNamed(String(at))) },
    scope: { ...scope, items },
  };
}

/** The reference to an item of a scope. */
export function itemNamed(name: string): Expression {
  return { kind: "reference", target: { kind: "item", name }, path: [], line: 1 };
}
