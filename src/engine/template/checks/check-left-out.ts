/**
 * Reports references to a resource or component that its condition may leave out. A reader must have the same condition,
 * ask with `has(…)`, or read it as `name.?member`.
 */
import type { Node } from "#engine/expressions/ast.ts";
import {
  type Fact,
  factsOf,
  isGuarded,
  isSameFact,
  outerFactsOf,
} from "#engine/expressions/reads.ts";
import { expressionsOf, partsOf, type Read, readsIn } from "#engine/template/expressions-in.ts";
import { own } from "#engine/template/own.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { Expression, Template } from "#engine/template/template.ts";

export function checkLeftOut(template: Template, report: Report): void {
  const { variables, outputs } = template;
  const parts = partsOf(template);
  const conditionOf = (name: string) => own(parts, name)?.when;
  const check = (expressions: readonly Expression[], known: readonly Fact[]): void => {
    for (const read of expressions.flatMap(readsIn)) {
      const when = conditionOf(read.root);
      if (when === undefined || isCovered(read, factsWhere(when), known)) continue;
      report.error(
        "may_be_left_out",
        `${quoted(read.root)} has a condition, so it may be left out here.`,
        read.place,
        `Write \`\${${read.root}.?member.orValue(…)}\` or \`\${has(${read.root}) ? … : …}\`, or give the reader the same \`when\`.`,
      );
    }
  };
  for (const part of Object.values(parts)) {
    const { when } = part;
    check(
      expressionsOf(part).filter((one) => one !== when),
      when === undefined ? [] : factsWhere(when),
    );
    if (when !== undefined) check([when], []);
  }
  check([...Object.values(variables), ...Object.values(outputs)], []);
}

/** Whether the reader exists only where the whole condition is true, or copes with its absence. */
function isCovered({ inFormula }: Read, facts: readonly Fact[], known: readonly Fact[]): boolean {
  if (inFormula !== undefined && isGuarded(inFormula)) return true;
  const all = [...known, ...(inFormula?.conditions ?? []).flatMap(outerFactsOf)];
  return facts.length > 0 && facts.every((fact) => all.some((one) => isSameFact(one, fact)));
}

/** The facts that are all given where the condition is true. */
function factsWhere(when: Expression): Fact[] {
  if (when.kind === "formula") return factsOf({ node: when.formula.node, holds: true });
  if (when.kind === "reference") {
    const { root, path } = when.reference;
    return [{ node: nodeOf(root, path), holds: true }];
  }
  if (when.kind !== "literal" || typeof when.value !== "boolean") return [];
  const node: Node = { kind: "literal", value: when.value, fraction: false, start: 0, end: 0 };
  return [{ node, holds: true }];
}

/** The node of a reference, as the same text in a formula has it. */
function nodeOf(root: string, path: readonly (string | number)[]): Node {
  const at = { start: 0, end: 0 };
  let node: Node = { kind: "name", name: root, ...at };
  for (const segment of path)
    node =
      typeof segment === "string"
        ? { kind: "member", of: node, member: { name: segment, ...at }, optional: false, ...at }
        : {
            kind: "index",
            of: node,
            index: { kind: "literal", value: segment, fraction: false, ...at },
            optional: false,
            ...at,
          };
  return node;
}
