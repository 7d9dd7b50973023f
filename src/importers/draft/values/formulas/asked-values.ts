/** Values that may be missing, and the steps that lead to them. */
import type { Scope } from "#importers/evaluate/scope.ts";
import type { Expression } from "#importers/expression.ts";
import type { Formula } from "./formula.ts";

/**
 * A value that may be missing. `optional`: as an optional value, or the optional value above it that may be missing,
 * where all below that one is always there.
 */
export interface Asked {
  value: Formula;
  optional: string;
  isAbove: boolean;
}

/** `whole`: a value below another one, whose text begins with the other's text. */
export function askedBelow(of: string, whole: Formula): Asked {
  const rest = whole.text.slice(of.length);
  const mark = rest.startsWith("[") ? "[?" : ".?";
  return { value: whole, optional: `${of}${mark}${rest.slice(1)}`, isAbove: false };
}

/** The value where it exists, else the other one. */
export function present({ value, optional, isAbove }: Asked, { text, type }: Formula): Formula {
  const isChosen = isAbove || text.includes("omit()");
  return {
    text: isChosen
      ? `(${optional}.hasValue() ? ${value.text} : ${text})`
      : `${optional}.orValue(${text})`,
    type: type.kind === "any" ? value.type : type,
  };
}

/** A value and the steps below it. */
export function chainOf(
  expression: Expression,
): { of: Expression; steps: readonly Expression[] } | undefined {
  if (expression.kind === "reference") {
    const { path } = expression;
    return {
      of: { ...expression, path: [] },
      steps: path.map((step) => ({ kind: "literal", value: step })),
    };
  }
  if (expression.kind !== "call" || expression.name !== "[]") return undefined;
  const [of, ...steps] = expression.args;
  const below = of && chainOf(of);
  return below && { of: below.of, steps: [...below.steps, ...steps] };
}

/** The written-out steps; undefined if one is computed. */
export function stepsIn(
  steps: readonly Expression[],
  { scope }: { scope: Scope },
): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (const step of steps) {
    const known = scope.decided.decide(scope.decided.bound(step, scope));
    if (known?.kind !== "literal" || known.value === null || typeof known.value === "boolean")
      return undefined;
    path.push(known.value);
  }
  return path;
}
