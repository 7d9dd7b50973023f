/** Calls and texts that have no meaning here, with the references in them. */
import { type Expression, type ReferenceExpression, referencesIn } from "#importers/expression.ts";
import { holdsSecret } from "#importers/hidden-values.ts";
import type { ArmReading } from "./arm-reading.ts";
import type { CallNode } from "./functions/arm-call.ts";
import { call } from "./known-values.ts";

const MAX_TEXT = 256;

export function untranslated(
  node: CallNode,
  args: readonly Expression[],
  line: number,
  reading: ArmReading,
): Expression {
  if (node.path.length > 0) {
    const written = node.path.map(({ node: step }) =>
      step.kind === "literal" && typeof step.value === "string" ? `.${step.value}` : "[…]",
    );
    return opaque(`[${node.name}(…)${written.join("")}]`, args, line, reading);
  }
  return call(`ARM ${node.name}`, args, line);
}

export function opaque(
  text: string,
  parts: readonly Expression[],
  line: number,
  reading: ArmReading,
): Expression {
  // Values occur several times in others, with the same references.
  const references = new Set<ReferenceExpression>();
  reading.spendOn(parts);
  for (const part of parts) for (const one of referencesIn(part)) references.add(one);
  return { kind: "opaque", text: shown(text), references: [...references], line };
}

function shown(text: string): string {
  return holdsSecret(text) ? "" : text.slice(0, MAX_TEXT);
}
