/**
 * Writes expressions that a value of the deployment decides as expressions of the template language: `var.size > 1 ?
 * "large" : "small"`, `[for zone in var.zones : upper(zone)]`, `aws_subnet.a[*].id`.
 */
import { type Fact, isSameFact } from "#engine/expressions/reads.ts";
import { constraintOf } from "#importers/draft/scopes/constraint.ts";
import type {
  Bound,
  Loop,
  OpenType,
  OpenValue,
  Path,
  Scope,
} from "#importers/draft/scopes/scope.ts";
import type { Expression, ForExpression, ReferenceExpression } from "#importers/expression.ts";
import { type Converted, value } from "./converted.ts";
import type { DraftNames } from "./draft-names.ts";
import { draftedAt, type DraftedByScope, type DraftedResource } from "./drafted-resource.ts";
import { forms, typeOfCall } from "./formula-forms.ts";
import { anyType, factsIn, type Formula, formulaOf, stepText } from "./formula.ts";
import type { Converting, Use } from "./use.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** Below the limit of an expression, 2,000 characters. */
const MAX_TEXT = 1_500;
const MAX_DEPTH = 30;

/** The place of a part in a formula. `isWhole`: its value is the formula's, so it may be omitted. */
interface At {
  scope: Scope;
  use: Use;
  depth: number;
  isWhole: boolean;
}

export class Formulas {
  readonly #values: Converting;
  readonly #resources: DraftedByScope;
  readonly #names: DraftNames;
  /** The names of variables of loops. A loop may be written several times. */
  readonly #variables = new Map<Expression, Map<string, string>>();
  readonly #elements = new Map<Scope, Map<Loop, OpenType>>();

  constructor(values: Converting, resources: DraftedByScope, names: DraftNames) {
    this.#values = values;
    this.#resources = resources;
    this.#names = names;
  }

  /** Undefined: the template language has no form for a part of it. */
  convert(expression: Expression, scope: Scope, use: Use): Converted | undefined {
    const made = this.formula(expression, scope, use, use.isPart !== true);
    if (made === undefined || made.text.length > MAX_TEXT) return undefined;
    return value(`\${${made.text}}`);
  }

  formula(expression: Expression, scope: Scope, use: Use, isWhole = false): Formula | undefined {
    const inside = { ...use, shape: undefined, reads: undefined, isPart: true };
    return this.#read(expression, { scope, use: inside, depth: 0, isWhole });
  }

