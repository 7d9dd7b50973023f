/**
 * Writes expressions that a value of the deployment decides as expressions of the template language: `var.size > 1 ?
 * "large" : "small"`, `[for zone in var.zones : upper(zone)]`, `aws_subnet.a[*].id`.
 */
import { type Converted, value } from "#importers/draft/values/converted.ts";
import type { DraftNames } from "#importers/draft/values/draft-names.ts";
import {
  draftedAt,
  type DraftedByScope,
  isRepeated,
} from "#importers/draft/values/drafted-resource.ts";
import { asJoined, type Converting, type Use } from "#importers/draft/values/use.ts";
import { constraintOf } from "#importers/evaluate/constraint.ts";
import { stepsOfText } from "#importers/evaluate/deciding.ts";
import type { Bound, Loop, OpenType, OpenValue, Path, Scope } from "#importers/evaluate/scope.ts";
import { secretsAmong } from "#importers/evaluate/secret-members.ts";
import {
  type Expression,
  type ForExpression,
  literal,
  type ReferenceExpression,
} from "#importers/expression.ts";
import type { ValueShape } from "#providers/provider.ts";
import { armForms, typeOfArmCall } from "./arm-forms.ts";
import { type At, type FormulaReader, isKnown } from "./formula-at.ts";
import { FormulaChoices } from "./formula-choices.ts";
import { forms, typeOfCall } from "./formula-forms.ts";
import { FormulaLoops, type OpenBlocks } from "./formula-loops.ts";
import { FormulaParts } from "./formula-parts.ts";
import { anyType, type Formula, formulaOf, itemType } from "./formula.ts";
import { operandShape, withShape } from "./operand-shapes.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** Below the limit of an expression, 2,000 characters. */
const MAX_TEXT = 1_500;
const MAX_DEPTH = 30;

export class Formulas implements FormulaReader {
  readonly values: Converting;
  readonly resources: DraftedByScope;
  readonly names: DraftNames;
  readonly parts: FormulaParts = new FormulaParts(this);
  readonly #choices = new FormulaChoices(this);
  readonly #loops = new FormulaLoops(this);
  readonly #elements = new Map<Scope, Map<Loop, OpenType>>();

  constructor(values: Converting, resources: DraftedByScope, names: DraftNames) {
    this.values = values;
    this.resources = resources;
    this.names = names;
  }

  /** Undefined: the template language has no form for a part of it. */
  convert(expression: Expression, scope: Scope, use: Use): Converted | undefined {
    const made = this.formula(expression, scope, use, use.isPart !== true);
    const text = made && asType(made, use.shape?.type);
    if (text === undefined || text.length > MAX_TEXT) return undefined;
    return value(text === "true" || text === "false" ? text === "true" : `\${${text}}`);
  }

  formula(
    expression: Expression,
    scope: Scope,
    use: Use,
    isWhole = false,
    shape?: ValueShape,
  ): Formula | undefined {
    const inside = { ...use, shape, reads: undefined, isPart: true };
    const made = this.read(expression, { scope, use: inside, depth: 0, isWhole });
    return made !== undefined && this.values.spend(stepsOfText(made.text.length))
      ? made
      : undefined;
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
    return this.parts.all(of).text;
  }

  /** The part of a formula at a path. */
  below(of: Formula, path: Path, scope: Scope, use: Use): Formula | undefined {
    const inside = { ...use, shape: undefined, reads: undefined, isPart: true };
    return this.parts.walk(of, path, {
      scope,
      use: inside,
      depth: 0,
      isWhole: use.isPart !== true,
    });
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
    const type = of === undefined ? anyType : itemType(this.parts.all(of).type);
    own.set(loop, type);
    return type;
  }

