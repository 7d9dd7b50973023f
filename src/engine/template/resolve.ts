import type { Diagnostic } from "#engine/diagnostics.ts";
import { measure } from "#engine/expressions/values/measure.ts";
import { typeAlone } from "#engine/given-variables.ts";
import { Secret, unknown, type Value, type ValueMap } from "#engine/value.ts";
import { escapePointer, type Json, type JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { Evaluator, type EvaluatorScope, omitted } from "./evaluator.ts";
import { Layout } from "./levels/layout.ts";
import { noComponents } from "./levels/level.ts";
import { own } from "./own.ts";
import { diagnosticAt, didYouMean, quoted } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import type {
  ConfigDeclaration,
  Expression,
  Level,
  Library,
  Pins,
  Place,
  ResourceDeclaration,
  Template,
} from "./template.ts";
import { MAX_EXPANDED, tooLarge } from "./value-limit.ts";
import { valueProblems } from "./value-schema.ts";
import { WorkBudget } from "./work-budget.ts";

const MAX_SUGGESTIONS = 50;

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

/** The levels of a deployment, before its loops and components are written out. */
export interface Levels {
  root: Level;
  layout: Layout;
}

/** The levels of a template with its config values. `pins`: of its components, in the library. */
export function layOut(
  template: Template,
  { config, control }: Pick<ResolverScope, "config" | "control">,
  { pins = {}, library = noComponents }: { pins?: Pins; library?: Library } = {},
): Levels {
  const scope = { config, control: valueOf(control), outputsOf: () => unknown };
  return levelsOf({ address: "", template, pins }, library, scope, { isCheck: false });
}

/**
 * Evaluates expressions before the config values are known: each condition counts as true, and the keys of a loop may be
 * unknown.
 */
export function checkedLevels(
  template: Template,
  scope: Omit<EvaluatorScope, "root" | "layout">,
  { pins = {}, library = noComponents }: { pins?: Pins; library?: Library } = {},
): CheckedLevels {
  return levelsOf({ address: "", template, pins }, library, scope, { isCheck: true });
}

/** The layout and its evaluator know each other: conditions and loops are expressions too. */
function levelsOf(
  root: Level,
  library: Library,
  scope: Omit<EvaluatorScope, "root" | "layout">,
  how: { isCheck: boolean },
): CheckedLevels {
  const layout: Layout = new Layout(
    library,
    (expression, within) => evaluator.evaluate(expression, within),
    how,
  );
  const evaluator = new Evaluator({ root, layout, ...scope });
  return { evaluator, root, layout };
}

export interface CheckedLevels extends Levels {
  evaluator: Evaluator;
}

function valueOf({ instance, tenant, target }: ControlNames): Value {
  return { instance: { ...instance }, tenant: { ...tenant }, target: { ...target } };
}

/** `template`: written out, if it has loops or components; `levels`: the levels from which it was. */
export function createResolver(
  template: Template,
  scope: ResolverScope,
  { root, layout }: Levels = layOut(template, scope),
): Resolver {
  const { config, control, outputsOf } = scope;
  const evaluator = new Evaluator({ root, layout, config, control: valueOf(control), outputsOf });
  const computed = new Map<string, ValueMap>();
  let outputs: ValueMap | undefined;
  let total = 0;
  const all = (
    expressions: { [name: string]: Expression },
    place: Place,
    evaluate: (item: Expression, name: string) => Value | typeof omitted,
  ): ValueMap => {
    const values = Object.fromEntries(
      Object.entries(expressions).flatMap(([name, item]) => {
        const value = evaluate(item, name);
        return value === omitted ? [] : [[name, value] as const];
      }),
    );
    total += measure(values).size;
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
      evaluator.forgetOutputs();
      const { get, within } = resourceOf(name);
      return get === undefined ? unknown : evaluator.evaluate(get.id, within);
    },
    properties(name) {
      const known = computed.get(name);
      if (known !== undefined) return known;
      evaluator.forgetOutputs();
      const resource = resourceOf(name);
      const values = all(resource.properties, resource.place, (item) =>
        evaluator.evaluateOrOmit(item, resource.within),
      );
      computed.set(name, values);
      return values;
    },
    outputs() {
      const place = { path: "/outputs", line: 0, column: 0 };
      if (outputs === undefined) evaluator.forgetOutputs();
      outputs ??= all(template.outputs, place, (item, name) => {
        try {
          return evaluator.evaluateOrOmit(item);
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
