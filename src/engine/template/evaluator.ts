import { childrenOf } from "#engine/expressions/ast.ts";
import { Budget } from "#engine/expressions/budget.ts";
import { check } from "#engine/expressions/check.ts";
import { evaluate } from "#engine/expressions/evaluate.ts";
import { explain, type Problem } from "#engine/expressions/problem.ts";
import type { Found, Scope } from "#engine/expressions/scope.ts";
import { measure, sealedResult } from "#engine/expressions/values/measure.ts";
import { isSealed } from "#engine/expressions/values/outcome.ts";
import { textOf, textOfSealed, textTypes } from "#engine/expressions/values/text-of.ts";
import { typeAlone } from "#engine/given-variables.ts";
import { kindOf } from "#engine/kind-of.ts";
import {
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  unknownOf,
  hasSealed,
  isMap,
  mayBe,
  secretLike,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { nearest } from "#platform/text/nearest.ts";
import { access } from "./access.ts";
import { callBuiltIn } from "./built-ins.ts";
import { readsIn } from "./expressions-in.ts";
import { knownProblems } from "./known-problems.ts";
import type { Layout, Presence } from "./levels/layout.ts";
import { MAX_LINKS } from "./levels/level.ts";
import { hintForLoop, hintInFormula, type Keyed } from "./mistakes/loops-as-one.ts";
import { own } from "./own.ts";
import { formatReference } from "./references.ts";
import { quoted } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import { isFormula, UNREADABLE } from "./string-parts.ts";
import type {
  Each,
  Expression,
  Formula,
  Level,
  Place,
  Reference,
  ResourceDeclaration,
  Template,
  Within,
} from "./template.ts";
import { MAX_EXPANDED, tooLarge } from "./value-limit.ts";
import { WorkBudget } from "./work-budget.ts";

const MAX_SUGGESTIONS = 50;
const MAX_CANDIDATES = 100;

/** Eight times the size limit of values, since each value may pass through several functions. */
const MAX_WORK = 8 * MAX_EXPANDED;
/** Of a part of a text, in characters: an empty one takes time too. */
const COST_OF_PART = 16;
const COST_OF_CALL = 64;
/** Measured after references are resolved: code that reads a value later recurses into it. */
const MAX_VALUE_NESTING = 100;

export interface EvaluatorScope {
  root: Level;
  layout: Layout;
  /** The config values of the deployed template. */
  config: ValueMap;
  control: Value;
  outputsOf: (address: string, declaration: ResourceDeclaration) => Value;
}

/** The values of a level's names, computed once: every use gets the same value or error. */
interface Known {
  variables: Map<string, Value | ResolveError>;
  /** Of a component. */
  config: Map<string, Value | ResolveError>;
  /** The maps and lists of loops. */
  loops: Map<Expression, Value | ResolveError>;
}

/** Evaluates single expressions at any level. */
export class Evaluator {
  readonly #scope: EvaluatorScope;
  readonly #known = new Map<Level, Known>();
  /** Of components. */
  readonly #outputs = new Map<Level, Value | ResolveError>();
  /** Of loops: by the turns, the map from key to resource or component. */
  readonly #turns = new Map<object, Value>();
  #links = 0;
  readonly #schemas = new WorkBudget();
  /** Characters that functions and interpolations have read and written so far. */
  #work = 0;
  #suggestions = 0;
  /** Of all formulas. */
  readonly #budget = new Budget();
  /** Of all calls in `fn::` form, which `#spend` limits. */
  readonly #calls = new Budget(MAX_WORK);

  constructor(scope: EvaluatorScope) {
    this.#scope = scope;
  }

  /** Throws `ResolveError` for `omit()`. */
  evaluate(expression: Expression, within?: Within): Value {
    return requireValue(this.evaluateOrOmit(expression, within), expression.place);
  }

  /** As `evaluate`, for an expression that `omit()` may leave out. */
  evaluateOrOmit(
    expression: Expression,
    within: Within = { level: this.#scope.root },
  ): Value | typeof omitted {
    const value = this.#entry(expression, within);
    return value === perhapsOmitted ? unknown : value;
  }

  #entry(expression: Expression, within: Within): Value | typeof omitted | typeof perhapsOmitted {
    const value = this.#compute(expression, within);
    if (typeof value === "symbol") return value;
    const { size, depth } = measure(value);
    if (size > MAX_EXPANDED) throw tooLarge(expression.place);
    if (depth > MAX_VALUE_NESTING)
      throw new ResolveError(
        "nesting_too_deep",
        `The value nests deeper than ${MAX_VALUE_NESTING} levels after references are resolved.`,
        expression.place,
        "Flatten the value, or convert a part of it to a string with fn::toJSON.",
      );
    return value;
  }

  /** A variable of the deployed template, or of another level. */
  variable(name: string, place: Place, level: Level = this.#scope.root): Value {
    if (own(level.template.variables, name) === undefined)
      throw new ResolveError("unknown_reference", `There is no variable ${quoted(name)}.`, place);
    const { variables } = this.#knownOf(level);
    if (!variables.has(name)) this.#computeVariables(name, level);
    const value = variables.get(name);
    if (value instanceof ResolveError) throw value;
    return value ?? null;
  }

  #knownOf(level: Level): Known {
    const before = this.#known.get(level);
    if (before !== undefined) return before;
    const known: Known = { variables: new Map(), config: new Map(), loops: new Map() };
    this.#known.set(level, known);
    return known;
  }

  /** Computes variables in dependency order with an explicit stack: a long chain would overflow the call stack. */
  #computeVariables(wanted: string, level: Level): void {
    const { variables } = this.#knownOf(level);
    const open = new Set([wanted]);
    const stack = [{ name: wanted, needs: variablesIn(wanted, level.template) }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { name, needs } = top;
      const next = needs.pop();
      if (next === undefined) {
        if (!variables.has(name)) variables.set(name, this.#tryVariable(name, level));
        open.delete(name);
        stack.pop();
      } else if (open.has(next))
        variables.set(next, selfReference(next, placeOfVariable(next, level.template)));
      else if (!variables.has(next)) {
        open.add(next);
        stack.push({ name: next, needs: variablesIn(next, level.template) });
      }
    }
  }

  #tryVariable(name: string, level: Level): Value | ResolveError {
    const expression = own(level.template.variables, name);
    return expression === undefined ? null : attempt(() => this.evaluate(expression, { level }));
  }

  /** A config value of a component: its property, checked as an instance's value is, or the default. */
  configOf(name: string, level: Level): Value {
    const { use } = level;
    if (use === undefined) throw new Error("The deployed template has no properties");
    const { config } = this.#knownOf(level);
    return once(config, name, () => {
      // A value that depends on itself is a cycle among the resources, which the check of the template reports.
      config.set(name, selfReference(name, use.declaration.place));
      return this.#linked(level, () => this.#givenTo(name, level, use));
    });
  }

  #givenTo(name: string, { template }: Level, use: NonNullable<Level["use"]>): Value {
    const { declaration, within } = use;
    const declared = own(template.config, name);
    const expression = own(declaration.properties, name);
    const written = expression && this.evaluateOrOmit(expression, within);
    const given = written === omitted ? undefined : written;
    const place = expression?.place ?? declaration.place;
    const value = given ?? declared?.default;
    if (declared === undefined || value === undefined)
      throw new ResolveError(
        "missing_property",
        `The component ${quoted(declaration.component)} requires the property ${quoted(name)}.`,
        place,
        `Add \`${name}\` under \`properties\`.`,
      );
    if (given !== undefined) {
      const schema = hasSealed(given) ? typeAlone(declared.schema) : declared.schema;
      const [problem] = knownProblems(schema, given, this.#schemas);
      const at = problem?.pointer ? ` at ${quoted(problem.pointer)}` : "";
      if (problem !== undefined)
        throw new ResolveError(
          "invalid_value",
          `The property ${quoted(name)}${at} of the component ${quoted(declaration.component)} is not valid. ${problem.message}`,
          place,
          problem.hint,
        );
    }
    return declared.secret ? new Secret(value) : value;
  }

  #compute(expression: Expression, within: Within): Value | typeof omitted | typeof perhapsOmitted {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "list": {
        const items = expression.items.map((item) => this.#entry(item, within));
        const present = items.filter((item) => typeof item !== "symbol");
        if (!items.includes(perhapsOmitted)) return present;
        // The positions of the later items are not known.
        return secretLike(unknownOf("array"), present);
      }
      case "map":
        return this.#entries(expression.entries, within);
      case "reference":
        return this.#refer(expression.reference, within);
      case "formula":
        return this.#formula(expression.formula, within);
      case "interpolation":
        return this.#interpolate(expression.parts, expression.place, within);
      case "call": {
        const { fn, argument, place } = expression;
        const given = this.evaluate(argument, within);
        this.#spend(measure(given).size + COST_OF_CALL, place);
        const result = callBuiltIn(fn, given, place, this.#calls);
        this.#spend(measure(result).size, place);
        return result;
      }
    }
  }

  /** The values of a map's entries, without those that `omit()` leaves out or may leave out. */
  #entries(entries: { [key: string]: Expression }, within: Within): Value {
    let open = false;
    const known: [string, Value][] = [];
    for (const [key, item] of Object.entries(entries)) {
      const value = this.#entry(item, within);
      if (value === perhapsOmitted) open = true;
      else if (value !== omitted) known.push([key, value]);
    }
    const map = Object.fromEntries(known);
    return open ? new PartlyKnown(map) : map;
  }

  #spend(size: number, place: Place): void {
    this.#work += size;
    if (this.#work > MAX_WORK) throw tooLarge(place);
  }

  #refer(reference: Reference, within: Within): Value {
    const { root, path } = reference;
    return access(
      this.#root(reference, within),
      reference,
      (name, candidates) =>
        // Each search compares with every candidate: thousands of misspellings must not take minutes.
        this.#suggestions++ < MAX_SUGGESTIONS
          ? nearest(name, candidates.slice(0, MAX_CANDIDATES))
          : undefined,
      keyedOf(root, within) === "loop" ? (key) => hintForLoop(root, path, key) : undefined,
    );
  }

  #formula(formula: Formula, within: Within): Value | typeof omitted | typeof perhapsOmitted {
    const { node, placeOf, place } = formula;
    const evaluated = evaluate(node, this.#formulaScope(within, place), this.#budget);
    switch (evaluated.kind) {
      case "value":
        return evaluated.value;
      case "omitted":
        return evaluated.certain ? omitted : perhapsOmitted;
      case "problem": {
        const { message, hint } = this.explain(evaluated.problem, formula, within);
        throw new ResolveError(evaluated.problem.kind, message, placeOf(evaluated.problem), hint);
      }
    }
  }

  /** Finds the problems of a formula that its values do not matter for. */
  problemsOf({ node, place }: Formula, within: Within): Problem[] {
    return check(node, this.#formulaScope(within, place), this.#budget);
  }

  /** The problem of a formula in words for people. */
  explain(problem: Problem, { node }: Formula, within: Within): { message: string; hint?: string } {
    const hint = hintInFormula(problem, node, (name) => keyedOf(name, within));
    return { ...explain(problem), ...(hint === undefined ? {} : { hint }) };
  }

  #formulaScope(within: Within, place: Place): Scope {
    const { config, variables, resources, components } = within.level.template;
    return {
      lookup: (name) => this.#find(name, place, within),
      names: () => [
        ...[config, variables, resources, components].flatMap((section) => Object.keys(section)),
        "control",
        ...(within.each === undefined ? [] : ["each"]),
      ],
      isFraction: (name) => own(config, name)?.type === "number",
    };
  }

  #root({ root, place }: Pick<Reference, "root" | "place">, within: Within): Value {
    if (root === UNREADABLE) return unknown;
    const found = this.#find(root, place, within);
    switch (found.kind) {
      case "value":
        return found.value;
      case "absent":
        throw new ResolveError(
          "left_out",
          `${quoted(root)} is left out, because its condition \`when\` is false.`,
          place,
          `Guard it, for example \`\${${root}.?member.orValue("none")}\`.`,
        );
      case "unknown name":
        throw new ResolveError(
          "unknown_reference",
          `No config value, variable or resource is named ${quoted(root)}.`,
          place,
        );
    }
  }

  #find(root: string, place: Place, within: Within): Found {
    const { level } = within;
    const { layout, outputsOf } = this.#scope;
    const value = this.#valueOf(root, place, within);
    if (value !== undefined) return { kind: "value", value };
    const resource = layout.resource(level, root);
    if (resource !== undefined)
      return this.#found(resource, ({ address, declaration }) => outputsOf(address, declaration));
    const component = layout.component(level, root);
    if (component !== undefined) return this.#found(component, (inner) => this.#outputsOf(inner));
    return root === "control"
      ? { kind: "value", value: this.#scope.control }
      : { kind: "unknown name" };
  }

  /** The value of `each`, of a config value or of a variable. */
  #valueOf(root: string, place: Place, { level, each }: Within): Value | undefined {
    const { config, variables } = level.template;
    if (root === "each" && each !== undefined) return this.#each(each, level);
    const value = level.use === undefined ? own(this.#scope.config, root) : undefined;
    if (value !== undefined) return value;
    if (own(config, root) !== undefined) {
      if (level.use !== undefined) return this.configOf(root, level);
      throw new ResolveError(
        "missing_value",
        `The config value ${quoted(root)} has no value.`,
        place,
        "Set it in the instance's variables, its profile or a binding.",
      );
    }
    if (own(variables, root) !== undefined) return this.variable(root, place, level);
    return undefined;
  }

  /** The outputs of a component. */
  #outputsOf(level: Level): Value {
    return once(this.#outputs, level, () => this.#linked(level, () => this.#outputMap(level)));
  }

  #output(expression: Expression, level: Level): Value {
    this.#spend(COST_OF_CALL, expression.place);
    return this.#linked(level, () => this.evaluate(expression, { level }));
  }

  /** Whether `omit()` leaves an output out is known at once; its value when it is read. */
  #outputMap(level: Level): Value {
    let open = false;
    const outputs: [string, () => Value][] = [];
    for (const [name, expression] of Object.entries(level.template.outputs)) {
      const presence = mayBeOmitted(expression) ? this.#entry(expression, { level }) : undefined;
      if (presence === perhapsOmitted) open = true;
      else if (presence !== omitted) outputs.push([name, () => this.#output(expression, level)]);
    }
    const map = computedWhenRead(outputs);
    return open ? new PartlyKnown(map) : map;
  }

  /** A chain of components that read each other is as deep as the call stack. */
  #linked<T>(level: Level, compute: () => T): T {
    if (this.#links >= MAX_LINKS)
      throw new ResolveError(
        "nesting_too_deep",
        `More than ${MAX_LINKS} outputs and properties of components depend on each other in a chain.`,
        level.use?.declaration.place ?? { path: "/resources", line: 0, column: 0 },
        "Give a value in the middle of the chain to the later components directly.",
      );
    this.#links += 1;
    try {
      return compute();
    } finally {
      this.#links -= 1;
    }
  }

  /** Outputs of resources may have changed: those of components are computed anew. */
  forgetOutputs(): void {
    this.#outputs.clear();
    this.#turns.clear();
  }

  /** The value of a name by its presence; a loop is a map from key to value. */
  #found<T>(presence: Presence<T>, valueOf: (item: T) => Value): Found {
    switch (presence.kind) {
      case "one":
        return { kind: "value", value: valueOf(presence.item) };
      case "each": {
        const { items } = presence;
        const turns =
          this.#turns.get(items) ??
          computedWhenRead([...items].map(([key, item]) => [key, () => valueOf(item)]));
        this.#turns.set(items, turns);
        return { kind: "value", value: turns };
      }
      case "open":
        return { kind: "value", value: unknownOf("object") };
      case "absent":
        return { kind: "absent" };
    }
  }

  #each({ key, of }: Each, level: Level): Value {
    const map = once(this.#knownOf(level).loops, of, () => this.evaluate(of, { level }));
    const inner = map instanceof Secret ? map.value : map;
    if (typeof key !== "string") return { key, value: unknown };
    const value = Array.isArray(inner) ? key : isMap(inner) ? own(inner, key) : undefined;
    const given = value === undefined ? unknown : value;
    return { key, value: map instanceof Secret ? secretLike(given, map) : given };
  }

  #interpolate(
    parts: readonly (string | Reference | Formula)[],
    place: Place,
    within: Within,
  ): Value {
    const known: string[] = [];
    let length = 0;
    const values: Value[] = [];
    let open = false;
    for (const part of parts) {
      const value = this.#part(part, within);
      const { size } = measure(value);
      this.#spend(size + COST_OF_PART, place);
      values.push(value);
      const bare = value instanceof Secret ? value.value : value;
      // Neither the kind nor the length of a sealed value may show; the types of an unknown one are declared.
      const inner = isSealed(value) && !(bare instanceof Unknown) ? textOfSealed(bare) : bare;
      if (inner instanceof Unknown && mayBe(inner, textTypes)) {
        open = true;
        continue;
      }
      const text = textOf(inner);
      if (text === undefined) throw notText(inner, part, place);
      length += isSealed(value) ? size : text.length;
      if (length > MAX_EXPANDED) throw tooLarge(place);
      known.push(text);
    }
    const joined = open ? unknownOf("string") : known.join("");
    return values.some(isSealed) ? sealedResult(joined, length) : secretLike(joined, ...values);
  }

  #part(part: string | Reference | Formula, within: Within): Value {
    if (typeof part === "string") return part;
    if (!isFormula(part)) return this.#refer(part, within);
    const value = this.#formula(part, within);
    return value === perhapsOmitted ? unknown : requireValue(value, part.place);
  }
}

