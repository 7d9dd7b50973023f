import type { Diagnostic } from "#engine/diagnostics.ts";
import { severityOf } from "#engine/expressions/problem.ts";
import { hintForName } from "#engine/expressions/terraform-words.ts";
import { measure } from "#engine/expressions/values/measure.ts";
import { findCycles } from "#engine/graph.ts";
import { plannedObject } from "#engine/output-types.ts";
import { Secret, unknown, unknownOf } from "#engine/value.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { checkAliases } from "./checks/check-aliases.ts";
import { checkClaims } from "./checks/check-claims.ts";
import {
  checkComponentOutput,
  checkComponents,
  noneResolved,
  type ResolvedComponents,
} from "./checks/check-components.ts";
import { checkKnown } from "./checks/check-known.ts";
import { checkLeftOut } from "./checks/check-left-out.ts";
import { checkDefaults, checkNames } from "./checks/check-names.ts";
import { checkOutput } from "./checks/check-outputs.ts";
import { checkParents } from "./checks/check-parents.ts";
import { checkOptionPaths, checkProperties, checkReadOnly } from "./checks/check-properties.ts";
import { checkSealed } from "./checks/check-sealed.ts";
import { checkShape } from "./checks/check-shape.ts";
import {
  type KnownTypes,
  reportMissingVersion,
  reportUnavailable,
  reportUnknownType,
} from "./checks/check-types.ts";
import { omitted } from "./evaluator.ts";
import { expressionsIn, expressionsOf, partsOf, type Read, readsIn } from "./expressions-in.ts";
import { turnsOf } from "./levels/write-out.ts";
import { reportForeignReferences } from "./mistakes/other-languages.ts";
import { own } from "./own.ts";
import { formatReference } from "./references.ts";
import { didYouMean, quoted, Report } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import { type CheckedLevels, checkedLevels } from "./resolve.ts";
import { formulasOf, UNREADABLE } from "./string-parts.ts";
import type {
  ComponentUse,
  Expression,
  Place,
  ResourceDeclaration,
  Template,
  Within,
} from "./template.ts";
import { MAX_EXPANDED } from "./value-limit.ts";
import { WorkBudget } from "./work-budget.ts";

/** The known resource types. */
export interface TemplateCatalog extends KnownTypes {
  facts(type: string): TypeFacts | undefined;
}

const MAX_SUGGESTIONS = 50;
const MAX_COMPARISONS = 25_000;
/** Expressions that a check evaluates, each turn of a loop for itself, and those among them that fail. */
const MAX_ATTEMPTS = 50_000;
const MAX_FAILURES = 500;

const controlNames: { readonly [group: string]: readonly string[] } = {
  instance: ["id", "name"],
  tenant: ["id", "slug"],
  target: ["name", "region", "environment"],
};

const pulumiNames: { readonly [name: string]: string } = {
  stack: "Use `${control.instance.name}`.",
  organization: "Use `${control.tenant.slug}`.",
};

/** The findings of `checkInto`, errors first, each kind in text order. */
export function checkTemplate(
  template: Template,
  catalog: TemplateCatalog,
  components: ResolvedComponents = noneResolved,
): Diagnostic[] {
  const report = new Report();
  checkInto(report, template, catalog, components);
  return report.diagnostics;
}

/**
 * Checks a parsed template without values: names, types, references, cycles, defaults, and expressions that fail
 * for any value.
 */
export function checkInto(
  report: Report,
  template: Template,
  catalog: TemplateCatalog,
  components: ResolvedComponents = noneResolved,
): void {
  new Checker(template, catalog, components, report).check();
}

class Checker {
  readonly #template: Template;
  readonly #catalog: TemplateCatalog;
  readonly #components: ResolvedComponents;
  readonly #report: Report;
  readonly #used = new Set<string>();
  /** References already reported: an error in the computation of their value is not reported again. */
  readonly #reported = new Set<Place>();
  readonly #names: string[];
  readonly #parts: ReturnType<typeof partsOf>;
  readonly #shapeBudget = new WorkBudget();
  #suggestions = 0;
  #comparisons = 0;

  constructor(
    template: Template,
    catalog: TemplateCatalog,
    components: ResolvedComponents,
    report: Report,
  ) {
    this.#template = template;
    this.#catalog = catalog;
    this.#components = components;
    this.#report = report;
    this.#parts = partsOf(template);
    this.#names = sectionsOf(template).flatMap((section) => Object.keys(section));
  }

