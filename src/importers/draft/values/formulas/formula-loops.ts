/** Writes `for` expressions and blocks over open values as loops. */
import type { Fact } from "#engine/expressions/reads.ts";
import type { Use } from "#importers/draft/values/use.ts";
import type { Bound, OpenType, OpenValue, Scope } from "#importers/evaluate/scope.ts";
import type { Expression, ForExpression } from "#importers/expression.ts";
import type { At, FormulaReader } from "./formula-at.ts";
import { anyType, factsIn, type Formula, itemType } from "./formula.ts";

export class FormulaLoops {
  readonly #formulas: FormulaReader;
  /** The names of variables of loops. A loop may be written several times. */
  readonly #variables = new Map<Expression, Map<string, string>>();

  constructor(formulas: FormulaReader) {
    this.#formulas = formulas;
  }

  loop(made: ForExpression, at: At): Formula | undefined {
    const turns = made.isGrouped ? undefined : this.#turns(made, at);
    if (turns === undefined) return undefined;
    const { of, each, key, isOwnKey, isMap, test, inside } = turns;
    const body = this.#formulas.operand(made.value, inside);
    if (body === undefined) return undefined;
    if (made.key === undefined)
      return { text: turns.list(body.text), type: { kind: "list", of: body.type } };
    const own = this.#formulas.part(made.key, inside);
    if (own === undefined) return undefined;
    const type: OpenType = { kind: "map", of: body.type };
    if (isMap && own.text === key)
      return { text: `${of}.transformMap(${key}, ${each}, ${test}${body.text})`, type };
    const index = isOwnKey ? this.#variableOf(made, "nth") : key;
    const isText = own.type.kind === "string" || own.type.kind === "any";
    const name = isText ? own.text : `string(${own.text})`;
    return {
      text: `${of}.transformMapEntry(${index}, ${each}, ${test}{${name}: ${body.text}})`,
      type,
    };
  }