  /** The formula of a name in a scope: of a variable of a loop, or of `each.value`. Undefined: it has another value. */
  open({ target }: ReferenceExpression, scope: Scope): Formula | undefined {
    const { instance, items } = scope;
    if (target.kind === "item") {
      const own = items?.get(target.name);
      return own !== undefined && "formula" in own ? ofOpen(own) : undefined;
    }
    if (instance === undefined || !("loop" in instance)) return undefined;
    if (target.kind === "count") return { text: "int(each.key)", type: { kind: "number" } };
    if (target.kind !== "each") return undefined;
    return target.name === "key"
      ? { text: "each.key", type: { kind: "string" } }
      : { text: "each.value", type: this.#elementOf(instance.loop, scope.home) };
  }

  /** The map or list of texts over which a loop runs. */
  loopOver(of: Formula, by: Loop["by"]): string {
    if (by === "count") return `lists.range(${of.text}).map(nth, string(nth))`;
    return this.#all(of).text;
  }

  /** The part of a formula at a path. */
  below(of: Formula, path: Path, scope: Scope, use: Use): Formula | undefined {
    const inside = { ...use, shape: undefined, reads: undefined, isPart: true };
    return this.#walk(of, path, { scope, use: inside, depth: 0, isWhole: use.isPart !== true });
  }

  /** The type of a loop's values. */
  #elementOf(loop: Loop, home: Scope): OpenType {
    const own = this.#elements.get(home) ?? new Map<Loop, OpenType>();
    this.#elements.set(home, own);
    const known = own.get(loop);
    if (known !== undefined) return known;
    // A loop over itself has values of no known type.
    own.set(loop, anyType);
    const use: Use = { address: "", name: "", file: "", line: 1 };
    const of = this.formula(loop.of, home, use);
    const type = of === undefined ? anyType : itemType(this.#all(of).type);
    own.set(loop, type);
    return type;
  }

  /** The text of an expression, which can stand beside any operator. */
  #read(expression: Expression, at: At): Formula | undefined {
    if (at.depth > MAX_DEPTH || !this.#values.spend(1)) return undefined;
    const { scope } = at;
    if (isNoValue(expression)) return { text: "omit()", type: anyType };
    const known = scope.decided.decide(scope.decided.bound(expression, scope));
    if (known?.kind === "error") return undefined;
    if (known?.kind === "literal") return this.#literal(known.value, at);
    if (known?.kind === "list") return this.#list(known.items, at);
    if (known?.kind === "map") return this.#map([...known.members], at);
    switch (expression.kind) {
      case "call":
        return this.#call(expression, at);
      case "for":
        return this.#loop(expression, at);
      case "text":
        return this.#joined(expression.parts, at);
      case "list":
        return this.#list(
          expression.items.map((item) => ({ expression: item, scope })),
          at,
        );
      case "object":
        return this.#map(
          expression.members.map(({ name, value: one }) => [name, { expression: one, scope }]),
          at,
        );
      case "reference":
        return this.#reference(expression, at);
      case "literal":
        return this.#literal(expression.value, at);
      case "opaque":
        return this.#converted(expression, at);
    }
  }

  #part(expression: Expression, at: At): Formula | undefined {
    return this.#read(expression, { ...at, depth: at.depth + 1, isWhole: false });
  }

  #bound(bound: Bound, at: At): Formula | undefined {
    const { expression, scope, constraint } = bound;
    const inside = { ...at, scope, depth: at.depth + 1 };
    if (constraint === undefined) return this.#read(expression, inside);
    const known = scope.decided.decide(bound);
    if (known?.kind === "error") return undefined;
    if (known?.kind === "literal") return this.#literal(known.value, inside);
    if (known?.kind === "list") return this.#list(known.items, inside);
    if (known?.kind === "map") return this.#map([...known.members], inside);
    const made = this.#read(expression, inside);
    return made && { ...made, type: constraint };
  }

  #literal(given: string | number | boolean | null, at: At): Formula | undefined {
    if (given === null) return { text: at.isWhole ? "omit()" : "null", type: anyType };
    const made = this.#values.convert({ kind: "literal", value: given }, at.scope, at.use);
    if (made.kind !== "value") return undefined;
    // Converted literals are escaped as texts of a template.
    if (typeof given === "string") return { text: JSON.stringify(given), type: { kind: "string" } };
    const kind = typeof given === "number" ? "number" : "bool";
    return { text: String(given), type: { kind } };
  }

  #list(items: readonly Bound[], at: At): Formula | undefined {
    const made: Formula[] = [];
    for (const item of items) {
      const one = this.#bound(item, { ...at, isWhole: false });
      if (one === undefined) return undefined;
      made.push(one);
    }
    const of = made[0]?.type ?? anyType;
    return { text: `[${made.map(({ text }) => text).join(", ")}]`, type: { kind: "list", of } };
  }

  #map(members: readonly (readonly [string, Bound])[], at: At): Formula | undefined {
    const attributes = new Map<string, OpenType>();
    const entries: string[] = [];
    for (const [name, member] of members) {
      const one = this.#bound(member, { ...at, isWhole: false });
      if (one === undefined) return undefined;
      attributes.set(name, one.type);
      entries.push(`${JSON.stringify(name)}: ${one.text}`);
    }
    return { text: `{${entries.join(", ")}}`, type: { kind: "object", attributes } };
  }

  #joined(parts: readonly Expression[], at: At): Formula | undefined {
    const texts = parts.map((part) => {
      const made = this.#part(part, at);
      if (made === undefined || made.text.startsWith('"')) return made?.text;
      return made.text === "int(each.key)" ? "each.key" : `string(${made.text})`;
    });
    return texts.includes(undefined)
      ? undefined
      : { text: `(${texts.join(" + ")})`, type: { kind: "string" } };
  }

  /** A value that has no form of its own here. */
  #converted(expression: Expression, at: At): Formula | undefined {
    const made = this.#values.convert(expression, at.scope, at.use);
    if (made.kind === "absent") return { text: at.isWhole ? "omit()" : "null", type: anyType };
    const text = made.kind === "value" ? formulaOf(made.value) : undefined;
    return text === undefined ? undefined : { text, type: anyType };
  }

  #reference(reference: ReferenceExpression, at: At): Formula | undefined {
    const { target, path } = reference;
    const { scope } = at;
    switch (target.kind) {
      case "item":
      case "each":
      case "count": {
        const open = this.open(reference, scope);
        return open === undefined ? this.#located(reference, at) : this.#walk(open, path, at);
      }
      case "variable":
        return this.#variable(target.name, reference, at);
      case "local": {
        const local = scope.home.locals.get(target.name);
        const whole = at.isWhole && path.length === 0;
        const of =
          local &&
          this.#bound({ expression: local.value, scope: scope.home }, { ...at, isWhole: whole });
        return of && this.#walk(of, path, at);
      }
      case "module": {
        const address = `module.${target.name}`;
        const isUsed = this.#resources.get(scope.home)?.has(address) === true;
        return isUsed ? this.#resource(address, reference, at) : this.#located(reference, at);
      }
      case "resource":
        return this.#resource(target.address, reference, at);
    }
  }

  #located(reference: ReferenceExpression, at: At): Formula | undefined {
    const found = at.scope.decided.locate(reference, at.scope);
    if (found === "failed") return undefined;
    return found === undefined ? this.#converted(reference, at) : this.#bound(found, at);
  }

  #variable(name: string, reference: ReferenceExpression, at: At): Formula | undefined {
    const { home } = at.scope;
    const declared = home.variables.get(name);
    const { path } = reference;
    if (declared === undefined) return this.#converted(reference, at);
    const type = constraintOf(declared.constraint);
    if (home.caller === undefined) {
      const of = this.#converted({ ...reference, path: [] }, { ...at, isWhole: false });
      if (of === undefined) return undefined;
      const empty = this.#values.emptyOf(declared);
      const made: Formula = { ...of, type, ...(empty === undefined ? {} : { empty }) };
      if (path.length > 0) return this.#walk(made, path, at);
      if (!at.isWhole || empty === undefined) return made;
      const test = `${of.text} != ${empty}`;
      const isGiven = isKnown(test, at.use);
      return isGiven ? made : { ...made, text: `(${test} ? ${of.text} : omit())` };
    }
    const given = home.decided.variable(home, name);
    if (given === undefined) return this.#converted(reference, at);
    const whole = at.isWhole && path.length === 0;
    const of = this.#bound(given, { ...at, isWhole: whole });
    return of && this.#walk(of, path, at);
  }

  #resource(address: string, reference: ReferenceExpression, at: At): Formula | undefined {
    const { path } = reference;
    // In other formats, the reference to a resource is its id.
    if (at.scope.module.format !== "terraform") return this.#converted(reference, at);
    const found = draftedAt(this.#resources, address, path, at.scope);
    const made = found === "failed" ? undefined : found.made;
    if (found === "failed" || made === undefined) return this.#converted(reference, at);
    const isWhole = found.rest.length === 0;
    if (!isWhole && !isRepeated(made)) return this.#converted(reference, at);
    this.#values.read(made);
    const of: Formula = {
      text: made.name,
      type: { kind: "resource", address: made.source.address, home: at.scope.home },
      ...(isRepeated(made) ? { loop: made } : {}),
    };
    return isRepeated(made) ? this.#walk(of, path, at) : of;
  }

  /** The value at a path below another. */
  #walk(of: Formula, path: Path, at: At): Formula | undefined {
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
    const made = this.#resources.get(type.home)?.get(type.address);
    if (made === undefined) return undefined;
    const found = this.#values.attributeOf(made, text, path, at.use);
    const own = found.kind === "value" ? formulaOf(found.value) : undefined;
    return own === undefined ? undefined : { text: own, type: anyType };
  }

  /** All objects of a repeated resource, as a list or a map. */
  #all({ text, type, loop }: Formula): Formula {
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

  #call(call: CallExpression, at: At): Formula | undefined {
    const { name, args } = call;
    const [first, second, third] = args;
    if (first === undefined) return undefined;
    switch (name) {
      case "?:":
        return second && third && this.#choice(first, second, third, at);
      case "[]":
        return this.#indexed(first, args.slice(1), at);
      case "[*]":
        return this.#splat(first, args.slice(1), at);
      case "try":
        return this.#attempt(args, at);
      case "lookup":
        return second && this.#lookup(first, second, third, at);
      case "coalesce":
        return this.#firstPresent(args, at);
      case "can": {
        const asked = this.#asked(first, at);
        return asked && { text: `${asked.optional}.hasValue()`, type: { kind: "bool" } };
      }
      case "one":
        return this.#only(first, at);
      case "element":
        return second && this.#element(first, second, at);
      case "toset": {
        const of = this.#operand(first, at);
        return of && { text: distinct(first, of), type: { kind: "set", of: itemType(of.type) } };
      }
      case "length": {
        const of = this.#part(first, at);
        if (of?.loop !== undefined)
          return {
            text: of.loop.loop === undefined ? `(has(${of.text}) ? 1 : 0)` : `${of.text}.size()`,
            type: { kind: "number" },
          };
        break;
      }
      case "==":
      case "!=": {
        const compared = second && this.#comparedToNull(name, first, second, at);
        if (compared !== undefined) return compared;
        break;
      }
      case "&&":
      case "||":
        return second && this.#logic(name, first, second, at);
    }
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) return undefined;
    const made: Formula[] = [];
    for (const arg of args) {
      const one = this.#operand(arg, at);
      if (one === undefined) return undefined;
      made.push(one);
    }
    const texts = made.map(({ text }) => text);
    // A config value that is a text already needs no conversion.
    const [only = ""] = texts;
    const isText =
      name === "tostring" &&
      (this.#values.variable(`\${${only}}`)?.["type"] === "string" || only === "each.key");
    const text = isText ? only : form(texts);
    return text === undefined ? undefined : { text, type: typeOfCall(name, made) };
  }

  /** An argument, in which a repeated resource is a list or a map. */
  #operand(expression: Expression, at: At): Formula | undefined {
    const made = this.#part(expression, at);
    return made && this.#all(made);
  }

  #choice(condition: Expression, yes: Expression, no: Expression, at: At): Formula | undefined {
    const test = this.#part(condition, at);
    if (test === undefined) return undefined;
    const branch = (of: Expression, holds: boolean) => {
      const made = this.#read(of, {
        ...at,
        depth: at.depth + 1,
        use: knowing(at.use, factsIn(test.text, holds)),
      });
      return made && this.#all(made);
    };
    const [met, otherwise] = [branch(yes, true), branch(no, false)];
    if (met === undefined || otherwise === undefined) return undefined;
    const isNothing = met.text === "omit()" || met.text === "null" || /^[[{][\]}]$/.test(met.text);
    const type = isNothing ? otherwise.type : met.type;
    return { text: `(${test.text} ? ${met.text} : ${otherwise.text})`, type };
  }

  #logic(name: string, left: Expression, right: Expression, at: At): Formula | undefined {
    const one = this.#part(left, at);
    if (one === undefined) return undefined;
    const use = knowing(at.use, factsIn(one.text, name === "&&"));
    const other = this.#part(right, { ...at, use });
    return other && { text: `(${one.text} ${name} ${other.text})`, type: { kind: "bool" } };
  }

  /** A comparison to null of a value that another one stands for. */
  #comparedToNull(name: string, left: Expression, right: Expression, at: At): Formula | undefined {
    const isNull = (of: Expression) => {
      const known = at.scope.decided.decide(at.scope.decided.bound(of, at.scope));
      return known?.kind === "literal" && known.value === null;
    };
    const of = isNull(right) ? left : isNull(left) ? right : undefined;
    const made = of && this.#part(of, at);
    return made?.empty === undefined
      ? undefined
      : { text: `(${made.text} ${name} ${made.empty})`, type: { kind: "bool" } };
  }

  #indexed(first: Expression, steps: readonly Expression[], at: At): Formula | undefined {
    let made = this.#part(first, at);
    let path: (string | number)[] = [];
    for (const step of steps) {
      const known = at.scope.decided.decide(at.scope.decided.bound(step, at.scope));
      if (known?.kind === "literal" && typeof known.value !== "boolean" && known.value !== null) {
        path.push(known.value);
        continue;
      }
      made = made && this.#walk(made, path, { ...at, isWhole: false });
      path = [];
      const key = this.#part(step, at);
      if (made === undefined || key === undefined) return undefined;
      made =
        made.loop === undefined
          ? { text: `${made.text}[${key.text}]`, type: itemType(made.type) }
          : this.#keyed(made, made.loop, key.text, at);
    }
    return made && this.#walk(made, path, at);
  }

  /** A part of each item. */
  #splat(first: Expression, steps: readonly Expression[], at: At): Formula | undefined {
    const path = steps.map((step) => (step.kind === "literal" ? step.value : undefined));
    if (!path.every((step) => typeof step === "string" || typeof step === "number"))
      return undefined;
    const of = this.#part(first, at);
    if (of === undefined) return undefined;
    const { loop } = of;
    if (loop !== undefined && loop.loop === undefined && path.length > 0) {
      const asked = this.#walk({ text: of.text, type: of.type }, path, asking(at, loop));
      return (
        asked && {
          text: `(has(${of.text}) ? [${asked.text}] : [])`,
          type: { kind: "list", of: asked.type },
        }
      );
    }
    if (loop?.loop?.by === "count") {
      const own = this.#walk({ text: `${of.text}[string(nth)]`, type: of.type }, path, at);
      return (
        own && {
          text: `lists.range(${of.text}.size()).map(nth, ${own.text})`,
          type: { kind: "list", of: own.type },
        }
      );
    }
    const all = this.#all(of);
    if (all.type.kind === "resource") {
      const own = this.#walk(all, path, { ...at, isWhole: false });
      return own && { text: `[${own.text}]`, type: { kind: "list", of: own.type } };
    }
    if (all.type.kind !== "list" && all.type.kind !== "set") return undefined;
    const own = this.#walk({ text: "one", type: all.type.of }, path, { ...at, isWhole: false });
    if (own === undefined) return undefined;
    const text = path.length === 0 ? all.text : `${all.text}.map(one, ${own.text})`;
    return { text, type: { kind: "list", of: own.type } };
  }

  /** A value that may be missing; undefined: it has another form, or cannot be missing. */
  #asked(expression: Expression, at: At): Asked | undefined {
    const chain = chainOf(expression);
    if (chain === undefined) return undefined;
    const base = this.#part(chain.of, at);
    const path = base === undefined ? [] : stepsIn(chain.steps, at);
    if (base === undefined || path === undefined || path.length === 0) return undefined;
    const { loop, type } = base;
    if (loop !== undefined && loop.loop === undefined) {
      if (path[0] !== 0 || path.length === 1) return undefined;
      const own = this.#walk({ text: base.text, type }, path.slice(1), asking(at, loop));
      return own && askedBelow(base.text, own.text);
    }
    if (type.kind === "resource") {
      const own = this.#walk(base, path, operand(at));
      return own && askedBelow(base.text, own.text);
    }
    const steps = (isOptional: boolean) => path.map((step) => stepText(step, isOptional)).join("");
    return { plain: base.text + steps(false), optional: base.text + steps(true) };
  }

  #attempt(args: readonly Expression[], at: At): Formula | undefined {
    const [first, ...others] = args;
    if (first === undefined) return undefined;
    if (others.length === 0) return this.#read(first, at);
    const chain = chainOf(first);
    // A whole name cannot fail.
    if (chain !== undefined && chain.steps.length === 0) return this.#read(first, at);
    const asked = this.#asked(first, at);
    const rest = this.#attempt(others, at);
    return asked === undefined || rest === undefined ? undefined : present(asked, rest);
  }

  #lookup(
    map: Expression,
    key: Expression,
    otherwise: Expression | undefined,
    at: At,
  ): Formula | undefined {
    const of = this.#operand(map, at);
    const name = this.#part(key, at);
    if (of === undefined || name === undefined) return undefined;
    const type = itemType(of.type);
    if (otherwise === undefined) return { text: `${of.text}[${name.text}]`, type };
    const rest = this.#read(otherwise, { ...at, depth: at.depth + 1 });
    if (rest === undefined) return undefined;
    const isWord = /^"[A-Za-z_][A-Za-z0-9_]*"$/.test(name.text);
    const asked: Asked = isWord
      ? askedBelow(of.text, `${of.text}.${name.text.slice(1, -1)}`)
      : { plain: `${of.text}[${name.text}]`, optional: `${of.text}[?${name.text}]` };
    return present(asked, rest);
  }

  /** The first argument that is neither null nor empty. */
  #firstPresent([first, ...others]: readonly Expression[], at: At): Formula | undefined {
    if (first === undefined) return undefined;
    const made = this.#part(first, at);
    if (made === undefined || others.length === 0) return made;
    const rest = this.#firstPresent(others, at);
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

  /** `one(…)`: the only item, or nothing. */
  #only(list: Expression, at: At): Formula | undefined {
    if (list.kind === "call" && list.name === "[*]") {
      const [of, ...steps] = list.args;
      const base = of && this.#part(of, at);
      const path = stepsIn(steps, at);
      if (base?.loop !== undefined && base.loop.loop === undefined && path !== undefined) {
        const made = this.#walk({ text: base.text, type: base.type }, path, asking(at, base.loop));
        const none = at.isWhole ? "omit()" : "null";
        return made && { text: `(has(${base.text}) ? ${made.text} : ${none})`, type: made.type };
      }
    }
    const made = this.#operand(list, at);
    return made && { text: `${made.text}.singleOrNone()`, type: itemType(made.type) };
  }

  /** `element(…)` wraps around the end of the list. */
  #element(list: Expression, index: Expression, at: At): Formula | undefined {
    const number = this.#part(index, at);
    if (number === undefined) return undefined;
    if (list.kind === "call" && list.name === "[*]") {
      const [of, ...steps] = list.args;
      const base = of && this.#part(of, at);
      const path = stepsIn(steps, at);
      if (base?.loop?.loop?.by === "count" && path !== undefined) {
        const key = `${number.text} % ${base.text}.size()`;
        return this.#walk({ text: `${base.text}[string(${key})]`, type: base.type }, path, at);
      }
    }
    const made = this.#operand(list, at);
    return (
      made && {
        text: `${made.text}[${number.text} % ${made.text}.size()]`,
        type: itemType(made.type),
      }
    );
  }

  #loop(made: ForExpression, at: At): Formula | undefined {
    const turns = made.isGrouped ? undefined : this.#turns(made, at);
    if (turns === undefined) return undefined;
    const { of, each, key, isOwnKey, isMap, test, inside } = turns;
    const body = this.#operand(made.value, inside);
    if (body === undefined) return undefined;
    if (made.key === undefined)
      return { text: turns.list(body.text), type: { kind: "list", of: body.type } };
    const own = this.#part(made.key, inside);
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
    const of = this.#operand(made.of, at);
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
    const condition = made.condition && this.#part(made.condition, inside);
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
    const test = this.#part(condition, at);
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
    const name = own.get(wanted) ?? this.#names.take(wanted.replace(/\.value$/, ""));
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

