import { isGuarded } from "#engine/expressions/reads.ts";
import { partsOf, type Read, readsIn } from "#engine/template/expressions-in.ts";
import { own } from "#engine/template/own.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { Expression, Template } from "#engine/template/template.ts";

/**
 * Reports conditions and loops that read a resource's output, themselves or through variables: they have to be known
 * before any object is. The keys of another loop are known.
 */
export function checkKnown(template: Template, report: Report): void {
  for (const [name, { when, forEach }] of Object.entries(partsOf(template)))
    for (const [what, expression] of [["condition", when] as const, ["loop", forEach] as const]) {
      const read = expression && outputIn(expression, template);
      if (read === undefined) continue;
      report.error(
        "not_known_yet",
        `The ${what} of ${quoted(name)} reads an output of ${quoted(read.root)}, which is known only after apply.`,
        read.place,
        "Use config values, variables made of them, and names under `control`.",
      );
    }
}

/** The first read of an output. */
function outputIn(expression: Expression, template: Template): Read | undefined {
  const seen = new Set<string>();
  const pending = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const read of readsIn(next)) {
      if (isOutput(read, template)) return read;
      const variable = own(template.variables, read.root);
      if (variable === undefined || seen.has(read.root)) continue;
      seen.add(read.root);
      pending.push(variable);
    }
  return undefined;
}

function isOutput({ root, path, inFormula }: Read, { resources }: Template): boolean {
  const resource = own(resources, root);
  if (resource === undefined || (inFormula !== undefined && isGuarded(inFormula))) return false;
  return path.length > (resource.forEach === undefined ? 0 : 1);
}
