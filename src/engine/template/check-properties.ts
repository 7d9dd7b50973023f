import { parsePropertyPath } from "#engine/property-path.ts";
import { escapePointer } from "#platform/json.ts";
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { own } from "./own.ts";
import { didYouMean, quoted, type Report } from "./report.ts";
import type { Expression, ResourceDeclaration } from "./template.ts";

/**
 * Compares a resource with what the provider's table says of its type. Warnings alone: where the cloud knows
 * more than the table, it has the last word. Says nothing of a type whose properties are not known.
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
        `The type ${type} is not known to have a property ${quoted(property)}.`,
        places?.get(`/properties/${escapePointer(property)}`) ?? expression.place,
        didYouMean(nearest(property, names)) ?? `It has ${names.join(", ")}.`,
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
        `\`${option}\` of ${quoted(name)} names ${quoted(root)}, which the type ${type} is not known to have.`,
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
    `The property ${quoted(property)} of ${type} is ${typeWords[wanted]}; this is ${typeWords[given]}.`,
    expression.place,
  );
}

/** What an expression is whatever its references are; undefined when that depends on them. */
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
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a map",
  array: "a list",
} as const;
