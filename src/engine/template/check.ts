import type { Diagnostic } from "#engine/diagnostics.ts";
import { findCycles, referencesIn } from "#engine/graph.ts";
import { plannedObject } from "#engine/output-types.ts";
import { Secret, unknown } from "#engine/value.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { isSameType, withoutVersion } from "#providers/type-name.ts";
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
import { expressionsOf } from "./expressions-in.ts";
import { reportForeignReferences } from "./mistakes/other-languages.ts";
import { own } from "./own.ts";
import { formatReference, UNREADABLE } from "./references.ts";
import { didYouMean, quoted, Report } from "./report.ts";
import { ResolveError } from "./resolve-error.ts";
import { Evaluator } from "./resolve.ts";
import type { Expression, Place, Reference, ResourceDeclaration, Template } from "./template.ts";
import { schemaProblems, valueProblems } from "./value-schema.ts";
import { WorkBudget } from "./work-budget.ts";

/** The known resource types. */
export interface TemplateCatalog extends KnownTypes {
  facts(type: string): TypeFacts | undefined;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;
// oxlint-disable-next-line no-control-regex -- the pattern rejects control characters
const OUTPUT_NAME = /^[^\u0000-\u001f\u007f]{1,128}$/u;
const RESERVED = new Set(["control", "pulumi"]);
const MAX_SUGGESTIONS = 50;
const MAX_COMPARISONS = 25_000;

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
export function checkTemplate(template: Template, catalog: TemplateCatalog): Diagnostic[] {
  const report = new Report();
  checkInto(report, template, catalog);
  return report.diagnostics;
}

/**
 * Checks a parsed template without values: names, types, references, cycles, defaults, and expressions that fail
 * for any value.
 */
export function checkInto(report: Report, template: Template, catalog: TemplateCatalog): void {
  new Checker(template, catalog, report).check();
}

class Checker {
  readonly #template: Template;
  readonly #catalog: TemplateCatalog;
  readonly #report: Report;
  readonly #used = new Set<string>();
  /** References already reported: an error in the computation of their value is not reported again. */
  readonly #reported = new Set<Place>();
  readonly #names: string[];
  readonly #shapeBudget = new WorkBudget();
  #suggestions = 0;
  #comparisons = 0;

  constructor(template: Template, catalog: TemplateCatalog, report: Report) {
    this.#template = template;
    this.#catalog = catalog;
    this.#report = report;
    const { config, variables, resources } = template;
    this.#names = [config, variables, resources].flatMap((section) => Object.keys(section));
  }

