import { resultTypeOf } from "#engine/template/built-ins.ts";
import { own } from "#engine/template/own.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { BuiltIn, Expression, Place, ResourceDeclaration } from "#engine/template/template.ts";
import type { WorkBudget } from "#engine/template/work-budget.ts";
import type { Json } from "#platform/json.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { ObjectShape, PropertyFacts, TypeFacts, ValueShape } from "#providers/provider.ts";
import { literalType, type PropertyType, typeHint, typeWords } from "./property-types.ts";

type Nearest = (name: string, candidates: readonly string[]) => string | undefined;
type Path = readonly (string | number)[];

/** A message costs more than the check of a value. */
const COST_OF_VALUE = 20;
const COST_OF_MESSAGE = 10_000;
const MAX_LISTED = 12;

/**
 * Checks a resource's properties, at every depth, against the published description of its type. A certain mistake is
 * an error. An unknown name or value that resembles no known one may be newer than the description, and is a warning.
 * Stops without a message when the budget is spent.
 */
export function checkShape(
  name: string,
  resource: ResourceDeclaration,
  facts: TypeFacts & { shape: ObjectShape },
  tools: { report: Report; nearest: Nearest; budget: WorkBudget },
): void {
  const { defaults = {} } = facts;
  const required = facts.required.filter((property) => !Object.hasOwn(defaults, property));
  // The facts' own list is for the top level, and takes precedence over the description's.
  const shape = { ...facts.shape, required };
  new ShapeChecker(name, resource, tools).object(resource.properties, shape, [], resource.place);
}

class ShapeChecker {
  readonly #name: string;
  readonly #resource: ResourceDeclaration;
  readonly #report: Report;
  readonly #nearest: Nearest;
  readonly #budget: WorkBudget;

  constructor(
    name: string,
    resource: ResourceDeclaration,
    { report, nearest, budget }: { report: Report; nearest: Nearest; budget: WorkBudget },
  ) {
    this.#name = name;
    this.#resource = resource;
    this.#report = report;
    this.#nearest = nearest;
    this.#budget = budget;
  }

  object(
    entries: Readonly<Record<string, Expression>>,
    { properties, required = [], open = false }: ObjectShape,
    path: Path,
    place: Place,
  ): void {
    /** Names for which a misspelling stands. They do not also count as missing. */
    const meant = new Set<string>();
    for (const [key, expression] of Object.entries(entries)) {
      if (!this.#budget.spend(COST_OF_VALUE)) return;
      const shape = own(properties, key);
      if (shape !== undefined) this.#member(expression, shape, [...path, key]);
      else if (!open) {
        const near = this.#unknown(expression, [...path, key], entries, Object.keys(properties));
        if (near !== undefined) meant.add(near);
      }
    }
    for (const key of required) {
      if (own(entries, key) !== undefined || meant.has(key)) continue;
      if (own(properties, key)?.readOnly === true || !this.#budget.spend(COST_OF_MESSAGE)) continue;
      this.#report.error(
        "missing_property",
        path.length === 0
          ? `The resource ${quoted(this.#name)} of type ${this.#resource.type} requires the property ${quoted(key)}.`
          : `${formatted(path)} of ${this.#resource.type} requires the property ${quoted(key)}.`,
        place,
        path.length === 0 ? `Add \`${key}\` under \`properties\`.` : `Add \`${key}\` to it.`,
      );
    }
  }

  #member(expression: Expression, shape: ValueShape, path: Path): void {
    if (shape.readOnly !== true) return this.#value(expression, shape, path);
    if (!this.#budget.spend(COST_OF_MESSAGE)) return;
    this.#report.error(
      "read_only",
      `${quoted(this.#name)} sets ${formatted(path)}, which only the cloud sets in ${this.#resource.type}.`,
      this.#keyPlace(expression),
      "Remove it: the cloud chooses the value, and others can refer to it.",
    );
  }

