/** Converts CloudFormation's functions, conditions and mappings, where a value of the deployment decides them. */
import { listIn } from "#importers/cloudformation/list-in.ts";
import { fitTo } from "#importers/draft/properties/fit-to.ts";
import {
  cannot,
  type Converted,
  isCall,
  isReference,
  memberName,
  partAt,
  referenceTo,
  secret,
  value,
} from "#importers/draft/values/converted.ts";
import type { DraftVariables } from "#importers/draft/values/draft-variables.ts";
import { draftedAt, type DraftedByScope } from "#importers/draft/values/drafted-resource.ts";
import { formulaOf } from "#importers/draft/values/formulas/formula.ts";
import { callOf } from "#importers/draft/values/functions.ts";
import { computed, type Converting, failing, type Use } from "#importers/draft/values/use.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import {
  type Expression,
  literal,
  type ObjectExpression,
  type ReferenceExpression,
  withoutLines,
} from "#importers/expression.ts";
import { isHidden } from "#importers/hidden-values.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ConditionsInForce } from "./conditions-in-force.ts";
import {
  bare,
  fitted,
  type Formula,
  formulaFor,
  isRefused,
  type Part,
  type Refused,
} from "./intrinsic-formulas.ts";
import { mappingType } from "./mapping-type.ts";
import { pseudoParameter } from "./pseudo-parameters.ts";
import { readsSecret } from "./reads-secret.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;
/** Converts a side of a choice. */
type ReadSide = (side: Expression, use: Use) => Converted;

/** Below the limit of an expression, 2,000 characters. */
const MAX_TEXT = 1_500;
/** A longer list or map of a choice is a named value. */
const MAX_INLINE = 12;
const MAX_DEPTH = 30;

export class IntrinsicValues {
  readonly #values: Converting;
  readonly #resources: DraftedByScope;
  readonly #variables: DraftVariables;
  readonly #inForce: ConditionsInForce;
  #depth = 0;

  constructor(
    values: Converting,
    resources: DraftedByScope,
    variables: DraftVariables,
    inForce: ConditionsInForce,
  ) {
    this.#values = values;
    this.#resources = resources;
    this.#variables = variables;
    this.#inForce = inForce;
  }

  convert(call: CallExpression, scope: Scope, use: Use): Converted {
    const known = call.name === "pseudo" ? undefined : this.#decided(call, scope);
    if (known !== undefined) return this.#values.decided(known, use);
    switch (call.name) {
      case "pseudo":
        return this.#pseudo(call, scope, use);
      case "?:":
        return this.choice(call, scope, use);
      case "getAzs":
        return this.#zones(call, scope, use);
      case "[]": {
        const zone = this.#zone(call, scope, use);
        if (zone !== undefined) return zone;
        // One object of a loop.
        const inLoop = this.#ofLoop(call, scope, use);
        if (inLoop !== undefined) return inLoop;
        const next = scope.decided.next(scope.decided.bound(call, scope));
        if (next === "failed") return cannot(failing, use.isSecret);
        if (next !== undefined) return this.#values.convertBound(next, use);
        break;
      }
      case "split": {
        const list = this.#joinedList(call, scope, use);
        if (list !== undefined) return list;
        break;
      }
      case "importValue":
        return this.#imported(call, use);
      case "resolve":
        return this.#resolved(call, use);
      case "base64":
      case "toJsonString":
        return this.#called(call, scope, use);
      default:
        break;
    }
    const made = this.#formula(call, scope, use);
    if (isRefused(made)) return made;
    const own = fitted(made, use.shape);
    if (own.length > MAX_TEXT) return cannot("It is too long.", use.isSecret);
    return value(`\${${bare(own)}}`);
  }

  /** Converts a condition or a mapping to a named value of the draft. */
  named(reference: ReferenceExpression, scope: Scope, use: Use): Converted {
    const { target, path } = reference;
    const { home } = scope;
    const local = target.kind === "local" ? home.locals.get(target.name) : undefined;
    if (local === undefined) return cannot("It refers to a name that is not there.", use.isSecret);
    const isCondition = local.name.startsWith("Conditions.");
    const known = isCondition ? this.#decided(local.value, home) : undefined;
    if (known !== undefined) return this.#values.decided(known, use);
    const own = local.name.slice(local.name.indexOf(".") + 1);
    const key = `${home.prefix}${local.name}`;
    const { file, line } = local;
    const at: Use = { address: `${home.prefix}${local.name}`, name: own, file, line };
    const name = this.#variables.named(key, `${home.label} ${own}`, () =>
      isCondition ? this.#condition(local.value, home, at) : this.#mapping(local.value, home, at),
    );
    if (name !== undefined) return partAt(value(referenceTo(name, [])), path);
    if (!isCondition) return cannot(computed, use.isSecret);
    const asked: Use = { ...at, name: `${home.label} ${own}`, shape: { type: "boolean" } };
    return value(this.#values.ask(asked, key, undecided));
  }

