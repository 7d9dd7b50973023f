/** Writes conditions, and values that stand in for missing ones. */
import { compilePattern } from "#engine/linear-pattern.ts";
import type { Expression } from "#importers/expression.ts";
import { chainOf, present } from "./asked-values.ts";
import { type At, type FormulaReader, knowing } from "./formula-at.ts";
import { factsIn, type Formula, itemType } from "./formula.ts";
import { withShape } from "./operand-shapes.ts";

const boolean = { type: "boolean" } as const;

export class FormulaChoices {
  readonly #formulas: FormulaReader;

  constructor(formulas: FormulaReader) {
    this.#formulas = formulas;
  }

  choice(condition: Expression, yes: Expression, no: Expression, at: At): Formula | undefined {
    const test = this.#formulas.part(condition, withShape(at, boolean));
    if (test === undefined) return undefined;
    const branch = (of: Expression, holds: boolean) => {
      const made = this.#formulas.read(of, {
        ...at,
        depth: at.depth + 1,
        use: knowing(at.use, factsIn(test.text, holds)),
      });
      return made && this.#formulas.parts.all(made);
    };
    const [met, otherwise] = [branch(yes, true), branch(no, false)];
    if (met === undefined || otherwise === undefined) return undefined;
    const isNothing = met.text === "omit()" || met.text === "null" || /^[[{][\]}]$/.test(met.text);
    const type = isNothing ? otherwise.type : met.type;
    return { text: `(${test.text} ? ${met.text} : ${otherwise.text})`, type };
  }

  logic(name: string, left: Expression, right: Expression, at: At): Formula | undefined {
    const inside = withShape(at, boolean);
    const one = this.#formulas.part(left, inside);
    if (one === undefined) return undefined;
    const use = knowing(inside.use, factsIn(one.text, name === "&&"));
    const other = this.#formulas.part(right, { ...inside, use });
    return other && { text: `(${one.text} ${name} ${other.text})`, type: { kind: "bool" } };
  }

  /** A comparison to null of a value that another one stands for. */
  comparedToNull(name: string, left: Expression, right: Expression, at: At): Formula | undefined {
    const isNull = (of: Expression) => {
      const known = at.scope.decided.decide(at.scope.decided.bound(of, at.scope));
      return known?.kind === "literal" && known.value === null;
    };
    const of = isNull(right) ? left : isNull(left) ? right : undefined;
    const made = of && this.#formulas.part(of, at);
    return made?.empty === undefined
      ? undefined
      : { text: `(${made.text} ${name} ${made.empty})`, type: { kind: "bool" } };
  }

  /** Whether a pattern is found in a text: `length(regexall(pattern, text))` as compared to 0. */
  found(left: Expression, right: Expression, at: At): Formula | undefined {
    const [matches] = left.kind === "call" && left.name === "length" ? left.args : [];
    const [pattern, of] =
      matches?.kind === "call" && matches.name === "regexall" ? matches.args : [];
    const isZero = right.kind === "literal" && right.value === 0;
    if (!isZero || pattern === undefined || of === undefined) return undefined;
    const [known, text] = [this.#formulas.part(pattern, at), this.#formulas.part(of, at)];
    const isKnown =
      known?.text.startsWith('"') === true &&
      typeof compilePattern(JSON.parse(known.text) as string) !== "string";
    return isKnown && text !== undefined
      ? { text: `${text.text}.matches(${known.text})`, type: { kind: "bool" } }
      : undefined;
  }

  attempt(args: readonly Expression[], at: At): Formula | undefined {
    const [first, ...others] = args;
    if (first === undefined) return undefined;
    if (others.length === 0) return this.#formulas.read(first, at);
    const chain = chainOf(first);
    // A whole name cannot fail.
    if (chain !== undefined && chain.steps.length === 0) return this.#formulas.read(first, at);
    const asked = this.#formulas.parts.asked(first, at);
    if (asked === "sure") return this.#formulas.read(first, at);
    const rest = this.attempt(others, at);
    return asked === undefined || rest === undefined ? undefined : present(asked, rest);
  }

  lookup(
    map: Expression,
    key: Expression,
    otherwise: Expression | undefined,
    at: At,
  ): Formula | undefined {
    const of = this.#formulas.operand(map, at);
    const name = this.#formulas.part(key, at);
    if (of === undefined || name === undefined) return undefined;
    const type = itemType(of.type);
    if (otherwise === undefined) return { text: `${of.text}[${name.text}]`, type };
    const rest = this.#formulas.read(otherwise, { ...at, depth: at.depth + 1 });
    if (rest === undefined) return undefined;
    const value = { text: `${of.text}[${name.text}]`, type };
    const known = at.scope.decided.decide(at.scope.decided.bound(key, at.scope));
    const word =
      known?.kind === "literal" && typeof known.value === "string" ? known.value : undefined;
    const asked =
      word === undefined
        ? { value, optional: `${of.text}[?${name.text}]`, isAbove: false }
        : this.#formulas.parts.askedAt(of, [word], at);
    if (asked === "sure") return this.#formulas.parts.walk(of, [word ?? ""], at);
    return asked && present(asked, rest);
  }

  /** The first argument that is neither null nor empty. */
  firstPresent([first, ...others]: readonly Expression[], at: At): Formula | undefined {
    if (first === undefined) return undefined;
    const made = this.#formulas.part(first, at);
    if (made === undefined || others.length === 0) return made;
    const rest = this.firstPresent(others, at);
    if (rest === undefined) return undefined;
    const { text, empty, type } = made;
    const isText = type.kind === "string" || type.kind === "any";
    const test =
      empty !== undefined
        ? `${text} != ${empty}`
        : isText
          ? `${text} != null && ${text} != ""`
          : `${text} != null`;
    return { text: `(${test} ? ${text} : ${rest.text})`, type };
  }
}