  check(): void {
    const { variables, resources, components, outputs } = this.#template;
    checkNames(this.#template, this.#report);
    checkDefaults(this.#template, this.#report);
    for (const [name, expression] of Object.entries(variables))
      this.#checkReferences(expression, name);
    for (const [name, resource] of Object.entries(resources)) this.#checkResource(name, resource);
    for (const [name, use] of Object.entries(components)) this.#checkPart(name, use);
    checkComponents(this.#template, this.#components, this.#report, this.#nearest);
    for (const expression of Object.values(outputs)) this.#checkReferences(expression);
    reportUnavailable(resources, this.#catalog, this.#report);
    checkParents(this.#template, (type) => this.#catalog.facts(type), this.#report);
    checkClaims(this.#template, this.#report);
    checkLeftOut(this.#template, this.#report);
    checkKnown(this.#template, this.#report);
    this.#checkCycles();
    const levels = this.#levels();
    this.#checkValues(levels);
    checkAliases(levels, this.#report);
    checkSealed(this.#template, (type) => this.#catalog.facts(type), levels, this.#report);
    const names = new Set(this.#names);
    reportForeignReferences(this.#template, (name) => names.has(name), this.#report);
    this.#checkUnused();
  }

  readonly #nearest = (name: string, candidates: readonly string[]): string | undefined => {
    // Each search compares with every candidate: thousands of misspellings must not take minutes.
    this.#suggestions += 1;
    this.#comparisons += candidates.length;
    return this.#suggestions <= MAX_SUGGESTIONS && this.#comparisons <= MAX_COMPARISONS
      ? nearest(name, candidates)
      : undefined;
  };

  /** Checks the references and `dependsOn` of a resource or a component. */
  #checkPart(name: string, part: ResourceDeclaration | ComponentUse): void {
    const { options, place, places, when, forEach } = part;
    for (const expression of expressionsOf(part))
      this.#checkReferences(expression, name, {
        isLoop: forEach !== undefined && expression !== forEach && expression !== when,
      });
    for (const [index, other] of options.dependsOn.entries()) {
      const at =
        places?.get(`/options/dependsOn/${index}`) ?? places?.get("/options/dependsOn") ?? place;
      this.#used.add(other);
      if (other === name) this.#selfReference(name, at);
      else if (own(this.#parts, other) === undefined)
        this.#report.error(
          "unknown_dependency",
          `\`dependsOn\` of ${quoted(name)} names ${quoted(other)}, which is not a resource.`,
          at,
          didYouMean(this.#nearest(other, Object.keys(this.#parts))),
        );
    }
  }

  #checkResource(name: string, resource: ResourceDeclaration): void {
    this.#checkPart(name, resource);
    const { type, properties, place, places } = resource;
    if (type === "") return;
    const facts = this.#catalog.facts(type);
    if (facts === undefined)
      return reportUnknownType(type, places?.get("/type") ?? place, this.#catalog, {
        report: this.#report,
        nearest: this.#nearest,
      });
    reportMissingVersion(type, facts.version, places?.get("/type") ?? place, this.#report);
    if (resource.get !== undefined) return;
    const nearest = this.#nearest;
    checkOptionPaths(name, resource, facts, this.#report, nearest);
    const { shape } = facts;
    if (shape !== undefined)
      return checkShape(
        name,
        resource,
        { ...facts, shape },
        { report: this.#report, nearest, budget: this.#shapeBudget },
      );
    checkReadOnly(name, resource, facts, this.#report);
    checkProperties(resource, facts, this.#report, nearest);
    for (const property of facts.required)
      if (own(properties, property) === undefined && !Object.hasOwn(facts.defaults ?? {}, property))
        this.#report.error(
          "missing_property",
          `The resource ${quoted(name)} of type ${type} requires the property ${quoted(property)}.`,
          place,
          didYouMeanOneOf(this.#nearest(property, Object.keys(properties)), property),
        );
  }

  #selfReference(name: string, place: Place): void {
    this.#report.error(
      "self_reference",
      `${quoted(name)} refers to itself.`,
      place,
      "Move the shared value to `variables` or `config`.",
    );
  }

  #checkReferences(expression: Expression, owner?: string, { isLoop = false } = {}): void {
    for (const read of readsIn(expression)) {
      this.#used.add(read.root);
      if (read.root === UNREADABLE || (isLoop && read.root === "each")) continue;
      if (read.root === owner) this.#selfReference(owner, read.place);
      else this.#checkReference(read);
    }
  }

  #checkReference(reference: Read): void {
    const { root, path, place } = reference;
    if (this.#hasWrongOutput(reference)) this.#reported.add(place);
    if (sectionsOf(this.#template).some((section) => Object.hasOwn(section, root))) return;
    const written = formatReference(root, path);
    if (root !== "control" || !isControlPath(path)) this.#reported.add(place);
    if (root === "pulumi")
      this.#report.error(
        "not_supported",
        `${written} is not available: templates do not run on Pulumi's engine.`,
        place,
        own(pulumiNames, String(path[0])) ?? "Use one of the names under `control`.",
      );
    else if (root === "each")
      this.#report.error(
        "unknown_reference",
        "`each` exists only in the properties of a resource or component with `forEach`.",
        place,
      );
    else if (root !== "control")
      this.#report.error(
        "unknown_reference",
        `${written} refers to nothing: no config value, variable or resource is named ${quoted(root)}.`,
        place,
        this.#subtraction(reference) ??
          didYouMean(this.#withoutPrefix(reference)) ??
          hintForName(root) ??
          didYouMean(this.#nearest(root, [...this.#names, "control"])),
      );
    else if (!isControlPath(path))
      this.#report.error(
        "unknown_reference",
        `${written} does not exist.`,
        place,
        didYouMean(this.#nearest(["control", ...path].join("."), allControlNames)) ??
          `The names are ${allControlNames.join(", ")}.`,
      );
  }

  /** Reports an output that a resource or a component does not have. Returns whether it did. */
  #hasWrongOutput({ root, path, place }: Read): boolean {
    const part = own(this.#parts, root);
    if (part === undefined) return false;
    const [key, ...rest] = path;
    if (part.forEach !== undefined && key === undefined) return false;
    const read =
      part.forEach === undefined
        ? { root, path, place }
        : { root: `${root}[${JSON.stringify(key)}]`, path: rest, place };
    return "component" in part
      ? checkComponentOutput(read, part, this.#components, this.#report, this.#nearest)
      : checkOutput(read, part, this.#catalog.facts(part.type), this.#report, this.#nearest);
  }

  /** The advice for `a-b` where `a - b` is meant: both sides are known, or the second one is a number. */
  #subtraction({ root, path }: Read): string | undefined {
    const isKnown = (name: string) => this.#names.includes(name);
    for (let at = root.indexOf("-"); at !== -1; at = root.indexOf("-", at + 1)) {
      const [left, right] = [root.slice(0, at), root.slice(at + 1)];
      if (!isKnown(left) || (!isKnown(right) && !/^[0-9]+$/.test(right))) continue;
      const difference = `${left} - ${formatReference(right, path).slice(2, -1)}`;
      return `\`-\` may be part of a name. For a subtraction, write \`\${${difference}}\`.`;
    }
    return undefined;
  }

  /** Other languages write `${var.region}` and `${resources.net.id}` for `${region}` and `${net.id}`. */
  #withoutPrefix({ path: [name, ...rest] }: Read): string | undefined {
    return typeof name === "string" && this.#names.includes(name)
      ? formatReference(name, rest)
      : undefined;
  }

  #checkCycles(): void {
    for (const cycle of findCycles(this.#template)) {
      const [first = "", second] = cycle;
      if (first === second) continue;
      const place = (own(this.#parts, first) ?? own(this.#template.variables, first))?.place;
      if (place === undefined) continue;
      this.#report.error(
        "dependency_cycle",
        `Dependency cycle: ${cycle.join(" → ")}.`,
        place,
        "Remove one of these references or `dependsOn` entries.",
      );
    }
  }

  /** Evaluates every expression with unknown inputs: an error here occurs for all values. */
  #checkValues({ evaluator, root, layout }: CheckedLevels): void {
    const { variables, resources, components, outputs } = this.#template;
    const reported = new Set<string>();
    let [attempts, failures, size] = [0, 0, 0];
    // A plan tells the rest: without limits, the turns of loops take seconds.
    const isDone = () => attempts > MAX_ATTEMPTS || failures >= MAX_FAILURES || size > MAX_EXPANDED;
    const isNew = (code: string, { line, column, path }: Place): boolean => {
      const key = `${code} ${line}:${column} ${path}`;
      const known = reported.has(key);
      reported.add(key);
      return !known;
    };
    const attempt = (compute: () => unknown) => {
      if (isDone()) return;
      attempts += 1;
      try {
        compute();
      } catch (error) {
        if (!(error instanceof ResolveError)) throw error;
        failures += error.code === "too_much_work" ? MAX_FAILURES : 1;
        if (alreadyChecked.has(error.code) || this.#reported.has(error.place)) return;
        if (!isNew(error.code, error.place)) return;
        this.#report.error(error.code, error.message, error.place, error.hint);
      }
    };
    const checkFormulas = (expression: Expression, within: Within): void => {
      for (const formula of expressionsIn(expression).flatMap(formulasOf))
        attempt(() => {
          for (const problem of evaluator.problemsOf(formula, within)) {
            const place = formula.placeOf(problem);
            if (problem.kind === "too_much_work") failures += MAX_FAILURES;
            if (problem.kind === "unknown_name" || !isNew(problem.kind, place)) continue;
            const { message, hint } = evaluator.explain(problem, formula, within);
            this.#report[severityOf(problem)](problem.kind, message, place, hint);
          }
        });
    };
    const check = (expression: Expression): void => {
      checkFormulas(expression, { level: root });
      attempt(() => evaluator.evaluateOrOmit(expression));
    };
    /** The values of a formula do not matter for its own check, so one turn of a loop is enough. */
    const checkTurns = (expressions: readonly Expression[], turns: readonly Within[]): void => {
      for (const expression of expressions) {
        const [first] = turns;
        if (first !== undefined) checkFormulas(expression, first);
        for (const within of turns)
          attempt(() => {
            const value = evaluator.evaluateOrOmit(expression, within);
            if (value !== omitted) size += measure(value).size;
          });
      }
    };
    for (const [name, expression] of Object.entries(variables)) {
      attempt(() => evaluator.variable(name, expression.place));
      check(expression);
    }
    for (const [name, { properties, get }] of Object.entries(resources))
      attempt(() => {
        const turns = turnsOf(layout.resource(root, name)).map(({ item }) => item.within);
        checkTurns(Object.values(properties).concat(get?.id ?? []), turns);
      });
    for (const [name, { properties }] of Object.entries(components))
      attempt(() => {
        const turns = turnsOf(layout.component(root, name)).map(({ item }) => item);
        const within = turns.map(({ use }) => use?.within ?? { level: root });
        checkTurns(Object.values(properties), within);
        for (const turn of turns)
          for (const value of Object.keys(turn.template.config))
            attempt(() => evaluator.configOf(value, turn));
      });
    for (const { when, forEach } of Object.values(this.#parts))
      for (const expression of [when, forEach]) if (expression !== undefined) check(expression);
    for (const expression of Object.values(outputs)) check(expression);
  }

  /** All values of an instance are unknown, and its secrets are also sealed. */
  #levels(): CheckedLevels {
    return checkedLevels(
      this.#template,
      {
        config: Object.fromEntries(
          Object.entries(this.#template.config).map(([name, { type, secret }]) => [
            name,
            secret ? new Secret(unknownOf(type)) : unknownOf(type),
          ]),
        ),
        control: Object.fromEntries(
          Object.entries(controlNames).map(([group, names]) => [
            group,
            Object.fromEntries(names.map((name) => [name, unknown])),
          ]),
        ),
        outputsOf: (_address, { type }) => plannedObject({}, this.#catalog.facts(type)),
      },
      this.#components,
    );
  }

  #checkUnused(): void {
    const { config, variables } = this.#template;
    for (const [kind, section] of Object.entries({ "config value": config, variable: variables }))
      for (const [name, { place }] of Object.entries(section))
        if (!this.#used.has(name))
          this.#report.warning(
            kind === "variable" ? "unused_variable" : "unused_config",
            `The ${kind} ${quoted(name)} is not used.`,
            place,
            `Refer to it as \`\${${name}}\`, or remove it.`,
          );
  }
}

/** The sections whose names a reference can begin with. */
function sectionsOf({ config, variables, resources, components }: Template) {
  return [config, variables, resources, components];
}

const alreadyChecked = new Set([
  "unknown_reference",
  "unknown_name",
  "dependency_cycle",
  "missing_value",
  "missing_property",
  "unknown_component",
]);

const allControlNames: readonly string[] = Object.entries(controlNames).flatMap(([group, names]) =>
  names.map((name) => `control.${group}.${name}`),
);

function isControlPath(path: readonly (string | number)[]): boolean {
  const [group, name, ...more] = path;
  if (group === undefined) return true;
  const names = own(controlNames, String(group));
  if (names === undefined || more.length > 0) return false;
  return name === undefined || names.includes(String(name));
}

function didYouMeanOneOf(written: string | undefined, wanted: string): string {
  return written === undefined
    ? `Add \`${wanted}\` under \`properties\`.`
    : `Was ${quoted(written)} meant to be ${quoted(wanted)}?`;
}