  /** The text of an expression, which can stand beside any operator. */
  read(expression: Expression, at: At): Formula | undefined {
    if (at.depth > MAX_DEPTH || !this.values.spend(1)) return undefined;
    const { scope } = at;
    if (isNoValue(expression)) return { text: "omit()", type: anyType };
    const known = scope.decided.decide(scope.decided.bound(expression, scope));
    if (known?.kind === "error") return undefined;
    if (known?.kind === "literal") return this.#literal(known.value, at);
    if (known?.kind === "list") return this.#list(known.items, at);
    if (known?.kind === "map") return this.#map([...known.members], at);
    switch (expression.kind) {
      case "call":
        return this.#call(expression, joinedAt(at, expression.name));
      case "for":
        return this.#loops.loop(expression, at);
      case "text":
        return this.#joined(expression.parts, joinedAt(at, expression.parts.length));
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

  part(expression: Expression, at: At): Formula | undefined {
    return this.read(expression, { ...at, depth: at.depth + 1, isWhole: false });
  }

  bound(bound: Bound, at: At): Formula | undefined {
    const { expression, scope, constraint } = bound;
    const inside = { ...at, scope, depth: at.depth + 1 };
    if (constraint === undefined) return this.read(expression, inside);
    const known = scope.decided.decide(bound);
    if (known?.kind === "error") return undefined;
    if (known?.kind === "literal") return this.#literal(known.value, inside);
    if (known?.kind === "list") return this.#list(known.items, inside);
    if (known?.kind === "map") return this.#map([...known.members], inside);
    const made = this.read(expression, inside);
    return made && { ...made, type: constraint };
  }

  #literal(given: string | number | boolean | null, at: At): Formula | undefined {
    if (given === null) return { text: at.isWhole ? "omit()" : "null", type: anyType };
    const made = this.values.convert({ kind: "literal", value: given }, at.scope, at.use);
    if (made.kind !== "value") return undefined;
    // Converted literals are escaped as texts of a template.
    if (typeof given === "string") return { text: JSON.stringify(given), type: { kind: "string" } };
    const kind = typeof given === "number" ? "number" : "bool";
    return { text: String(given), type: { kind } };
  }

  #list(items: readonly Bound[], at: At): Formula | undefined {
    const made: Formula[] = [];
    for (const item of items) {
      const one = this.bound(item, { ...at, isWhole: false });
      if (one === undefined) return undefined;
      made.push(one);
    }
    const of = made[0]?.type ?? anyType;
    return { text: `[${made.map(({ text }) => text).join(", ")}]`, type: { kind: "list", of } };
  }