  /** A choice between two values by a condition. `read`: converts a side. */
  choice(
    { args: [condition, met, otherwise] }: CallExpression,
    scope: Scope,
    use: Use,
    read: ReadSide = (side, own) => this.#values.convert(side, scope, own),
  ): Converted {
    if (condition === undefined || met === undefined || otherwise === undefined)
      return cannot(computed, use.isSecret);
    const known = this.#decided(condition, scope);
    if (known?.kind === "literal") return read(known.value === true ? met : otherwise, use);
    const decides = this.#formula(condition, scope, asPart(use));
    if (isRefused(decides)) return decides;
    const sides: (Json | undefined)[] = [];
    for (const [side, holds] of [
      [met, true],
      [otherwise, false],
    ] as const) {
      const other = holds ? otherwise : met;
      const isLong = isLongBeside(side, other);
      const one = isLong
        ? this.#inForce.withoutFacts(() => read(side, use))
        : this.#inForce.within(condition, holds, scope, () => read(side, use));
      if (one.kind === "cannot") return one;
      const made = one.kind === "absent" ? undefined : this.#fit(one.value, use);
      sides.push(isLong && made !== undefined ? this.#asVariable(made, holds, use) : made);
    }
    const { text } = decides;
    // `!a ? b : c` reads better as `a ? c : b`.
    return /^![A-Za-z_]\w*$/.test(text)
      ? this.#chosen(text.slice(1), sides[1], sides[0], use)
      : this.#chosen(text, sides[0], sides[1], use);
  }

  #asVariable(made: Json, holds: boolean, use: Use): Json {
    const place = `${use.address} ${use.path ?? use.name} ${use.line} ${String(holds)} ${JSON.stringify(made)}`;
    const name = this.#variables.named(place, use.name, () => made);
    return name === undefined ? made : referenceTo(name, []);
  }

