import { type Expression, literal, textOf } from "#importers/expression.ts";

/**
 * Replaces dynamic references (`{{resolve:ssm:/app/size}}`) in a text by calls, whose arguments are the service and the
 * rest of the reference. A reference may have parts that are computed.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
 */
export function withDynamicReferences(text: Expression, line: number): Expression {
  const parts = text.kind === "text" ? text.parts : [text];
  if (!parts.some((part) => part.kind === "literal" && String(part.value).includes(START)))
    return text;
  const made: Expression[] = [];
  /** The parts of the reference that is not closed yet. */
  let inside: Expression[] | undefined;
  for (const part of parts) {
    if (part.kind !== "literal") {
      (inside ?? made).push(part);
      continue;
    }
    let rest = String(part.value);
    while (rest !== "") {
      const at = rest.indexOf(inside === undefined ? START : END);
      if (at === -1) {
        (inside ?? made).push(literal(rest));
        break;
      }
      if (at > 0) (inside ?? made).push(literal(rest.slice(0, at)));
      if (inside === undefined) inside = [];
      else {
        made.push(referenceOf(inside, line));
        inside = undefined;
      }
      rest = rest.slice(at + (inside === undefined ? END : START).length);
    }
  }
  // Without its end, it is no reference.
  if (inside !== undefined) return text;
  const [only] = made;
  return made.length === 1 && only !== undefined ? only : textOf(made);
}

const START = "{{resolve:";
const END = "}}";

function referenceOf(parts: readonly Expression[], line: number): Expression {
  const [first, ...others] = parts;
  const [, service = "", rest = ""] =
    first?.kind === "literal" ? (/^([a-z-]*):?(.*)$/s.exec(String(first.value)) ?? []) : [];
  const named = rest === "" ? others : [literal(rest), ...others];
  return { kind: "call", name: "resolve", args: [literal(service), textOf(named)], line };
}