  check(): void {
    const { variables, resources, outputs } = this.#template;
    this.#checkNames();
    this.#checkDefaults();
    for (const [name, expression] of Object.entries(variables))
      this.#checkReferences(expression, name);
    for (const [name, resource] of Object.entries(resources)) this.#checkResource(name, resource);
    for (const expression of Object.values(outputs)) this.#checkReferences(expression);
    reportUnavailable(resources, this.#catalog, this.#report);
    checkParents(this.#template, (type) => this.#catalog.facts(type), this.#report);
    this.#checkClaims();
    this.#checkCycles();
    this.#checkValues();
    checkSealed(
      this.#template,
      (type) => this.#catalog.facts(type),
      this.#evaluator(),
      this.#report,
    );
    const names = new Set(this.#names);
    reportForeignReferences(this.#template, (name) => names.has(name), this.#report);
    this.#checkUnused();
  }

  #nearest(name: string, candidates: readonly string[]): string | undefined {
    // Each search compares with every candidate: thousands of misspellings must not take minutes.
    this.#suggestions += 1;
    this.#comparisons += candidates.length;
    return this.#suggestions <= MAX_SUGGESTIONS && this.#comparisons <= MAX_COMPARISONS
      ? nearest(name, candidates)
      : undefined;
  }

  #checkNames(): void {
    const { config, variables, resources, outputs } = this.#template;
    const taken = new Map<string, string>();
    const sections = { "config value": config, variable: variables, resource: resources };
    for (const [kind, section] of Object.entries(sections)) {
      for (const [name, { place }] of Object.entries(section)) {
        if (!NAME.test(name))
          this.#report.error(
            "invalid_name",
            `${quoted(name)} is not a valid name for a ${kind}.`,
            place,
            "Start with a letter or `_`, continue with letters, digits, `_` or `-`, and use at most 63 characters.",
          );
        // The parser of request bodies drops a member of this name, so no request could set it.
        else if (RESERVED.has(name) || (section === config && name === "__proto__"))
          this.#report.error(
            "reserved_name",
            `The name ${quoted(name)} is reserved.`,
            place,
            "Choose another name.",
          );
        const other = taken.get(name);
        if (other === undefined) taken.set(name, kind);
        else
          this.#report.error(
            "name_collision",
            `The ${kind} ${quoted(name)} has the same name as a ${other}, so a reference is ambiguous.`,
            place,
            "Rename one of the two.",
          );
      }
    }
    for (const [name, { place }] of Object.entries(outputs))
      if (!OUTPUT_NAME.test(name))
        this.#report.error(
          "invalid_name",
          `${quoted(name)} is not a valid name for an output.`,
          place,
          "Use 1 to 128 characters and no control characters.",
        );
  }

  #checkDefaults(): void {
    const [schemas, values] = [new WorkBudget(), new WorkBudget()];
    for (const [name, declaration] of Object.entries(this.#template.config)) {
      if (declaration.default === undefined) continue;
      if (schemaProblems(declaration.schema, schemas).length > 0) continue;
      for (const { message } of valueProblems(declaration.schema, declaration.default, values))
        this.#report.error(
          "invalid_default",
          `The default of ${quoted(name)} does not match its schema: ${message}`,
          declaration.place,
        );
    }
  }

  #checkResource(name: string, resource: ResourceDeclaration): void {
    const { type, properties, options, place, places } = resource;
    for (const expression of expressionsOf(resource)) this.#checkReferences(expression, name);
    for (const [index, other] of options.dependsOn.entries()) {
      const at =
        places?.get(`/options/dependsOn/${index}`) ?? places?.get("/options/dependsOn") ?? place;
      this.#used.add(other);
      if (other === name) this.#selfReference(name, at);
      else if (own(this.#template.resources, other) === undefined)
        this.#report.error(
          "unknown_dependency",
          `\`dependsOn\` of ${quoted(name)} names ${quoted(other)}, which is not a resource.`,
          at,
          didYouMean(this.#nearest(other, Object.keys(this.#template.resources))),
        );
    }
    for (const alias of new Set(options.aliases)) {
      const other = own(this.#template.resources, alias);
      // A resource with aliases of its own has another object: the names are swapped, or each moves on by one.
      if (other === undefined || alias === name || other.options.aliases.length > 0) continue;
      this.#report.warning(
        "alias_in_use",
        `The alias ${quoted(alias)} of ${quoted(name)} is also the name of a resource: an object that has it from an earlier version becomes ${quoted(name)}, and ${quoted(alias)} is created.`,
        places?.get("/options/aliases") ?? place,
        "An alias is a former name: remove it if the object is to keep its name.",
      );
    }
    if (type === "") return;
    const facts = this.#catalog.facts(type);
    if (facts === undefined)
      return reportUnknownType(type, places?.get("/type") ?? place, this.#catalog, {
        report: this.#report,
        nearest: (wanted, names) => this.#nearest(wanted, names),
      });
    reportMissingVersion(type, facts.version, places?.get("/type") ?? place, this.#report);
    if (resource.get !== undefined) return;
    const nearest = (wanted: string, names: readonly string[]) => this.#nearest(wanted, names);
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

  /** Each object belongs to one resource: two resources must not claim it by the same alias or import id. */
  #checkClaims(): void {
    const byAlias = new Map<string, string>();
    const byId = new Map<string, string>();
    this.#checkImportedReads();
    for (const [name, { type, options, place, places }] of Object.entries(
      this.#template.resources,
    )) {
      for (const alias of new Set(options.aliases)) {
        if (alias === name) continue;
        const first = byAlias.get(alias);
        if (first === undefined) byAlias.set(alias, name);
        else
          this.#report.error(
            "ambiguous_alias",
            `The alias ${quoted(alias)} of ${quoted(name)} is also an alias of ${quoted(first)}: an object belongs to one resource.`,
            places?.get("/options/aliases") ?? place,
            "Keep the alias only on the resource that had this name.",
          );
      }
      if (options.import === undefined) continue;
      const object = `${withoutVersion(type)}\n${options.import}`;
      const first = byId.get(object);
      if (first === undefined) byId.set(object, name);
      else
        this.#report.error(
          "import_in_use",
          `${quoted(name)} imports the same object as ${quoted(first)}.`,
          places?.get("/options/import") ?? place,
          "Import the object in one resource and refer to that resource.",
        );
    }
  }

  /** An object that one resource imports is managed, so no other resource needs to read it. */
  #checkImportedReads(): void {
    const resources = Object.entries(this.#template.resources);
    for (const [name, { type, get, places, place }] of resources) {
      if (get?.id.kind !== "literal") continue;
      const id = String(get.id.value);
      const owner = resources.find(
        ([, one]) => isSameType(one.type, type) && one.options.import === id,
      );
      if (owner !== undefined)
        this.#report.error(
          "get_in_use",
          `${quoted(name)} reads the object that ${quoted(owner[0])} imports.`,
          places?.get("/get") ?? place,
          `Refer to \`\${${owner[0]}}\` instead.`,
        );
    }
  }

  #selfReference(name: string, place: Place): void {
    this.#report.error(
      "self_reference",
      `${quoted(name)} refers to itself.`,
      place,
      "Move the shared value to `variables` or `config`.",
    );
  }

  #checkReferences(expression: Expression, owner?: string): void {
    for (const reference of referencesIn(expression)) {
      this.#used.add(reference.root);
      if (reference.root === UNREADABLE) continue;
      if (reference.root === owner) this.#selfReference(owner, reference.place);
      else this.#checkReference(reference);
    }
  }

  #checkReference(reference: Reference): void {
    const { root, path, place } = reference;
    const { config, variables, resources } = this.#template;
    const resource = own(resources, root);
    const wrong =
      resource !== undefined &&
      checkOutput(
        reference,
        resource,
        this.#catalog.facts(resource.type),
        this.#report,
        (wanted, names) => this.#nearest(wanted, names),
      );
    if (wrong) this.#reported.add(place);
    if ([config, variables, resources].some((section) => Object.hasOwn(section, root))) return;
    const written = formatReference(root, path);
    if (root !== "control" || !isControlPath(path)) this.#reported.add(place);
    if (root === "pulumi")
      this.#report.error(
        "not_supported",
        `${written} is not available: templates do not run on Pulumi's engine.`,
        place,
        own(pulumiNames, String(path[0])) ?? "Use one of the names under `control`.",
      );
    else if (root !== "control")
      this.#report.error(
        "unknown_reference",
        `${written} refers to nothing: no config value, variable or resource is named ${quoted(root)}.`,
        place,
        didYouMean(
          this.#withoutPrefix(reference) ?? this.#nearest(root, [...this.#names, "control"]),
        ),
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

  /** Other languages write `${var.region}` and `${resources.net.id}` for `${region}` and `${net.id}`. */
  #withoutPrefix({ path: [name, ...rest] }: Reference): string | undefined {
    return typeof name === "string" && this.#names.includes(name)
      ? formatReference(name, rest)
      : undefined;
  }

  #checkCycles(): void {
    for (const cycle of findCycles(this.#template)) {
      const [first = "", second] = cycle;
      if (first === second) continue;
      const { resources, variables } = this.#template;
      const place = own(resources, first)?.place ?? own(variables, first)?.place;
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
  #checkValues(): void {
    const { variables, resources, outputs } = this.#template;
    const evaluator = this.#evaluator();
    const reported = new Set<ResolveError>();
    const attempt = (compute: () => unknown) => {
      try {
        compute();
      } catch (error) {
        if (!(error instanceof ResolveError)) throw error;
        if (reported.has(error) || alreadyChecked.has(error.code)) return;
        if (this.#reported.has(error.place)) return;
        reported.add(error);
        this.#report.error(error.code, error.message, error.place, error.hint);
      }
    };
    for (const [name, { place }] of Object.entries(variables))
      attempt(() => evaluator.variable(name, place));
    const expressions = [
      ...Object.values(resources).flatMap(expressionsOf),
      ...Object.values(outputs),
    ];
    for (const expression of expressions) attempt(() => evaluator.evaluate(expression));
  }

  /** All values of an instance are unknown, and its secrets are also sealed. */
  #evaluator(): Evaluator {
    return new Evaluator(this.#template, {
      config: Object.fromEntries(
        Object.entries(this.#template.config).map(([name, { secret }]) => [
          name,
          secret ? new Secret(unknown) : unknown,
        ]),
      ),
      control: Object.fromEntries(
        Object.entries(controlNames).map(([group, names]) => [
          group,
          Object.fromEntries(names.map((name) => [name, unknown])),
        ]),
      ),
      outputsOf: (name) => {
        const type = own(this.#template.resources, name)?.type;
        return plannedObject({}, type === undefined ? type : this.#catalog.facts(type));
      },
    });
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

const alreadyChecked = new Set(["unknown_reference", "dependency_cycle", "missing_value"]);

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