  #map(members: readonly (readonly [string, Bound])[], at: At): Formula | undefined {
    const attributes = new Map<string, OpenType>();
    const entries: string[] = [];
    const isSecret = secretsAmong(
      members.map(([name, { expression, scope }]) => ({ name, value: expression, scope })),
      at.use.isSecret === true,
    );
    for (const [name, member] of members) {
      const use = { ...at.use, isSecret: isSecret(name) };
      const one = this.bound(member, { ...at, use, isWhole: false });
      if (one === undefined) return undefined;
      attributes.set(name, one.type);
      entries.push(`${JSON.stringify(name)}: ${one.text}`);
    }
    return { text: `{${entries.join(", ")}}`, type: { kind: "object", attributes } };
  }

  #joined(parts: readonly Expression[], at: At): Formula | undefined {
    const texts = parts.map((part) => {
      const made = this.part(part, at);
      if (made === undefined || made.text.startsWith('"')) return made?.text;
      return made.text === "int(each.key)" ? "each.key" : `string(${made.text})`;
    });
    return texts.includes(undefined)
      ? undefined
      : { text: `(${texts.join(" + ")})`, type: { kind: "string" } };
  }

  /** A value that has no form of its own here. */
  #converted(expression: Expression, at: At): Formula | undefined {
    const made = this.values.convert(expression, at.scope, at.use);
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
        return open === undefined ? this.#located(reference, at) : this.parts.walk(open, path, at);
      }
      case "variable":
        return this.#variable(target.name, reference, at);
      case "local": {
        const local = scope.home.locals.get(target.name);
        const whole = at.isWhole && path.length === 0;
        const of =
          local &&
          this.bound({ expression: local.value, scope: scope.home }, { ...at, isWhole: whole });
        return of && this.parts.walk(of, path, at);
      }
      case "module": {
        const address = `module.${target.name}`;
        const isUsed = this.resources.get(scope.home)?.has(address) === true;
        return isUsed ? this.#resource(address, reference, at) : this.#located(reference, at);
      }
      case "resource":
        return this.#resource(target.address, reference, at);
    }
  }

  #located(reference: ReferenceExpression, at: At): Formula | undefined {
    const found = at.scope.decided.locate(reference, at.scope);
    if (found === "failed") return undefined;
    return found === undefined ? this.#converted(reference, at) : this.bound(found, at);
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
      const empty = this.values.emptyOf(declared);
      const made: Formula = { ...of, type, ...(empty === undefined ? {} : { empty }) };
      if (path.length > 0) return this.parts.walk(made, path, at);
      if (!at.isWhole || empty === undefined) return made;
      const test = `${of.text} != ${empty}`;
      const isGiven = isKnown(test, at.use);
      return isGiven ? made : { ...made, text: `(${test} ? ${of.text} : omit())` };
    }
    const given = home.decided.variable(home, name);
    if (given === undefined) return this.#converted(reference, at);
    const whole = at.isWhole && path.length === 0;
    const of = this.bound(given, { ...at, isWhole: whole });
    return of && this.parts.walk(of, path, at);
  }

  #resource(address: string, reference: ReferenceExpression, at: At): Formula | undefined {
    const { path } = reference;
    const { format } = at.scope.module;
    // In other formats, the reference to a resource is its id.
    if (format !== "terraform" && format !== "arm") return this.#converted(reference, at);
    const found = draftedAt(this.resources, address, path, at.scope);
    const made = found === "failed" ? undefined : found.made;
    if (found === "failed" || made === undefined) return this.#converted(reference, at);
    const isWhole = found.rest.length === 0;
    if (!isWhole && !isRepeated(made)) return this.#converted(reference, at);
    this.values.read(made);
    const of: Formula = {
      text: made.name,
      type: { kind: "resource", address: made.source.address, home: at.scope.home },
      ...(isRepeated(made) ? { loop: made } : {}),
    };
    return isRepeated(made) ? this.parts.walk(of, path, at) : of;
  }

  #call(call: CallExpression, at: At): Formula | undefined {
    const { name, args } = call;
    const [first, second, third] = args;
    if (first === undefined) return undefined;
    switch (name) {
      case "pseudo":
        return this.#converted(call, at);
      case "?:":
        return second && third && this.#choices.choice(first, second, third, at);
      case "[]":
        return this.parts.indexed(first, args.slice(1), at);
      case "[*]":
        return this.parts.splat(first, args.slice(1), at);
      case "try":
        return this.#choices.attempt(args, at);
      case "arm:coalesce": {
        // An empty value stands for null.
        const { text, empty } = this.part(first, at) ?? {};
        if (text === undefined || empty === undefined) break;
        const rest = second && this.operand(second, at);
        return rest && { text: `(${text} != ${empty} ? ${text} : ${rest.text})`, type: rest.type };
      }
      case "lookup":
        return second && this.#choices.lookup(first, second, third, at);
      case "coalesce":
        return this.#choices.firstPresent(args, at);
      case "can": {
        const asked = this.parts.asked(first, at);
        if (asked === undefined) return undefined;
        const text = asked === "sure" ? "true" : `${asked.optional}.hasValue()`;
        return { text, type: { kind: "bool" } };
      }
      case "one":
        return this.parts.only(first, at);
      case "element":
        return second && this.parts.element(first, second, at);
      case "toset": {
        const of = this.operand(first, withShape(at, { type: "array" }));
        return of && { text: distinct(first, of), type: { kind: "set", of: itemType(of.type) } };
      }
      case "length": {
        const of = this.part(first, withShape(at, { type: "array" }));
        if (of?.loop !== undefined)
          return {
            text: of.loop.loop === undefined ? `(has(${of.text}) ? 1 : 0)` : `${of.text}.size()`,
            type: { kind: "number" },
          };
        break;
      }
      case "basename":
        // The name of the folder is asked for.
        return isFolder(first) ? this.#converted(call, at) : undefined;
      case "format":
        if (first.kind === "text") return this.#formatted(first.parts, args.slice(1), at);
        break;
      case ">": {
        const isFound = second && this.#choices.found(first, second, at);
        if (isFound !== undefined) return isFound;
        break;
      }
      case "==":
      case "!=": {
        const isFound = second && this.#choices.found(first, second, at);
        if (isFound !== undefined)
          return name === "!=" ? isFound : { ...isFound, text: `!${isFound.text}` };
        const compared = second && this.#choices.comparedToNull(name, first, second, at);
        if (compared !== undefined) return compared;
        break;
      }
      case "&&":
      case "||":
        return second && this.#choices.logic(name, first, second, at);
    }
    const table = name.startsWith("arm:") ? armForms : forms;
    const form = Object.hasOwn(table, name) ? table[name] : undefined;
    if (form === undefined) return undefined;
    const made: Formula[] = [];
    const inside = name === "sensitive" ? { ...at, use: { ...at.use, isSecret: true } } : at;
    for (const [nth, arg] of args.entries()) {
      const one = this.operand(arg, withShape(inside, operandShape(name, args, nth)));
      if (one === undefined) return undefined;
      made.push(one);
    }
    const texts = made.map(({ text }) => text);
    // A config value that is a text already needs no conversion.
    const [only = ""] = texts;
    const isText =
      name === "tostring" &&
      (this.values.variable(`\${${only}}`)?.["type"] === "string" || only === "each.key");
    const text = isText ? only : form(texts);
    const type = name.startsWith("arm:") ? typeOfArmCall(name) : typeOfCall(name, made);
    return text === undefined ? undefined : { text, type };
  }

  /** `format` with values in its pattern, which are taken for texts without verbs. */
  #formatted(
    parts: readonly Expression[],
    args: readonly Expression[],
    at: At,
  ): Formula | undefined {
    const rest = [...args];
    const given: Expression[] = [];
    let pattern = "";
    for (const part of parts) {
      const known = at.scope.decided.decide(at.scope.decided.bound(part, at.scope));
      if (known?.kind === "literal" && known.value !== null) {
        const text = String(known.value);
        const verbs = text.replaceAll("%%", "").split("%").length - 1;
        given.push(...rest.splice(0, verbs));
        pattern += text;
      } else {
        given.push(part);
        pattern += "%s";
      }
    }
    const call = { kind: "call", name: "format", line: 1 } as const;
    return this.#call({ ...call, args: [literal(pattern), ...given, ...rest] }, at);
  }

  /** An argument, in which a repeated resource is a list or a map. */
  operand(expression: Expression, at: At): Formula | undefined {
    const made = this.part(expression, at);
    return made && this.parts.all(made);
  }

  blocks(made: ForExpression, scope: Scope, use: Use, isOne: boolean): OpenBlocks | undefined {
    return this.#loops.blocks(made, scope, use, isOne);
  }
}

/** Whether an expression is the path of the folder in which Terraform runs. */
export function isFolder(of: Expression | undefined): boolean {
  return of?.kind === "opaque" && /^path\.(?:cwd|root)$/.test(of.text);
}

/** The formula in the type of its property, as the source's tool converts it. */
function asType({ text, type }: Formula, wanted: ValueShape["type"]): string {
  const isNumber = wanted === "integer" || wanted === "number";
  if (text.includes("omit()")) return text;
  if (wanted === "string" && (type.kind === "number" || type.kind === "bool"))
    return `string(${text})`;
  if (isNumber && type.kind === "string")
    return `${wanted === "integer" ? "int" : "double"}(${text})`;
  return wanted === "boolean" && type.kind === "string" ? `bool(${text})` : text;
}

function ofOpen({ formula, type }: OpenValue): Formula {
  return { text: formula, type };
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

function joinedAt(at: At, of: string | number): At {
  const use = asJoined(at.use, of);
  return use === at.use ? at : { ...at, use };
}
