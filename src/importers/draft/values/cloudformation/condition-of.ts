import { cannot, type Converted, value } from "#importers/draft/values/converted.ts";
import type { DraftValues } from "#importers/draft/values/draft-values.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import { formulaOf } from "#importers/draft/values/formulas/formula.ts";
import { computed, type Use } from "#importers/draft/values/use.ts";
import { conditionsOf } from "./conditions-in-force.ts";
import { bare } from "./intrinsic-formulas.ts";

/** The condition of a resource and those of the stacks around it. Undefined: it has none. */
export function conditionOf(
  made: DraftedResource,
  values: DraftValues,
  use: Use,
): Converted | undefined {
  const texts = new Set<string>();
  for (const { of, scope } of conditionsOf(made)) {
    const one = values.convert(of, scope, use);
    if (one.kind !== "value") return one;
    if (one.value === true) continue;
    const text = formulaOf(one.value);
    if (text === undefined) return cannot(computed);
    texts.add(text);
  }
  const [only, ...others] = texts;
  if (only === undefined) return undefined;
  return value(`\${${others.length === 0 ? bare(only) : [only, ...others].join(" && ")}}`);
}
