import type { Diagnostic } from "#engine/diagnostics.ts";
import { typeAlone } from "#engine/given-variables.ts";
import { referencesIn } from "#engine/graph.ts";
import {
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  unknownOf,
  isMap,
  mayBe,
  secretLike,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { escapePointer, type Json, type JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { access, kindOf } from "./access.ts";
import { asText, callBuiltIn, textTypes } from "./built-ins.ts";
import { own } from "./own.ts";
import { formatReference, UNREADABLE } from "./references.ts";
import { diagnosticAt, didYouMean, quoted } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import type {
  ConfigDeclaration,
  Expression,
  Place,
  Reference,
  ResourceDeclaration,
  Template,
} from "./template.ts";
import { MAX_EXPANDED, tooLarge } from "./value-limit.ts";
import { valueProblems } from "./value-schema.ts";
import { WorkBudget } from "./work-budget.ts";

/** Eight times the size limit of values, since each value may pass through several functions. */
const MAX_WORK = 8 * MAX_EXPANDED;
/** Measured after references are resolved: code that reads a value later recurses into it. */
const MAX_VALUE_NESTING = 100;
const MAX_SUGGESTIONS = 50;
const MAX_CANDIDATES = 100;

/** The names that templates can refer to under `control`. */
export interface ControlNames {
  instance: { id: string; name: string };
  tenant: { id: string; slug: string };
  target: { name: string; region: string; environment: string };
}

/**
 * The config values of an instance: the given value or the default, checked against its schema, with secrets marked.
 * `sealed` names the sealed values among those given. Only their type is checked, because a schema by another author
 * would reveal their content by its refusals. Problems have no line; their path points into `given`. Values with
 * problems are omitted.
 */
export function configValues(
  template: Template,
  given: JsonMap,
  sealed: ReadonlySet<string> = new Set(),
): { values: ValueMap; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const values: [string, Value][] = [];
  const budget = new WorkBudget();
  for (const [name, declaration] of Object.entries(template.config)) {
    const isSealed = sealed.has(name);
    const givenValue = own(given, name);
    const value = givenValue === undefined ? declaration.default : givenValue;
    const broken =
      value === undefined
        ? [missing(name)]
        : problemsOf(name, declaration, value, isSealed, budget);
    problems.push(...broken);
    if (value !== undefined && broken.length === 0)
      values.push([name, isSealed || declaration.secret ? new Secret(value) : value]);
  }
  const declared = Object.keys(template.config);
  for (const [index, name] of Object.keys(given)
    .filter((name) => !Object.hasOwn(template.config, name))
    .entries()) {
    problems.push(
      diagnosticAt(
        "warning",
        "unknown_value",
        `The template declares no config value ${quoted(name)}; the given value is not used.`,
        inGiven(name, ""),
        index < MAX_SUGGESTIONS ? didYouMean(nearest(name, declared)) : undefined,
      ),
    );
  }
  return { values: Object.fromEntries(values), problems };
}

function inGiven(name: string, pointer: string): Place {
  return { path: `/${escapePointer(name)}${pointer}`, line: 0, column: 0 };
}

function missing(name: string): Diagnostic {
  return diagnosticAt(
    "error",
    "missing_value",
    `The config value ${quoted(name)} has no value.`,
    inGiven(name, ""),
    "Set it in the instance's variables, its profile or a binding.",
  );
}

function problemsOf(
  name: string,
  { schema }: ConfigDeclaration,
  value: Json,
  sealed: boolean,
  budget: WorkBudget,
): Diagnostic[] {
  return valueProblems(sealed ? typeAlone(schema) : schema, value, budget).map(
    ({ pointer, message, hint }) =>
      diagnosticAt(
        "error",
        "invalid_value",
        `The config value ${quoted(name)}${pointer === "" ? "" : ` at ${quoted(pointer)}`} is not valid. ${message}`,
        inGiven(name, pointer),
        hint,
      ),
  );
}

export interface ResolverScope {
  config: ValueMap;
  control: ControlNames;
  /** A resource's outputs so far as known; `unknown` for the others. */
  outputsOf: (resource: string) => Value;
}

/**
 * Computes a template's values on first use and caches them, so a resolver is valid for one state of the outputs:
 * create a new one when they change. Every method throws `ResolveError` for a value that cannot be computed, and
 * when the values together exceed 1 MiB; `outputs` names the output that failed.
 */
export interface Resolver {
  properties(resource: string): ValueMap;
  /** The id of the object that the resource reads with `get`. */
  idToRead(resource: string): Value;
  outputs(): ValueMap;
  variable(name: string): Value;
}

export function createResolver(template: Template, scope: ResolverScope): Resolver {
  const evaluator = new Evaluator(template, {
    ...scope,
    control: {
      instance: { ...scope.control.instance },
      tenant: { ...scope.control.tenant },
      target: { ...scope.control.target },
    },
  });
  const computed = new Map<string, ValueMap>();
  let outputs: ValueMap | undefined;
  let total = 0;
  const all = (
    expressions: { [name: string]: Expression },
    place: Place,
    evaluate = (item: Expression, _name: string) => evaluator.evaluate(item),
  ): ValueMap => {
    const values = Object.fromEntries(
      Object.entries(expressions).map(([name, item]) => [name, evaluate(item, name)]),
    );
    total += evaluator.sizeOf(values);
    if (total > MAX_EXPANDED) throw tooLarge(place);
    return values;
  };
  const resourceOf = (name: string): ResourceDeclaration => {
    const resource = own(template.resources, name);
    if (resource !== undefined) return resource;
    throw new ResolveError("unknown_reference", `There is no resource ${quoted(name)}.`, {
      path: "/resources",
      line: 0,
      column: 0,
    });
  };
  return {
    idToRead(name) {
      const { get } = resourceOf(name);
      return get === undefined ? unknown : evaluator.evaluate(get.id);
    },
    properties(name) {
      const known = computed.get(name);
      if (known !== undefined) return known;
      const resource = resourceOf(name);
      const values = all(resource.properties, resource.place);
      computed.set(name, values);
      return values;
    },
    outputs() {
      const place = { path: "/outputs", line: 0, column: 0 };
      outputs ??= all(template.outputs, place, (item, name) => {
        try {
          return evaluator.evaluate(item);
        } catch (error) {
          if (!(error instanceof ResolveError)) throw error;
          const { code, message, place, hint } = error;
          throw new ResolveError(code, message, place, hint, name);
        }
      });
      return outputs;
    },
    variable: (name) => evaluator.variable(name, { path: "/variables", line: 0, column: 0 }),
  };
}

/** Evaluates single expressions. A variable is computed once; every use gets the same value or error. */
export class Evaluator {
  readonly #template: Template;
  readonly #scope: { config: ValueMap; control: Value; outputsOf: (resource: string) => Value };
  readonly #variables = new Map<string, Value | ResolveError>();
  readonly #extents = new WeakMap<object, Extent>();
  /** Characters that functions and interpolations have read and written so far. */
  #work = 0;
  #suggestions = 0;

  constructor(
    template: Template,
    scope: { config: ValueMap; control: Value; outputsOf: (resource: string) => Value },
  ) {
    this.#template = template;
    this.#scope = scope;
  }

  evaluate(expression: Expression): Value {
    const value = this.#compute(expression);
    const { size, depth } = this.#extentOf(value);
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

  variable(name: string, place: Place): Value {
    if (own(this.#template.variables, name) === undefined)
      throw new ResolveError("unknown_reference", `There is no variable ${quoted(name)}.`, place);
    if (!this.#variables.has(name)) this.#computeVariables(name);
    const value = this.#variables.get(name);
    if (value instanceof ResolveError) throw value;
    return value ?? null;
  }

  /** Computes variables in dependency order with an explicit stack: a long chain would overflow the call stack. */
  #computeVariables(wanted: string): void {
    const open = new Set([wanted]);
    const stack = [{ name: wanted, needs: this.#variablesIn(wanted) }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { name, needs } = top;
      const next = needs.pop();
      if (next === undefined) {
        if (!this.#variables.has(name)) this.#variables.set(name, this.#tryVariable(name));
        open.delete(name);
        stack.pop();
      } else if (open.has(next))
        this.#variables.set(next, selfReference(next, this.#placeOf(next)));
      else if (!this.#variables.has(next)) {
        open.add(next);
        stack.push({ name: next, needs: this.#variablesIn(next) });
      }
    }
  }

  #tryVariable(name: string): Value | ResolveError {
    const expression = own(this.#template.variables, name);
    if (expression === undefined) return null;
    try {
      return this.evaluate(expression);
    } catch (error) {
      if (error instanceof ResolveError) return error;
      throw error;
    }
  }

  #variablesIn(name: string): string[] {
    const { config, variables } = this.#template;
    const expression = own(variables, name);
    const roots = expression === undefined ? [] : referencesIn(expression).map(({ root }) => root);
    return [...new Set(roots)].filter(
      (root) => Object.hasOwn(variables, root) && !Object.hasOwn(config, root),
    );
  }

  #placeOf(variable: string): Place {
    return (
      own(this.#template.variables, variable)?.place ?? { path: "/variables", line: 0, column: 0 }
    );
  }

  #compute(expression: Expression): Value {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "list":
        return expression.items.map((item) => this.evaluate(item));
      case "map":
        return Object.fromEntries(
          Object.entries(expression.entries).map(([key, item]) => [key, this.evaluate(item)]),
        );
      case "reference":
        return this.#refer(expression.reference);
      case "interpolation":
        return this.#interpolate(expression.parts, expression.place);
      case "call": {
        const { fn, argument, place } = expression;
        const given = this.evaluate(argument);
        this.#spend(this.sizeOf(given), place);
        const result = callBuiltIn(fn, given, place);
        this.#spend(this.sizeOf(result), place);
        return result;
      }
    }
  }

  #spend(size: number, place: Place): void {
    this.#work += size;
    if (this.#work > MAX_WORK) throw tooLarge(place);
  }

  #refer(reference: Reference): Value {
    return access(this.#root(reference), reference, (name, candidates) =>
      // Each search compares with every candidate: thousands of misspellings must not take minutes.
      this.#suggestions++ < MAX_SUGGESTIONS
        ? nearest(name, candidates.slice(0, MAX_CANDIDATES))
        : undefined,
    );
  }

  #root({ root, place }: Reference): Value {
    const value = own(this.#scope.config, root);
    if (value !== undefined) return value;
    if (own(this.#template.config, root) !== undefined)
      throw new ResolveError(
        "missing_value",
        `The config value ${quoted(root)} has no value.`,
        place,
        "Set it in the instance's variables, its profile or a binding.",
      );
    if (own(this.#template.variables, root) !== undefined) return this.variable(root, place);
    if (own(this.#template.resources, root) !== undefined) return this.#scope.outputsOf(root);
    if (root === "control") return this.#scope.control;
    if (root === UNREADABLE) return unknown;
    throw new ResolveError(
      "unknown_reference",
      `No config value, variable or resource is named ${quoted(root)}.`,
      place,
    );
  }

  #interpolate(parts: readonly (string | Reference)[], place: Place): Value {
    const known: string[] = [];
    let length = 0;
    const values: Value[] = [];
    let open = false;
    for (const part of parts) {
      const value = typeof part === "string" ? part : this.#refer(part);
      this.#spend(this.sizeOf(value), place);
      values.push(value);
      const inner = value instanceof Secret ? value.value : value;
      if (inner instanceof Unknown && mayBe(inner, textTypes)) {
        open = true;
        continue;
      }
      const text = asText(inner);
      if (text === undefined) throw notText(inner, part, place);
      length += text.length;
      if (length > MAX_EXPANDED) throw tooLarge(place);
      known.push(text);
    }
    return secretLike(open ? unknownOf("string") : known.join(""), ...values);
  }

  sizeOf(value: Value): number {
    return this.#extentOf(value).size;
  }

  #extentOf(value: Value): Extent {
    if (typeof value === "string") return { size: value.length + 2, depth: 0 };
    if (typeof value !== "object" || value === null || value instanceof Unknown)
      return { size: 4, depth: 0 };
    const known = this.#extents.get(value);
    if (known !== undefined) return known;
    let size = 2;
    let depth = 0;
    const add = (item: Value, more: number): void => {
      const inner = this.#extentOf(item);
      size += inner.size + more;
      depth = Math.max(depth, inner.depth);
    };
    if (value instanceof Secret) add(value.value, -2);
    else if (value instanceof PartlyKnown) add(value.known, -2);
    else if (Array.isArray(value)) for (const item of value) add(item, 1);
    else if (isMap(value))
      for (const [key, member] of Object.entries(value)) add(member, key.length + 4);
    if (Array.isArray(value) || isMap(value)) depth += 1;
    const extent = { size, depth };
    this.#extents.set(value, extent);
    return extent;
  }
}

interface Extent {
  /** The approximate size of the value as JSON, in bytes; a shared part counts each time it occurs. */
  size: number;
  /** Nesting depth of lists and maps. */
  depth: number;
}

function selfReference(name: string, place: Place): ResolveError {
  return new ResolveError(
    "dependency_cycle",
    `The variable ${quoted(name)} depends on itself.`,
    place,
  );
}

function notText(value: Value, part: string | Reference, place: Place): ResolveError {
  const name = typeof part === "string" ? "" : formatReference(part.root, part.path);
  return new ResolveError(
    "not_a_text",
    `${name} is ${kindOf(value)} and cannot be part of a string.`,
    typeof part === "string" ? place : part.place,
    value === null
      ? "Refer to a value that is not null."
      : "Make the reference the whole string, or use fn::toJSON or fn::join.",
  );
}
