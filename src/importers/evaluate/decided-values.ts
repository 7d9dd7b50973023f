/**
 * Evaluates values that the files alone decide. A variable of the root stays open, because another deployment may set
 * another value.
 */
import { type Expression, literal, type ReferenceExpression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { ModuleCall, SourceResource } from "#importers/source-module.ts";
import { argumentOf, type Choosing, isChoice, pathOf } from "./chosen-argument.ts";
import { constrained, constraintOf } from "./constraint.ts";
import { callDecided } from "./decided-functions.ts";
import {
  asNumber,
  asText,
  asTruth,
  boundAt,
  decidedList,
  decidedLiteral,
  decidedMap,
  failed,
  isHarmless,
} from "./decided.ts";
import { type Deciding, MAX_TEXT, stepsOf, stepsOfText } from "./deciding.ts";
import { blocksIn, eachTurn } from "./each-turn.ts";
import { instanceAt, instancesOf } from "./instances.ts";
import type {
  Bound,
  Called,
  Constraint,
  Decided,
  Followed,
  Instances,
  OpenValue,
  Path,
  Scope,
} from "./scope.ts";

/** The limit for one draft, whose largest real modules take 15,000. A step takes some 130 bytes. Later values stay open. */
const MAX_STEPS = 200_000;
/** The limit for one value with all its parts, so that it does not spend the steps of others. */
const MAX_STEPS_OF_ONE = 60_000;
const MAX_DEPTH = 150;
const MAX_FOLLOWED = 50;
const MAX_PATH = 50;
const MAX_SLICED = 50;

export class DecidedValues implements Deciding, Choosing {
  readonly #calledBy: (scope: Scope, name: string) => Called | undefined;
  /** Null: the value is open, or its evaluation is under way. */
  readonly #known = new WeakMap<Bound, Decided | null>();
  /** One bound for each expression in a scope, so that each is decided once. */
  readonly #bounds = new WeakMap<Scope, Map<Expression, Bound>>();
  readonly #variables = new WeakMap<Scope, Map<string, Bound | undefined>>();
  readonly #instances = new WeakMap<Scope, Map<object, Instances | undefined>>();
  readonly #work: ImportWork;
  #steps = 0;
  #until = MAX_STEPS_OF_ONE;
  #isCut = false;
  #depth = 0;

  constructor(calledBy: (scope: Scope, name: string) => Called | undefined, work: ImportWork) {
    this.#calledBy = calledBy;
    this.#work = work;
  }

  bound(expression: Expression, scope: Scope): Bound {
    const own = this.#bounds.get(scope) ?? new Map<Expression, Bound>();
    this.#bounds.set(scope, own);
    const bound = own.get(expression) ?? { expression, scope };
    own.set(expression, bound);
    return bound;
  }

  /** The decided value; undefined: the files do not decide it. */
  decide(bound: Bound): Decided | undefined {
    const { expression, scope, constraint } = bound;
    if (expression.kind === "literal" && constraint === undefined)
      return decidedLiteral(expression.value);
    const before = this.#known.get(bound);
    if (before !== undefined) return before ?? undefined;
    if (this.#depth === 0) this.#until = this.#steps + MAX_STEPS_OF_ONE;
    if (!this.spend(1) || this.#depth >= MAX_DEPTH) return undefined;
    this.#known.set(bound, null);
    this.#depth += 1;
    const raw =
      constraint === undefined ? this.#compute(bound) : this.decide(this.bound(expression, scope));
    const made =
      raw === undefined || constraint === undefined ? raw : this.#converted(raw, constraint, scope);
    this.#depth -= 1;
    this.#known.set(bound, made ?? null);
    return made;
  }

  /** Converting a list or map creates a bound for each item. */
  #converted(raw: Decided, constraint: Constraint, scope: Scope): Decided | undefined {
    return this.spend(stepsOf(raw))
      ? constrained(raw, constraint, scope, (one) => this.decide(one))
      : undefined;
  }

  /** Follows names, conditions and parts to the expression of the value, while the files decide them. */
  follow(bound: Bound): Followed {
    let at = bound;
    for (let step = 0; step < MAX_FOLLOWED; step += 1) {
      const next = this.next(at);
      if (next === undefined || next === "failed") return next ?? at;
      at = next;
    }
    return bound;
  }

  /** Follows one name, condition or part; undefined: there is none, or the files do not decide it. */
  next(bound: Bound): Followed | undefined {
    if (this.#depth === 0) this.#until = this.#steps + MAX_STEPS_OF_ONE;
    if (this.#depth >= MAX_DEPTH || !this.spend(1)) return undefined;
    this.#depth += 1;
    const next = this.#next(bound);
    this.#depth -= 1;
    return next;
  }

  /** The value at a path below another. The undecided rest of the path stays in the expression. */
  walk(from: Bound, path: Path): Followed {
    let at = from;
    for (const [index, step] of path.entries()) {
      const of = this.decide(at);
      if (of === undefined) return this.#extended(at, path.slice(index));
      const next = boundAt(of, step);
      if (next === undefined) return "failed";
      at = next;
    }
    return at;
  }

  /** The value of a called module's variable; undefined if it is unknown or a secret. */
  variable({ home }: Scope, name: string): Bound | undefined {
    const own = this.#variables.get(home) ?? new Map<string, Bound | undefined>();
    this.#variables.set(home, own);
    if (own.has(name)) return own.get(name);
    own.set(name, undefined);
    const found = this.#variableOf(home, name);
    own.set(name, found);
    return found;
  }

  /** The instances of a resource or a call; undefined: the files do not decide them, or there are too many. */
  instances(of: SourceResource | ModuleCall, { home }: Scope): Instances | undefined {
    const own = this.#instances.get(home) ?? new Map<object, Instances | undefined>();
    this.#instances.set(home, own);
    if (own.has(of)) return own.get(of);
    own.set(of, undefined);
    const found = instancesOf(of, home, this);
    own.set(of, found);
    return found;
  }

  attribute(bound: Bound): string | number | undefined {
    const found = this.follow(bound);
    if (found === "failed" || found.expression.kind !== "reference") return undefined;
    const { target, path } = found.expression;
    return target.kind === "resource" ? path.at(-1) : undefined;
  }

  literal(value: string | number | boolean | null, scope: Scope): Bound {
    return { expression: literal(value), scope };
  }

  /** Spends steps. False: the budget is spent. */
  spend(steps: number): boolean {
    const isWithin = this.#steps + steps <= Math.min(this.#until, MAX_STEPS);
    // Steps beyond the budget are not executed.
    if (isWithin) this.#steps += steps;
    this.#isCut ||= !isWithin || !this.#work.spend(steps);
    return isWithin && !this.#work.isSpent;
  }

  get isSpent(): boolean {
    return this.#isCut;
  }

  #compute(bound: Bound): Decided | undefined {
    const { expression, scope } = bound;
    switch (expression.kind) {
      case "literal":
        return decidedLiteral(expression.value);
      case "list":
        return this.spend(expression.items.length)
          ? decidedList(expression.items.map((item) => ({ expression: item, scope })))
          : undefined;
      case "object":
        return this.spend(expression.members.length)
          ? decidedMap(
              new Map(
                expression.members.map(({ name, value }) => [name, { expression: value, scope }]),
              ),
            )
          : undefined;
      case "text":
        return this.#text(expression.parts, scope);
      case "reference":
        return this.#reference(expression, bound);
      case "call":
        return this.#call(expression.name, expression.args, bound);
      case "for":
        return eachTurn(expression, scope, this);
      case "opaque":
        return undefined;
    }
  }

  #text(parts: readonly Expression[], scope: Scope): Decided | undefined {
    let text = "";
    for (const part of parts) {
      const one = this.decide({ expression: part, scope });
      if (one === undefined) return undefined;
      const own = asText(one);
      if (own === undefined) return failed;
      text += own;
      if (text.length > MAX_TEXT || !this.spend(1 + stepsOfText(own.length))) return undefined;
    }
    return decidedLiteral(text);
  }

  #reference(reference: ReferenceExpression, bound: Bound): Decided | undefined {
    const { target, path } = reference;
    if (target.kind === "resource") return this.#resource(reference, bound.scope);
    if (target.kind === "module") {
      const called = this.#calledBy(bound.scope, target.name);
      if (called !== undefined && path.length === 0)
        return this.#all(called.instances, reference, bound.scope);
    }
    const found = this.locate(reference, bound.scope);
    if (found === "failed") return failed;
    const made = found && this.decide(found);
    return namesSecret(reference, bound.scope) && !isHarmless(made) ? undefined : made;
  }

  /** All instances of a resource, or an error for a path into a missing instance. */
  #resource(reference: ReferenceExpression, scope: Scope): Decided | undefined {
    const { target, path } = reference;
    const source =
      target.kind === "resource" ? scope.home.resources.get(target.address) : undefined;
    const instances = source && this.instances(source, scope);
    if (instances === undefined) return undefined;
    if (path.length === 0) return this.#all(instances, reference, scope);
    return instanceAt(instances, path) === undefined ? failed : undefined;
  }

  #all(instances: Instances, reference: ReferenceExpression, scope: Scope): Decided | undefined {
    const at = (step: string | number): Bound => ({
      expression: { ...reference, path: [step] },
      scope,
    });
    switch (instances.kind) {
      case "one":
        return undefined;
      case "count":
        return decidedList(Array.from({ length: instances.count }, (_, index) => at(index)));
      case "each":
        return decidedMap(new Map([...instances.members.keys()].map((key) => [key, at(key)])));
    }
  }

  #call(name: string, args: readonly Expression[], bound: Bound): Decided | undefined {
    const { scope } = bound;
    if (!isKnownIn(scope, name)) return undefined;
    if (name === "{}") return this.#blocks(bound);
    if (isChoice(name)) {
      const found = this.follow(bound);
      if (found === "failed") return failed;
      return found === bound ? undefined : this.decide(found);
    }
    if (name === "can") return this.#can(args[0], scope);
    if (!this.spend(args.length)) return undefined;
    const values: (Decided | undefined)[] = [];
    for (const arg of args)
      if (arg.kind === "call" && arg.name === "...") {
        const several = this.decide(this.bound(arg.args[0] ?? arg, scope));
        if (several?.kind !== "list") return several?.kind === "error" ? failed : undefined;
        if (!this.spend(several.items.length)) return undefined;
        for (const item of several.items) values.push(this.decide(item));
      } else values.push(this.decide(this.bound(arg, scope)));
    if (values.some((one) => one?.kind === "error")) return failed;
    const truths = new Set(values.map(asTruth));
    if (name === "&&" && truths.has(false)) return decidedLiteral(false);
    if (name === "||" && truths.has(true)) return decidedLiteral(true);
    if (name === "[*]") return this.#splat(values, args[0], scope);
    if (name === "slice" && values[0] === undefined) return this.#slice(values, args[0], scope);
    const known = values.filter((one) => one !== undefined);
    return known.length === values.length ? callDecided(name, known, scope, this) : undefined;
  }

  /**
   * Whether the argument is no error. The content of a list or map is not checked, except for the result of a pattern.
   */
  #can(arg: Expression | undefined, scope: Scope): Decided | undefined {
    const made = arg && this.decide(this.bound(arg, scope));
    if (arg === undefined || made === undefined) return undefined;
    if (made.kind === "error") return decidedLiteral(false);
    const isWhole = made.kind === "literal" || (arg.kind === "call" && arg.name === "regex");
    return isWhole ? decidedLiteral(true) : undefined;
  }

  /** Nested blocks: null, or a list of them. */
  #blocks(bound: Bound): Decided | undefined {
    const found = blocksIn(bound, this);
    const open = found.find(({ expression }) => expression.kind !== "object");
    if (open !== undefined) return this.decide(open);
    return found.length === 0 ? decidedLiteral(null) : decidedList(found);
  }

  /** A slice of a list that only the deployment knows. It is long enough, because otherwise its own tool refuses it. */
  #slice(
    [, ...ends]: readonly (Decided | undefined)[],
    given: Expression | undefined,
    scope: Scope,
  ): Decided | undefined {
    const [start = -1, end = -1] = ends.map(asNumber);
    const of = given && this.follow(this.bound(given, scope));
    if (of === undefined || of === "failed" || start < 0 || end < start || end > MAX_SLICED)
      return undefined;
    const steps = Array.from({ length: end - start }, (_, at) => start + at);
    const parts = steps.map((step) => this.#extended(of, [step]));
    return parts.every((part) => part !== "failed") ? decidedList(parts) : failed;
  }

  /** Reads a part of each item of a list. */
  #splat(
    [of, ...steps]: readonly (Decided | undefined)[],
    given: Expression | undefined,
    scope: Scope,
  ): Decided | undefined {
    const path = pathOf(steps);
    if (path === undefined || given === undefined) return undefined;
    const items = this.#itemsOf(of, given, scope);
    if (items === undefined || !this.spend(items.length * (path.length + 1))) return undefined;
    const parts = items.map((item) => this.walk(item, path));
    return parts.every((part) => part !== "failed") ? decidedList(parts) : failed;
  }

  #itemsOf(of: Decided | undefined, given: Expression, scope: Scope): readonly Bound[] | undefined {
    if (of?.kind === "list") return of.items;
    if (of?.kind === "literal" && of.value === null) return [];
    const isOne = of?.kind === "map" || (of === undefined && this.#isOne(given, scope));
    return isOne ? [this.bound(given, scope)] : undefined;
  }

  /** Whether a reference leads to a resource without `count` and `for_each`. */
  #isOne(given: Expression, scope: Scope): boolean {
    if (given.kind !== "reference" || given.target.kind !== "resource" || given.path.length > 0)
      return false;
    const source = scope.home.resources.get(given.target.address);
    return source !== undefined && this.instances(source, scope)?.kind === "one";
  }

  /** Follows one name or condition; undefined: there is none, or it is open. */
  #next(bound: Bound): Followed | undefined {
    const { expression, scope, constraint } = bound;
    // A type conversion applies here, so the value is not followed.
    if (constraint !== undefined) return undefined;
    if (expression.kind === "reference")
      return namesSecret(expression, scope) ? undefined : this.locate(expression, scope);
    if (expression.kind !== "call" || !isKnownIn(scope, expression.name)) return undefined;
    if (!this.spend(expression.args.length)) return undefined;
    const args = expression.args.map((arg) => this.bound(arg, scope));
    return argumentOf(expression.name, args, this);
  }

  /** The value of a name, or the part at its path; undefined if it is unknown. */
  locate({ target, path }: ReferenceExpression, scope: Scope): Followed | undefined {
    const { home, instance, items } = scope;
    switch (target.kind) {
      case "resource":
        return undefined;
      case "module":
        return this.#output(home, target.name, path);
      case "local": {
        const local = home.locals.get(target.name);
        return local && this.walk(this.bound(local.value, home), path);
      }
      case "variable": {
        const found = this.variable(home, target.name);
        return found && this.walk(found, path);
      }
      case "item": {
        const own = items?.get(target.name);
        return own === undefined || isOpen(own) ? undefined : this.walk(own, path);
      }
      case "count":
        return instance !== undefined && "index" in instance
          ? this.walk(this.literal(instance.index, home), path)
          : undefined;
      case "each": {
        if (instance === undefined || !("name" in instance)) return undefined;
        const own = target.name === "key" ? this.literal(instance.name, home) : instance.value;
        return this.walk(own, path);
      }
    }
  }

  /** The output that a path into a module reads, or a part of it. */
  #output(scope: Scope, name: string, path: Path): Followed | undefined {
    const called = this.#calledBy(scope, name);
    if (called === undefined) return undefined;
    const picked = instanceAt(called.instances, path);
    const inside = picked && called.scopes.get(picked.key);
    if (picked === undefined || inside === undefined) return "failed";
    const [output, ...rest] = picked.rest;
    if (output === undefined) return undefined;
    const found = inside.outputs.get(String(output));
    return found === undefined ? "failed" : this.walk(this.bound(found.value, inside), rest);
  }

  /** The part of a bound at a path: a longer reference, or a call that reads the part. */
  #extended(bound: Bound, rest: Path): Followed {
    const { expression, scope } = bound;
    if (expression.kind === "reference") {
      const path = [...expression.path, ...rest];
      if (path.length > MAX_PATH) return "failed";
      const extended: Bound = { expression: { ...expression, path }, scope };
      return this.decide(extended)?.kind === "error" ? "failed" : extended;
    }
    const line = "line" in expression ? expression.line : 1;
    const args = [expression, ...rest.map((step) => literal(step))];
    return { expression: { kind: "call", name: "[]", args, line }, scope };
  }

  #variableOf(home: Scope, name: string): Bound | undefined {
    const declared = home.variables.get(name);
    const { caller } = home;
    if (declared === undefined || declared.sensitive || caller === undefined) return undefined;
    const constraint = constraintOf(declared.constraint);
    const bound = (expression: Expression, scope: Scope): Bound =>
      constraint.kind === "any" ? this.bound(expression, scope) : { expression, scope, constraint };
    const initial = declared.default && bound(declared.default, home);
    const given = caller.settings.get(name);
    if (given === undefined) return initial;
    const own = bound(given, caller.scope);
    if (declared.nullable !== false || initial === undefined) return own;
    const value = this.decide(own);
    return value?.kind === "literal" && value.value === null ? initial : own;
  }
}

export function isOpen(of: Bound | OpenValue): of is OpenValue {
  return "formula" in of;
}

/** The calls of CloudFormation with Terraform's meaning. */
const shared: ReadonlySet<string> = new Set([
  "?:",
  "[]",
  "==",
  "!=",
  "!",
  "&&",
  "||",
  "tostring",
  "join",
  "split",
  "length",
]);

/** Functions of other languages have other meanings. */
function isKnownIn({ module: { format } }: Scope, name: string): boolean {
  return format === "terraform" || (format === "cloudformation" && shared.has(name));
}

/** Whether a name marks its value as a secret, or the module marks its output. */
function namesSecret({ target, path }: ReferenceExpression, { home }: Scope): boolean {
  if (target.kind === "resource") return false;
  if (target.kind === "variable" && home.variables.get(target.name)?.sensitive === true)
    return true;
  return [target.name, ...path].some((name) => isSecretSetting(String(name)));
}
