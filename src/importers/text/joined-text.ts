import { partsOf, textOf, type Expression } from "#importers/expression.ts";
import { hidden, holdsSecret } from "#importers/hidden-values.ts";

/** Joins parts to one text, and hides pieces that hold a secret. Parts that are texts themselves are flattened. */
export function flatText(parts: readonly Expression[], line: number): Expression {
  const flat: Expression[] = [];
  for (const part of parts)
    if (part.kind === "text") for (const inner of part.parts) flat.push(inner);
    else flat.push(part);
  const joined = textOf(flat);
  if (joined.kind !== "text") return withoutSecret(joined, line);
  return { kind: "text", parts: joined.parts.map((part) => withoutSecret(part, line)) };
}

function withoutSecret(part: Expression, line: number): Expression {
  return part.kind === "literal" && holdsSecret(String(part.value)) ? hidden(line) : part;
}

/** Whether a part may stand inside a text: a list, a map or null may not. */
export function isTextPart(part: Expression): boolean {
  if (part.kind === "list" || part.kind === "object") return false;
  return part.kind !== "literal" || part.value !== null;
}

/** The limit on repetitions in a text, in values and pieces of 32 characters. */
const MAX_REPEATED = 500;

/** Whether writing out these values stays near the size of their source: a long value may occur very often. */
export function withinRepeats(used: readonly Expression[]): boolean {
  const seen = new Map<Expression, number>();
  let added = 0;
  for (const value of used) {
    const known = seen.get(value);
    if (known === undefined) seen.set(value, sizeOf(value));
    else added += known;
    if (added > MAX_REPEATED) return false;
  }
  return true;
}

/**
 * The number of values in an expression and of pieces of 32 characters in its texts. Counting stops soon after the
 * limit.
 */
export function sizeOf(expression: Expression, limit = MAX_REPEATED): number {
  const waiting: (readonly Expression[])[] = [[expression]];
  let size = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const at of next) {
      size += 1;
      if (at.kind === "literal") size += String(at.value).length / 32;
      else if (at.kind === "opaque") size += at.references.length;
      else waiting.push(partsOf(at));
      if (size > limit) return size;
    }
  return size;
}
