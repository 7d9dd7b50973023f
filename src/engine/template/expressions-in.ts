import type { Expression, ResourceDeclaration, Template } from "./template.ts";

/** The expression and all expressions inside it, in text order. */
export function expressionsIn(expression: Expression): Expression[] {
  const found: Expression[] = [];
  collect(expression, found);
  return found;
}

/** The expressions of a resource, without those inside them. */
export function expressionsOf({
  properties,
  get,
}: Pick<ResourceDeclaration, "properties" | "get">): Expression[] {
  return [...(get === undefined ? [] : [get.id]), ...Object.values(properties)];
}

/** All expressions of variables, of resources' properties and of outputs. */
export function expressionsInTemplate({ variables, resources, outputs }: Template): Expression[] {
  return [
    ...Object.values(variables),
    ...Object.values(resources).flatMap(expressionsOf),
    ...Object.values(outputs),
  ].flatMap(expressionsIn);
}

function collect(expression: Expression, found: Expression[]): void {
  found.push(expression);
  for (const inner of partsOf(expression)) collect(inner, found);
}

function partsOf(expression: Expression): Expression[] {
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
      return [];
  }
}