/** Whether a fact holds wherever the value is read. */
function isKnown(test: string, { facts = [] }: Use): boolean {
  const wanted = factsIn(test);
  return wanted.length > 0 && wanted.every((one) => facts.some((fact) => isSameFact(one, fact)));
}

function ofOpen({ formula, type }: OpenValue): Formula {
  return { text: formula, type };
}

export function isRepeated({ loop, source }: DraftedResource): boolean {
  return loop !== undefined || source.when !== undefined;
}

/** The use where these facts hold. */
export function knowing(use: Use, facts: readonly Fact[]): Use {
  return { ...use, facts: [...(use.facts ?? []), ...facts] };
}

/** The place inside `has(…)`, or behind it. */
function asking(at: At, of: DraftedResource): At {
  return { ...at, isWhole: false, use: { ...at.use, present: [...(at.use.present ?? []), of] } };
}

function operand(at: At): At {
  return { ...at, isWhole: false };
}

function formulaOfStep(step: string | number): string {
  return typeof step === "number" ? String(step) : JSON.stringify(step);
}

/** A value that may be missing: the value, and the optional value. */
interface Asked {
  plain: string;
  optional: string;
}

/** `whole`: the text of a value below another one, which begins with the other's text. */
function askedBelow(of: string, whole: string): Asked {
  const rest = whole.slice(of.length);
  const mark = rest.startsWith("[") ? "[?" : ".?";
  return { plain: whole, optional: `${of}${mark}${rest.slice(1)}` };
}