function keyedOf(name: string, { level }: Within): Keyed | undefined {
  const { resources, components, config } = level.template;
  const part = own(resources, name) ?? own(components, name);
  if (part !== undefined) return part.forEach === undefined ? undefined : "loop";
  return own(config, name)?.type === "object" ? "map" : undefined;
}

/** A map whose members are computed when they are read: a reader of one member must not pay for hundreds. */
function computedWhenRead(members: readonly (readonly [string, () => Value])[]): ValueMap {
  const map: { [name: string]: Value } = {};
  for (const [name, compute] of members)
    Object.defineProperty(map, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = compute();
        Object.defineProperty(map, name, { value, enumerable: true, configurable: true });
        return value;
      },
    });
  return map;
}

function mayBeOmitted(expression: Expression): boolean {
  if (expression.kind !== "formula") return false;
  const waiting = [expression.formula.node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "call" && at.function.name === "omit") return true;
    waiting.push(...childrenOf(at));
  }
  return false;
}

/** In place of the value of an expression that `omit()` leaves out. */
export const omitted: unique symbol = Symbol("omitted");
/** Only known after apply whether `omit()` leaves it out. */
const perhapsOmitted: unique symbol = Symbol("perhaps omitted");

function requireValue(value: Value | typeof omitted, place: Place): Value {
  if (value !== omitted) return value;
  throw new ResolveError(
    "omission_not_used",
    "`omit()` leaves out a property, an item, an entry or an output, so nothing can be computed from it.",
    place,
    "Move the condition to the property that is to be left out.",
  );
}

