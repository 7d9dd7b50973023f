import type { Expression, Formula, Reference } from "./template.ts";

/** A root that no template can write. It replaces an invalid part that was already reported. */
export const UNREADABLE = "";

/** The references of a string, in order; none for other expressions. */
export function referencesOf(expression: Expression): Reference[] {
  if (expression.kind === "reference") return [expression.reference];
  return expression.kind === "interpolation" ? expression.parts.filter(isReference) : [];
}

/** The formulas of a string, in order; none for other expressions. */
export function formulasOf(expression: Expression): Formula[] {
  if (expression.kind === "formula") return [expression.formula];
  return expression.kind === "interpolation" ? expression.parts.filter(isFormula) : [];
}

export function isFormula(part: string | Reference | Formula): part is Formula {
  return typeof part !== "string" && "node" in part;
}

function isReference(part: string | Reference | Formula): part is Reference {
  return typeof part !== "string" && !("node" in part);
}