  /** The turns of a `for` over an open value. Undefined: the collection or the condition has no form. */
  #turns(made: ForExpression, at: At): Turns | undefined {
    const of = this.#formulas.operand(made.of, at);
    // Nothing tells all attributes of an object.
    if (of === undefined || of.type.kind === "resource") return undefined;
    const { type } = of;
    const isList = type.kind === "list" || type.kind === "set";
    const isMap = type.kind === "map" || type.kind === "object";
    const [nameOfKey, nameOfValue = ""] =
      made.names.length === 2 ? made.names : [undefined, made.names[0]];
    const each = this.#variableOf(made, nameOfValue);
    const item: OpenValue = { formula: each, type: itemType(type) };
    // An item of a set is its own key.
    const isOwnKey = type.kind === "set";
    const key = isOwnKey ? each : this.#variableOf(made, nameOfKey ?? "key");
    const items = new Map(at.scope.items).set(nameOfValue, item);
    const keyType: OpenType = isOwnKey
      ? item.type
      : isList
        ? { kind: "number" }
        : isMap
          ? { kind: "string" }
          : anyType;
    if (nameOfKey !== undefined) items.set(nameOfKey, { formula: key, type: keyType });
    const inside: At = { ...at, scope: { ...at.scope, items }, isWhole: false };
    const condition = made.condition && this.#formulas.part(made.condition, inside);
    if (made.condition !== undefined && condition === undefined) return undefined;
    const test = condition === undefined ? "" : `${condition.text}, `;
    const takesItems = isList && (nameOfKey === undefined || isOwnKey);
    const list = (body: string): string => {
      if (!takesItems) return `${of.text}.transformList(${key}, ${each}, ${test}${body})`;
      if (body !== each) return `${of.text}.map(${each}, ${test}${body})`;
      return condition === undefined ? of.text : `${of.text}.filter(${each}, ${condition.text})`;
    };
    return { of: of.text, each, key, isOwnKey, isMap, test, inside, list };
  }

  /**
   * The blocks that a `for` over an open value makes, or a list of values. `isOne`: the draft has a single value in their
   * place. Undefined: the collection has no form.
   */
  blocks(made: ForExpression, scope: Scope, use: Use, isOne: boolean): OpenBlocks | undefined {
    const isDecided = scope.decided.decide(scope.decided.bound(made, scope)) !== undefined;
    if (made.key !== undefined || isDecided) return undefined;
    const inside = { ...use, shape: undefined, reads: undefined, isPart: true };
    const at: At = { scope, use: inside, depth: 0, isWhole: false };
    const chosen = this.#chosenBlocks(made, at, isOne);
    if (chosen !== undefined) return chosen;
    const turns = this.#turns(made, at);
    if (turns === undefined) return undefined;
    const { each, of } = turns;
    if (isOne) {
      if (turns.isMap || turns.test !== "") return undefined;
      const write = ([[body = "null"] = []]: readonly (readonly string[])[]) =>
        `(${of}.size() > 0 ? cel.bind(${each}, ${of}[0], ${body}) : omit())`;
      return { scopes: [turns.inside.scope], facts: [], write };
    }
    const write = ([bodies = []]: readonly (readonly string[])[]) => {
      const [only] = bodies;
      return bodies.length === 1 && only !== undefined
        ? turns.list(only)
        : `${turns.list(`[${bodies.join(", ")}]`)}.flatten()`;
    };
    return { scopes: [turns.inside.scope], facts: [], write };
  }

  /** Blocks for the items of a list under a condition: `for_each = var.on ? [1] : []`. */
  #chosenBlocks(made: ForExpression, at: At, isOne: boolean): OpenBlocks | undefined {
    const { scope } = at;
    const choice = made.of.kind === "call" && made.of.name === "toset" ? made.of.args[0] : made.of;
    if (choice?.kind !== "call" || choice.name !== "?:" || made.condition !== undefined)
      return undefined;
    const [condition, yes, no] = choice.args;
    const [met, otherwise] = [yes, no].map((one) => one && itemsIn(one, scope));
    if (condition === undefined || met === undefined || otherwise === undefined) return undefined;
    const isMet = otherwise.length === 0;
    const items = isMet ? met : otherwise;
    if ((isMet ? otherwise : met).length > 0 || (isOne && items.length !== 1)) return undefined;
    const test = this.#formulas.part(condition, at);
    if (test === undefined) return undefined;
    const scopes = items.map(([key, item]): Scope => {
      const own = made.names.length === 2 ? [key, item] : [item];
      const names = new Map(scope.items);
      for (const [nth, one] of own.entries()) names.set(made.names[nth] ?? "", one);
      return { ...scope, items: names };
    });
    const write = (bodies: readonly (readonly string[])[]) => {
      const all = bodies.flat();
      const some = isOne ? (all[0] ?? "omit()") : `[${all.join(", ")}]`;
      const none = isOne ? "omit()" : "[]";
      return isMet ? `(${test.text} ? ${some} : ${none})` : `(${test.text} ? ${none} : ${some})`;
    };
    return { scopes, facts: factsIn(test.text, isMet), write };
  }

  /** The name of a variable of a loop. It hides no name of the template. */
  #variableOf(loop: Expression, wanted: string): string {
    const own = this.#variables.get(loop) ?? new Map<string, string>();
    this.#variables.set(loop, own);
    const name = own.get(wanted) ?? this.#formulas.names.take(wanted.replace(/\.value$/, ""));
    own.set(wanted, name);
    return name;
  }
}

/** The turns of a `for` in the language. */
interface Turns {
  of: string;
  /** The names of its variables. */
  each: string;
  key: string;
  /** The items of a set are their own keys. */
  isOwnKey: boolean;
  isMap: boolean;
  /** The condition with a comma after it, or nothing. */
  test: string;
  inside: At;
  /** The list of a value for each turn. */
  list: (body: string) => string;
}

/** Blocks of an open number. */
export interface OpenBlocks {
  /** The scopes in which the block is converted. */
  scopes: readonly Scope[];
  /** What holds where there are blocks. */
  facts: readonly Fact[];
  /** The formula of all blocks, from those of each scope. */
  write: (bodies: readonly (readonly string[])[]) => string;
}

/** The items of a list whose length the files decide, each with its key. */
function itemsIn(expression: Expression, scope: Scope): [Bound, Bound][] | undefined {
  const known = scope.decided.decide(scope.decided.bound(expression, scope));
  const named = (name: string | number): Bound => ({
    expression: { kind: "literal", value: name },
    scope,
  });
  if (known?.kind === "map") return [...known.members].map(([name, one]) => [named(name), one]);
  if (known?.kind !== "list") return undefined;
  return known.items.map((item, at) => [named(at), item]);
}
