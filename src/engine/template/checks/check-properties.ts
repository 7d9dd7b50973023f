import { parsePropertyPath } from "#platform/property-path.ts";
import { own } from "#engine/template/own.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Expression, ResourceDeclaration } from "#engine/template/template.ts";
import { escapePointer } from "#platform/json.ts";
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";

/**
 * Checks a resource's properties against the provider's table of types. Reports warnings only, because the
 * cloud may accept more than the table lists. Skips types whose properties are not listed.
 */
export function checkProperties(
  name: string,
  { type, properties, options, place, places }: ResourceDeclaration,
  { properties: known }: TypeFacts,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): void {
  if (known === undefined) return;
  const names = Object.keys(known);
  for (const [property, expression] of Object.entries(properties)) {
    const described = own(known, property);
    if (described === undefined)
      report.warning(
        "unknown_property",
        `The type ${type} has no known property ${quoted(property)}.`,
        places?.get(`/properties/${escapePointer(property)}`) ?? expression.place,
        didYouMean(nearest(property, names)) ?? `Its properties are ${names.join(", ")}.`,
      );
    else checkType(property, expression, described, type, report);
  }
  for (const option of ["ignoreChanges", "replaceOnChanges"] as const)
    for (const [index, path] of options[option].entries()) {
      const [root] = parsePropertyPath(path) ?? [];
      if (typeof root !== "string") continue;
      if (Object.hasOwn(known, root) || Object.hasOwn(properties, root)) continue;
      report.warning(
        "unknown_property",
        `\`${option}\` of ${quoted(name)} names ${quoted(root)}, which is not a known property of the type ${type}.`,
        places?.get(`/options/${option}/${index}`) ?? places?.get(`/options/${option}`) ?? place,
        didYouMean(nearest(root, names)),
      );
    }
}

function checkType(
  property: string,
  expression: Expression,
  { type: wanted }: PropertyFacts,
  type: string,
  report: Report,
): void {
  const given = typeOf(expression);
  if (given === undefined || wanted === undefined || given === wanted) return;
  if (given === "integer" && wanted === "number") return;
  report.warning(
    "property_type",
    `The property ${quoted(property)} of ${type} takes ${typeWords[wanted]}, not ${typeWords[given]}.`,
    expression.place,
  );
}

/** The type of an expression; undefined when it depends on a reference or a function. */
function typeOf(expression: Expression): PropertyFacts["type"] {
  switch (expression.kind) {
    case "list":
      return "array";
    case "map":
      return "object";
    case "interpolation":
      return "string";
    case "literal": {
      const { value } = expression;
      if (value === null) return undefined;
      if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
      return typeof value === "string" ? "string" : "boolean";
    }
    case "reference":
    case "call":
      return undefined;
  }
}

const typeWords = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "a boolean",
  object: "a map",
  array: "a list",
} as const;
