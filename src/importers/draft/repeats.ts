/** The condition and the loop of a resource in the draft. */
import type { Scope } from "#importers/evaluate/scope.ts";
import { type Expression, lineIn } from "#importers/expression.ts";
import { whyUnreadIn } from "#importers/hcl/files/unread-file.ts";
import type { Json } from "#platform/json.ts";
import { conditionOf } from "./values/cloudformation/condition-of.ts";
import type { DraftValues } from "./values/draft-values.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";
import { factsIn, formulaOf } from "./values/formulas/formula.ts";
import { computed, type Use } from "./values/use.ts";

export type Repeat = { when?: Json; forEach?: Json } | Lost;

/** `line`: of the condition or the loop, unless only the resource's is known. */
export interface Lost {
  reason: string;
  line: number;
}

/** Also notes the condition in the resource, so that its readers know when it is there. */
export function repeatOf(made: DraftedResource, values: DraftValues): Repeat {
  const { source, scope, path, name, loop } = made;
  const { file, line } = source;
  const use: Use = { address: addressOf(made), name: `${name} condition`, file, line, path };
  const repeat: Repeat = {};
  if (scope.module.format === "cloudformation") {
    const condition = conditionOf(made, values, use);
    if (condition !== undefined && condition.kind !== "value")
      return { reason: condition.reason, line };
    if (condition !== undefined) repeat.when = condition.value;
  } else if (source.when !== undefined) {
    const shape = { type: "boolean" } as const;
    const condition = values.convert(source.when, scope, { ...use, isPart: true, shape });
    if (condition.kind !== "value")
      return { reason: condition.reason, line: lineIn(source.when) ?? line };
    const text = formulaOf(condition.value);
    made.holds = text === undefined ? [] : factsIn(text);
    repeat.when = condition.value;
  }
  if (loop !== undefined) {
    const shape = { type: loop.by === "count" ? "number" : "object" } as const;
    const own: Use = { ...use, name: `${name} loop` };
    const of = values.formulas.formula(loop.of, scope.home, own, false, shape);
    if (of === undefined) {
      const reason = whyUnreadIn(named(loop.of, scope.home)) ?? computed;
      return { reason, line: lineIn(loop.of) ?? line };
    }
    repeat.forEach = `\${${values.formulas.loopOver(of, loop.by)}}`;
  }
  return repeat;
}

/** The value of a local that the loop names. */
function named(of: Expression, home: Scope): Expression {
  if (of.kind !== "reference" || of.target.kind !== "local") return of;
  return home.locals.get(of.target.name)?.value ?? of;
}