  /** Undefined sides leave the value out. */
  #chosen(
    condition: string,
    met: Json | undefined,
    otherwise: Json | undefined,
    use: Use,
  ): Converted {
    if (met === undefined && otherwise === undefined) return { kind: "absent", reason: leftOut };
    if (met !== undefined && JSON.stringify(met) === JSON.stringify(otherwise)) return value(met);
    if (isPlainMap(met) && isPlainMap(otherwise)) {
      const names = new Set([...Object.keys(met), ...Object.keys(otherwise)]);
      const members: JsonMap = {};
      for (const name of names) {
        const one = this.#chosen(condition, met[name], otherwise[name], use);
        if (one.kind === "cannot") return one;
        if (one.kind === "value") members[name] = one.value;
      }
      return value(members);
    }
    if (hasMaps(met) && hasMaps(otherwise)) {
      const items: Json[] = [];
      for (let at = 0; at < Math.max(met.length, otherwise.length); at += 1) {
        const one = this.#chosen(condition, met[at], otherwise[at], use);
        if (one.kind === "cannot") return one;
        if (one.kind === "value") items.push(one.value);
      }
      return value(items);
    }
    const texts = [met, otherwise].map((one) => (one === undefined ? "omit()" : formulaOf(one)));
    const text = texts.includes(undefined) ? undefined : `${condition} ? ${texts[0]} : ${texts[1]}`;
    if (text !== undefined && text.length <= MAX_TEXT) return value(`\${${text}}`);
    const named = [met, otherwise].map((one, at) => {
      const isLong = one !== undefined && JSON.stringify(one).length > 100;
      return isLong ? this.#asVariable(one, at === 0, use) : one;
    });
    const shorter = named.map((one) => (one === undefined ? "omit()" : formulaOf(one)));
    return shorter.includes(undefined)
      ? cannot(computed, use.isSecret)
      : value(`\${${condition} ? ${shorter[0]} : ${shorter[1]}}`);
  }

  #fit(made: Json, use: Use): Json {
    return fitTo(made, use.shape, (reference) => this.#values.variable(reference));
  }

  #decided(expression: Expression, scope: Scope) {
    return scope.decided.decide(scope.decided.bound(expression, scope));
  }

  /** A part of an expression of the draft. */
  #formula(expression: Expression, scope: Scope, use: Use): Formula | Refused {
    if (this.#depth > MAX_DEPTH || !this.#values.spend(1)) return refused(computed);
    this.#depth += 1;
    const made = this.#deeper(expression, scope, asPart(use));
    this.#depth -= 1;
    return made;
  }

  #deeper(expression: Expression, scope: Scope, use: Use): Formula | Refused {
    if (expression.kind === "call") {
      const known = expression.name === "pseudo" ? undefined : this.#decided(expression, scope);
      if (known?.kind === "error") return refused(failing, use.isSecret);
      const part: Part = (one) => this.#formula(one, scope, use);
      const own = known === undefined ? formulaFor(expression, part) : undefined;
      if (own !== undefined && (isRefused(own) || own.type !== "unknown")) return own;
      if (own !== undefined) return { ...own, type: mappingType(expression, scope) ?? own.type };
    }
    const made = this.#values.convert(expression, scope, use);
    if (made.kind === "cannot") return made;
    if (made.kind === "absent") return { text: "omit()", type: "unknown" };
    const type = this.#typeOf(made.value, expression, scope);
    if (isReference(made.value) && !made.value.includes(" "))
      return { text: made.value.slice(2, -1), ...type };
    const text = formulaOf(made.value);
    return text === undefined ? refused(computed, use.isSecret) : { text, ...type };
  }

  #typeOf(made: Json, expression: Expression, { home }: Scope): Omit<Formula, "text"> {
    if (typeof made === "number" || typeof made === "boolean")
      return { type: typeof made as "number" };
    if (Array.isArray(made)) return { type: "list" };
    if (typeof made !== "string") return { type: "unknown" };
    if (!isReference(made)) return { type: "text" };
    const declared = this.#values.variable(made)?.["type"];
    if (declared === "array") {
      const target = expression.kind === "reference" ? expression.target : undefined;
      const variable = target?.kind === "variable" ? home.variables.get(target.name) : undefined;
      const isNumbers = /^List<Number>$/i.test(variable?.type ?? "");
      return { type: "list", items: isNumbers ? "number" : "text" };
    }
    if (declared === "string") return { type: "text" };
    if (declared === "number" || declared === "boolean") return { type: declared };
    return { type: "unknown" };
  }

  #called({ name, args }: CallExpression, scope: Scope, use: Use): Converted {
    const values: Json[] = [];
    for (const arg of args) {
      const one = this.#values.convert(arg, scope, asPart(use));
      if (one.kind === "cannot") return one;
      values.push(one.kind === "absent" ? null : one.value);
    }
    return callOf(name, values);
  }

  /** An attribute of one object of a loop. Undefined: a part of another value. */
  #ofLoop(
    { args: [of, key, ...steps] }: CallExpression,
    scope: Scope,
    use: Use,
  ): Converted | undefined {
    if (of?.kind !== "reference" || of.target.kind !== "resource" || of.path.length > 0)
      return undefined;
    const found = draftedAt(this.#resources, of.target.address, [], scope);
    const made = found === "failed" ? undefined : found.made;
    const text = key && this.#formula(key, scope, use);
    if (made?.loop === undefined || text === undefined || isRefused(text))
      return cannot(computed, use.isSecret);
    const path = steps.map((step) => (step.kind === "literal" ? String(step.value) : ""));
    return this.#values.attributeOf(made, `${made.name}[${text.text}]`, path, use);
  }

  /** The zones of a region are taken to have the letters a, b and c. */
  #zones({ args }: CallExpression, scope: Scope, use: Use): Converted {
    const region = this.#regionIn(args, scope, use);
    return region.kind === "value"
      ? value(zoneLetters.slice(0, 3).map((one) => `${region.value}${one}`))
      : region;
  }

  /** One of the zones of a region, which may have more than three. Undefined: another part of a value. */
  #zone({ args: [of, step] }: CallExpression, scope: Scope, use: Use): Converted | undefined {
    if (of?.kind !== "call" || of.name !== "getAzs" || step === undefined) return undefined;
    const index = this.#decided(step, scope);
    const letter = index?.kind === "literal" ? zoneLetters[Number(index.value)] : undefined;
    if (letter === undefined) return undefined;
    const region = this.#regionIn(of.args, scope, use);
    return region.kind === "value" ? value(`${region.value}${letter}`) : region;
  }

  #regionIn(
    [region = literal("")]: readonly Expression[],
    scope: Scope,
    use: Use,
  ): { kind: "value"; value: string } | Refused {
    const made = this.#values.convert(region, scope, asPart(use));
    if (made.kind === "cannot") return made;
    const own = made.kind === "absent" ? "" : made.value;
    if (typeof own !== "string") return refused(computed, use.isSecret);
    return { kind: "value", value: own === "" ? "${control.target.region}" : own };
  }

  /** The list that an output of a nested stack or an argument of its parent joins, where it is taken apart again. */
  #joinedList(
    { args: [between, of], line }: CallExpression,
    scope: Scope,
    use: Use,
  ): Converted | undefined {
    if (of?.kind !== "reference" || !/^(?:module|variable)$/.test(of.target.kind)) return undefined;
    if (between?.kind !== "literal" || between.value !== ",") return undefined;
    const found = scope.decided.locate(of, scope);
    if (found === undefined || found === "failed") return undefined;
    const { home } = found.scope;
    const list = listIn(found.expression, line, home.variables);
    const isNamed = list.kind === "reference" || (list.kind === "call" && home !== scope.home);
    return list.kind === "list" || isNamed
      ? this.#values.convert(list, found.scope, use)
      : undefined;
  }

  #condition(given: Expression, home: Scope, use: Use): Json | undefined {
    if (readsSecret(given, home)) return undefined;
    const made = this.#formula(given, home, use);
    return isRefused(made) || made.text.length > MAX_TEXT ? undefined : `\${${bare(made.text)}}`;
  }

  /** A mapping without the members that may be secrets. */
  #mapping(given: Expression, home: Scope, use: Use): Json | undefined {
    if (given.kind !== "object") return undefined;
    const made: JsonMap = {};
    for (const { name: top, value: inside } of given.members) {
      const own = inside.kind === "object" ? this.#literals(inside, home, use) : {};
      const written = memberName(top);
      if (written !== undefined && Object.keys(own).length > 0) made[written] = own;
    }
    return Object.keys(made).length === 0 ? undefined : made;
  }

  #literals({ members }: ObjectExpression, home: Scope, use: Use): JsonMap {
    const made: JsonMap = {};
    for (const { name, value: given } of members) {
      const written = memberName(name);
      if (written === undefined || isHidden(given)) continue;
      const one = this.#values.convert(given, home, use);
      if (one.kind === "value") made[written] = one.value;
    }
    return made;
  }

  #pseudo({ args: [named] }: CallExpression, scope: Scope, use: Use): Converted {
    const name = named?.kind === "literal" ? String(named.value) : "";
    return pseudoParameter(name, scope, use, this.#values, this.#variables);
  }

  /** The export of another stack is a config value, which can be bound to an output of another instance. */
  #imported({ args }: CallExpression, use: Use): Converted {
    const [name = literal("")] = args;
    if (isHidden(name)) return secret();
    const words = wordsIn(name);
    const key = `importValue ${withoutLines(name)}`;
    const reason =
      "Another stack exports it: give its value, or bind it to an output of another instance.";
    const asked: Use = { ...use, name: words.join(" "), shape: { type: "string" } };
    return value(this.#fit(this.#values.ask(asked, key, reason, use.isSecret === true), use));
  }

  /** A dynamic reference is a config value. Those of the secret stores are secrets. */
  #resolved({ args }: CallExpression, use: Use): Converted {
    const [service = literal(""), name = literal("")] = args;
    if (isHidden(service) || isHidden(name)) return secret();
    const isSecret = !(service.kind === "literal" && service.value === "ssm");
    const words = wordsIn(name).filter((word) => word !== "SecretString");
    const key = `resolve ${withoutLines(service)} ${withoutLines(name)}`;
    const reason = isSecret
      ? "CloudFormation reads it from a store of secrets: give its value."
      : "CloudFormation reads it from the Parameter Store: give its value.";
    const asked: Use = { ...use, name: words.join(" "), shape: { type: "string" } };
    return value(
      this.#fit(this.#values.ask(asked, key, reason, isSecret || use.isSecret === true), use),
    );
  }
}