  #value(expression: Expression, shape: ValueShape, path: Path): void {
    const given = typeOf(expression);
    if (given !== undefined && shape.type !== undefined && !fits(given, shape.type)) {
      if (this.#budget.spend(COST_OF_MESSAGE))
        this.#report.error(
          "property_type",
          `The property ${formatted(path)} of ${this.#resource.type} takes ${typeWords[shape.type]}, not ${typeWords[given]}.`,
          expression.place,
          typeHint(shape.type, given),
        );
      return;
    }
    if (expression.kind === "map" && shape.object !== undefined)
      this.object(expression.entries, shape.object, path, this.#keyPlace(expression));
    else if (expression.kind === "map" && shape.items !== undefined)
      for (const [key, value] of Object.entries(expression.entries)) {
        if (!this.#budget.spend(COST_OF_VALUE)) return;
        this.#value(value, shape.items, [...path, key]);
      }
    else if (expression.kind === "list" && shape.items !== undefined)
      for (const [index, item] of expression.items.entries()) {
        if (!this.#budget.spend(COST_OF_VALUE)) return;
        this.#value(item, shape.items, [...path, index]);
      }
    else if (expression.kind === "call" && isMarkOnly(expression.fn))
      this.#value(expression.argument, shape, path);
    else if (expression.kind === "literal" && expression.value !== null && shape.enum !== undefined)
      this.#listed(expression.value, expression.place, shape.enum, path);
  }

  /** Reports a name that the description lacks; returns the name of which it is a misspelling. */
  #unknown(
    expression: Expression,
    path: Path,
    beside: Readonly<Record<string, Expression>>,
    names: readonly string[],
  ): string | undefined {
    if (!this.#budget.spend(COST_OF_MESSAGE)) return undefined;
    const key = String(path.at(-1));
    const near = this.#nearest(
      key,
      names.filter((known) => own(beside, known) === undefined),
    );
    const parent = path.slice(0, -1);
    const message =
      parent.length === 0
        ? `The type ${this.#resource.type} has no known property ${quoted(key)}.`
        : `${formatted(parent)} of ${this.#resource.type} has no known property ${quoted(key)}.`;
    const listed = names.slice(0, MAX_LISTED).join(", ");
    const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
    this.#report[near === undefined ? "warning" : "error"](
      "unknown_property",
      message,
      this.#keyPlace(expression),
      didYouMean(near) ?? (names.length === 0 ? undefined : `Its properties are ${listed}${more}.`),
    );
    return near;
  }

  #listed(
    value: string | number | boolean,
    place: Place,
    values: readonly Json[],
    path: Path,
  ): void {
    if (values.includes(value) || !this.#budget.spend(COST_OF_MESSAGE)) return;
    const texts = values.filter((one) => typeof one === "string");
    const near = typeof value === "string" ? this.#nearest(value, texts) : undefined;
    // A value with digits may be a version newer than the description.
    const misspelt = near !== undefined && !/[0-9]/.test(String(value));
    const severity = misspelt ? "error" : "warning";
    const listed = values.slice(0, MAX_LISTED).map((one) => JSON.stringify(one));
    const more = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : "";
    this.#report[severity](
      "property_value",
      `The property ${formatted(path)} of ${this.#resource.type} has no known value ${quoted(String(value))}.`,
      place,
      didYouMean(near) ?? `Its values are ${listed.join(", ")}${more}.`,
    );
  }

  #keyPlace({ place }: Expression): Place {
    const { place: resource, places } = this.#resource;
    return places?.get(place.path.slice(resource.path.length)) ?? place;
  }
}

const MAX_SHOWN = 160;

/** The end of a long path tells more than its beginning, and a message has one line. */
function formatted(path: Path): string {
  const text = formatPropertyPath(path);
  const shown = text.length > MAX_SHOWN ? `…${text.slice(-MAX_SHOWN)}` : text;
  return JSON.stringify(shown).replaceAll('\\"', "'");
}

function isMarkOnly(fn: BuiltIn): boolean {
  return fn === "secret" || fn === "unsecret";
}

/** The type of an expression; undefined when it depends on values not known yet. */
function typeOf(expression: Expression): PropertyType | undefined {
  return expression.kind === "call" ? resultTypeOf(expression.fn) : literalType(expression);
}

function fits(given: PropertyType, wanted: NonNullable<PropertyFacts["type"]>): boolean {
  return given === wanted || (given === "integer" && wanted === "number");
}
