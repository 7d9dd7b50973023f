import { PathSet } from "#engine/path-set.ts";
import { readOnlyHint } from "#engine/plan/require-writable.ts";
import { own } from "#engine/template/own.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Expression, ResourceDeclaration } from "#engine/template/template.ts";
import { escapePointer } from "#platform/json.ts";
import { formatPropertyPath, parsePropertyPath } from "#platform/property-path.ts";
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { literalType, typeHint, typeWords } from "./property-types.ts";

/** Reports properties, at any depth, that only the cloud sets. */
export function checkReadOnly(
  name: string,
  { type, properties, places }: ResourceDeclaration,
  { readOnly }: TypeFacts,
  report: Report,
): void {
  const visit = (expression: Expression, path: (string | number)[], left: PathSet): void => {
    if (left.here) {
      const at =
        path.length === 1
          ? places?.get(`/properties/${escapePointer(String(path[0]))}`)
          : undefined;
      report.error(
        "read_only",
        `${quoted(name)} sets ${formatPropertyPath(path)}, which only the cloud sets in ${type}.`,
        at ?? expression.place,
        readOnlyHint(name, path),
      );
    } else if (left.below && expression.kind === "map")
      for (const [key, item] of Object.entries(expression.entries))
        visit(item, [...path, key], left.at(key));
    else if (left.below && expression.kind === "list")
      for (const [at, item] of expression.items.entries()) visit(item, [...path, at], left.at(at));
  };
  const set = PathSet.of(readOnly);
  for (const [key, expression] of Object.entries(properties)) visit(expression, [key], set.at(key));
}

/**
 * Checks a resource's properties against the provider's table of types. Reports warnings only, because the
 * cloud may accept more than the table lists. Skips types whose properties are not listed.
 */
export function checkProperties(
  { type, properties, places }: ResourceDeclaration,
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
}

/** Warns of paths in the options that start with an unknown property of the type. */
export function checkOptionPaths(
  name: string,
  { type, properties, options, place, places }: ResourceDeclaration,
  facts: TypeFacts,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): void {
  const known: object | undefined = facts.shape?.properties ?? facts.properties;
  if (known === undefined) return;
  for (const option of ["ignoreChanges", "replaceOnChanges"] as const)
    for (const [index, path] of options[option].entries()) {
      const [root] = parsePropertyPath(path) ?? [];
      if (typeof root !== "string") continue;
      if (Object.hasOwn(known, root) || Object.hasOwn(properties, root)) continue;
      report.warning(
        "unknown_property",
        `\`${option}\` of ${quoted(name)} names ${quoted(root)}, which is not a known property of the type ${type}.`,
        places?.get(`/options/${option}/${index}`) ?? places?.get(`/options/${option}`) ?? place,
        didYouMean(nearest(root, Object.keys(known))),
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
  const given = literalType(expression);
  if (given === undefined || wanted === undefined || given === wanted) return;
  if (given === "integer" && wanted === "number") return;
  report.warning(
    "property_type",
    `The property ${quoted(property)} of ${type} takes ${typeWords[wanted]}, not ${typeWords[given]}.`,
    expression.place,
    typeHint(wanted, given),
  );
}