const zoneLetters = ["a", "b", "c", "d", "e", "f"];

const undecided =
  "The template's condition compares a secret, or something that a draft cannot compute: say whether it holds.";
const leftOut = "Both sides of its condition leave it out.";

function refused(reason: string, isSecret = false): Refused {
  return { kind: "cannot", reason, isSecret };
}

function asPart(use: Use): Use {
  return { ...use, shape: undefined, reads: undefined };
}

function isPlainMap(of: Json | undefined): of is JsonMap {
  return isJsonMap(of) && !isCall(of);
}

function hasMaps(of: Json | undefined): of is Json[] {
  return Array.isArray(of) && of.some(isPlainMap);
}

/** Whether a side is a list or map that would make an expression unreadable. */
function isLongBeside(side: Expression, other: Expression): boolean {
  if (side.kind !== "object" && side.kind !== "list") return false;
  if (side.kind === other.kind) return false;
  return sizeOf(side) > MAX_INLINE;
}

/** The words of a name with computed parts. */
function wordsIn(of: Expression): string[] {
  switch (of.kind) {
    case "literal":
      return String(of.value)
        .split(/[^A-Za-z0-9]+/)
        .filter((word) => word !== "");
    case "text":
      return of.parts.flatMap(wordsIn);
    case "reference":
      return [
        of.target.kind === "resource" ? of.target.address : of.target.name,
        ...of.path.map(String),
      ];
    case "call":
      return of.name === "pseudo" ? of.args.flatMap(wordsIn).slice(1) : of.args.flatMap(wordsIn);
    case "list":
      return of.items.flatMap(wordsIn);
    case "object":
    case "for":
    case "opaque":
      return [];
  }
}
