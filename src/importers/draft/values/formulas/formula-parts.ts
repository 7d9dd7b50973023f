/** Writes the parts of values: members, items, and the objects of repeated resources. */
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { OpenType, Path } from "#importers/evaluate/scope.ts";
import type { Expression } from "#importers/expression.ts";
import { type Asked, askedBelow, chainOf, stepsIn } from "./asked-values.ts";
import { asking, asPart, type At, type FormulaReader } from "./formula-at.ts";
import { anyType, type Formula, formulaOf, itemType, member, stepText } from "./formula.ts";

export class FormulaParts {
  readonly #formulas: FormulaReader;

  constructor(formulas: FormulaReader) {
    this.#formulas = formulas;
  }

  /** The value at a path below another. */
  walk(of: Formula, path: Path, at: At): Formula | undefined {
    let made: Formula | undefined = of;
    for (let index = 0; made !== undefined && index < path.length; index += 1) {
      const step = path[index] ?? "";
      if (made.loop !== undefined) {
        made = this.#keyed(made, made.loop, formulaOfStep(step), at);
      } else if (made.type.kind === "resource") {
        return this.#attribute(made, path.slice(index), at);
      } else made = member(made, step, at.isWhole && index === path.length - 1);
    }
    return made;
  }

  /** An object of a repeated resource. */
  #keyed(of: Formula, loop: DraftedResource, key: string, at: At): Formula | undefined {
    const { type } = of;
    if (loop.loop === undefined) return key === "0" ? { text: of.text, type } : undefined;
    const inTurn = at.scope.instance !== undefined && "loop" in at.scope.instance;
    const text =
      loop.loop.by === "each" || key === "each.key"
        ? key
        : inTurn && key === "int(each.key)"
          ? "each.key"
          : /^\d+$/.test(key)
            ? JSON.stringify(key)
            : `string(${key})`;
    return { text: `${of.text}[${text}]`, type };
  }

  #attribute({ text, type }: Formula, path: Path, at: At): Formula | undefined {
    if (type.kind !== "resource") return undefined;
    const made = this.#formulas.resources.get(type.home)?.get(type.address);
    if (made === undefined) return undefined;
    const found = this.#formulas.values.attributeOf(made, text, path, at.use);
    const own = found.kind === "value" ? formulaOf(found.value) : undefined;
    return own === undefined ? undefined : { text: own, type: anyType };
  }

  /** All objects of a repeated resource, as a list or a map. */
  all({ text, type, loop }: Formula): Formula {
    if (loop === undefined) return { text, type };
    if (loop.loop === undefined)
      return { text: `(has(${text}) ? [${text}] : [])`, type: { kind: "list", of: type } };
    return loop.loop.by === "each"
      ? { text, type: { kind: "map", of: type } }
      : {
          text: `lists.range(${text}.size()).map(nth, ${text}[string(nth)])`,
          type: { kind: "list", of: type },
        };
  }

  indexed(first: Expression, steps: readonly Expression[], at: At): Formula | undefined {
    let made = this.#formulas.part(first, at);
    let path: (string | number)[] = [];
    for (const step of steps) {
      const known = at.scope.decided.decide(at.scope.decided.bound(step, at.scope));
      if (known?.kind === "literal" && typeof known.value !== "boolean" && known.value !== null) {
        path.push(known.value);
        continue;
      }
      made = made && this.walk(made, path, { ...at, isWhole: false });
      path = [];
      const key = this.#formulas.part(step, at);
      if (made === undefined || key === undefined) return undefined;
      made =
        made.loop === undefined
          ? { text: `${made.text}[${key.text}]`, type: itemType(made.type) }
          : this.#keyed(made, made.loop, key.text, at);
    }
    return made && this.walk(made, path, at);
  }

  /** A part of each item. */
  splat(first: Expression, steps: readonly Expression[], at: At): Formula | undefined {
    const path = steps.map((step) => (step.kind === "literal" ? step.value : undefined));
    if (!path.every((step) => typeof step === "string" || typeof step === "number"))
      return undefined;
    const of = this.#formulas.part(first, at);
    if (of === undefined) return undefined;
    const { loop } = of;
    if (loop !== undefined && loop.loop === undefined && path.length > 0) {
      const asked = this.walk({ text: of.text, type: of.type }, path, asking(at, loop));
      return (
        asked && {
          text: `(has(${of.text}) ? [${asked.text}] : [])`,
          type: { kind: "list", of: asked.type },
        }
      );
    }
    if (loop?.loop?.by === "count") {
      const own = this.walk({ text: `${of.text}[string(nth)]`, type: of.type }, path, at);
      return (
        own && {
          text: `lists.range(${of.text}.size()).map(nth, ${own.text})`,
          type: { kind: "list", of: own.type },
        }
      );
    }
    const all = this.all(of);
    if (all.type.kind === "resource") {
      const own = this.walk(all, path, { ...at, isWhole: false });
      return own && { text: `[${own.text}]`, type: { kind: "list", of: own.type } };
    }
    if (all.type.kind !== "list" && all.type.kind !== "set") return undefined;
    const own = this.walk({ text: "one", type: all.type.of }, path, { ...at, isWhole: false });
    if (own === undefined) return undefined;
    const text = path.length === 0 ? all.text : `${all.text}.map(one, ${own.text})`;
    return { text, type: { kind: "list", of: own.type } };
  }

  /**
   * A value that may be missing; "sure": the type of its variable says that it is there. Undefined: it has another form.
   */
  asked(expression: Expression, at: At): Asked | "sure" | undefined {
    const chain = chainOf(expression);
    if (chain === undefined) return undefined;
    const base = this.#formulas.part(chain.of, at);
    const path = base === undefined ? [] : stepsIn(chain.steps, at);
    if (base === undefined || path === undefined || path.length === 0) return undefined;
    const { loop, type } = base;
    if (loop !== undefined && loop.loop === undefined) {
      if (path[0] !== 0 || path.length === 1) return undefined;
      const own = this.walk({ text: base.text, type }, path.slice(1), asking(at, loop));
      return own && askedBelow(base.text, own);
    }
    if (type.kind === "resource") {
      const own = this.walk(base, path, asPart(at));
      return own && askedBelow(base.text, own);
    }
    return this.askedAt(base, path, at);
  }

  /** As `asked`, of a value at a path below another. */
  askedAt(base: Formula, path: Path, at: At): Asked | "sure" | undefined {
    const open = openSteps(base.type, path);
    if (open === undefined) return undefined;
    if (open === 0) return "sure";
    const value = this.walk(base, path, at);
    const optional = path
      .slice(0, open)
      .map((step) => stepText(step, true))
      .join("");
    return value && { value, optional: `${base.text}${optional}`, isAbove: open < path.length };
  }

  /** `one(…)`: the only item, or nothing. */
  only(list: Expression, at: At): Formula | undefined {
    if (list.kind === "call" && list.name === "[*]") {
      const [of, ...steps] = list.args;
      const base = of && this.#formulas.part(of, at);
      const path = stepsIn(steps, at);
      if (base?.loop !== undefined && base.loop.loop === undefined && path !== undefined) {
        const made = this.walk({ text: base.text, type: base.type }, path, asking(at, base.loop));
        const none = at.isWhole ? "omit()" : "null";
        return made && { text: `(has(${base.text}) ? ${made.text} : ${none})`, type: made.type };
      }
    }
    const made = this.#formulas.operand(list, at);
    return made && { text: `${made.text}.singleOrNone()`, type: itemType(made.type) };
  }

  /** `element(…)` wraps around the end of the list. */
  element(list: Expression, index: Expression, at: At): Formula | undefined {
    const number = this.#formulas.part(index, at);
    if (number === undefined) return undefined;
    if (list.kind === "call" && list.name === "[*]") {
      const [of, ...steps] = list.args;
      const base = of && this.#formulas.part(of, at);
      const path = stepsIn(steps, at);
      if (base?.loop?.loop?.by === "count" && path !== undefined) {
        const key = `${number.text} % ${base.text}.size()`;
        return this.walk({ text: `${base.text}[string(${key})]`, type: base.type }, path, at);
      }
    }
    const made = this.#formulas.operand(list, at);
    return (
      made && {
        text: `${made.text}[${number.text} % ${made.text}.size()]`,
        type: itemType(made.type),
      }
    );
  }
}

function formulaOfStep(step: string | number): string {
  return typeof step === "number" ? String(step) : JSON.stringify(step);
}

/** The number of steps up to the last one that may lead to nothing. Undefined: an object has no such attribute. */
function openSteps(type: OpenType, path: Path): number | undefined {
  let open = 0;
  let at = type;
  for (const [index, step] of path.entries()) {
    if (at.kind === "optional") at = at.of;
    if (at.kind === "object") {
      const own = at.attributes.get(String(step));
      if (own === undefined) return undefined;
      at = own;
    } else {
      open = index + 1;
      at = itemType(at);
    }
  }
  return open;
}