/** The value where it exists, else the other one. */
function present({ plain, optional }: Asked, { text, type }: Formula): Formula {
  const isOmitted = text.includes("omit()");
  return {
    text: isOmitted
      ? `(${optional}.hasValue() ? ${plain} : ${text})`
      : `${optional}.orValue(${text})`,
    type,
  };
}

/** The part of a value at a step. */
function member(of: Formula, step: string | number, isWhole: boolean): Formula | undefined {
  const { text, type } = of;
  if (type.kind !== "object") return { text: `${text}${stepText(step)}`, type: itemType(type) };
  const own = type.attributes.get(String(step));
  if (own === undefined) return undefined;
  if (own.kind !== "optional") return { text: `${text}${stepText(step)}`, type: own };
  const initial = own.default.kind === "literal" ? own.default.value : undefined;
  if (initial === undefined) return undefined;
  if (initial === null && isWhole) {
    const asked = `${text}${stepText(step)}`;
    return { text: `(has(${asked}) ? ${asked} : omit())`, type: own.of };
  }
  return {
    text: `${text}${stepText(step, true)}.orValue(${JSON.stringify(initial)})`,
    type: own.of,
  };
}

function itemType(type: OpenType): OpenType {
  if (type.kind === "list" || type.kind === "set" || type.kind === "map") return type.of;
  return anyType;
}