/** The value of a key, computed once: every use gets the same value or error. */
function once<Key>(known: Map<Key, Value | ResolveError>, key: Key, compute: () => Value): Value {
  const value = known.get(key) ?? attempt(compute);
  known.set(key, value);
  if (value instanceof ResolveError) throw value;
  return value;
}

function attempt(compute: () => Value): Value | ResolveError {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ResolveError) return error;
    throw error;
  }
}

function variablesIn(name: string, { config, variables }: Template): string[] {
  const expression = own(variables, name);
  const roots = expression === undefined ? [] : readsIn(expression).map(({ root }) => root);
  return [...new Set(roots)].filter(
    (root) => Object.hasOwn(variables, root) && !Object.hasOwn(config, root),
  );
}

function placeOfVariable(name: string, { variables }: Template): Place {
  return own(variables, name)?.place ?? { path: "/variables", line: 0, column: 0 };
}

function selfReference(name: string, place: Place): ResolveError {
  return new ResolveError(
    "dependency_cycle",
    `The variable ${quoted(name)} depends on itself.`,
    place,
  );
}

function notText(value: Value, part: string | Reference | Formula, place: Place): ResolveError {
  const name =
    typeof part === "string"
      ? ""
      : isFormula(part)
        ? "This value"
        : formatReference(part.root, part.path);
  return new ResolveError(
    "not_a_text",
    `${name} is ${kindOf(value)} and cannot be part of a string.`,
    typeof part === "string" ? place : part.place,
    value === null
      ? "Refer to a value that is not null."
      : "Make the reference the whole string, or use fn::toJSON or fn::join.",
  );
}
