import { type Read as FormulaRead, readsOf } from "#engine/expressions/reads.ts";
import { formulasOf, referencesOf } from "./string-parts.ts";
import type {
  ComponentUse,
  Expression,
  Place,
  Repeatable,
  ResourceDeclaration,
  Template,
} from "./template.ts";

/** The expression and all expressions inside it, in text order. */
export function expressionsIn(expression: Expression): Expression[] {
  const found: Expression[] = [];
  collect(expression, found);
  return found;
}

/** The resources and components of a template, by name. */
export function partsOf({ resources, components }: Pick<Template, "resources" | "components">) {
  return { ...resources, ...components };
}

/** The expressions of a resource or a component, without those inside them. */
export function expressionsOf({
  when,
  forEach,
  properties,
  get,
}: Pick<Repeatable, "when" | "forEach"> &
  Pick<ComponentUse, "properties"> &
  Pick<ResourceDeclaration, "get">): Expression[] {
  return [when, forEach, get?.id, ...Object.values(properties)].filter((one) => one !== undefined);
}

/** All expressions of variables, of resources' and components' properties, and of outputs. */
export function expressionsInTemplate(template: Template): Expression[] {
  const { variables, outputs } = template;
  return [
    ...Object.values(variables),
    ...Object.values(partsOf(template)).flatMap(expressionsOf),
    ...Object.values(outputs),
  ].flatMap(expressionsIn);
}

/** A name that an expression reads, with the constant part of its path. */
export interface Read {
  root: string;
  path: readonly (string | number)[];
  place: Place;
  /** In a formula. */
  inFormula?: FormulaRead;
}

/** The names that an expression reads, in text order. */
export function readsIn(expression: Expression): Read[] {
  return expressionsIn(expression).flatMap((one) => [
    ...referencesOf(one),
    ...formulasOf(one).flatMap(({ node, placeOf }) =>
      readsOf(node).map((read) => ({
        root: read.root,
        path: read.path,
        place: placeOf(read),
        inFormula: read,
      })),
    ),
  ]);
}

function collect(expression: Expression, found: Expression[]): void {
  found.push(expression);
  for (const inner of directlyIn(expression)) collect(inner, found);
}

function directlyIn(expression: Expression): Expression[] {
  switch (expression.kind) {
    case "list":
      return expression.items;
    case "map":
      return Object.values(expression.entries);
    case "call":
      return [expression.argument];
    case "literal":
    case "reference":
    case "interpolation":
    case "formula":
      return [];
  }
}