/** A value and the steps below it. */
function chainOf(
  expression: Expression,
): { of: Expression; steps: readonly Expression[] } | undefined {
  if (expression.kind === "reference") {
    const { path } = expression;
    return {
      of: { ...expression, path: [] },
      steps: path.map((step) => ({ kind: "literal", value: step })),
    };
  }
  if (expression.kind !== "call" || expression.name !== "[]") return undefined;
  const [of, ...steps] = expression.args;
  const below = of && chainOf(of);
  return below && { of: below.of, steps: [...below.steps, ...steps] };
}

/** The written-out steps; undefined if one is computed. */
function stepsIn(steps: readonly Expression[], { scope }: At): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (const step of steps) {
    const known = scope.decided.decide(scope.decided.bound(step, scope));
    if (known?.kind !== "literal" || known.value === null || typeof known.value === "boolean")
      return undefined;
    path.push(known.value);
  }
  return path;
}

/** A set made of a list, without repeated items where the list is computed. */
function distinct(given: Expression, { text, type }: Formula): string {
  return given.kind === "reference" || type.kind === "set" ? text : `${text}.distinct()`;
}

function isNoValue(expression: Expression): boolean {
  if (expression.kind !== "call" || expression.name !== "pseudo") return false;
  const [named] = expression.args;
  return named?.kind === "literal" && named.value === "AWS::NoValue";
}
