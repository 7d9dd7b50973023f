/** Parses a JSON text whose strings contain inserted expressions. */
import { type Expression, literal, type Member, textOf } from "#importers/expression.ts";
import { exceedsNesting } from "#platform/json-nesting.ts";
import { isJsonMap, type Json, readJson } from "#platform/json.ts";

const MAX_TEXT = 100_000;
const MAX_NESTING = 100;
/** Characters of Unicode's private use area mark inserted expressions. Real JSON does not contain them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];

/** Undefined: the text is not JSON, or an expression is inserted outside its strings. */
export function parsedText(given: Expression, line: number): Expression | undefined {
  const parts = given.kind === "text" ? given.parts : [given];
  if (parts.length === 1 && parts[0]?.kind !== "literal") return undefined;
  let text = "";
  for (const [at, part] of parts.entries()) {
    if (part.kind === "literal" && String(part.value).includes(OPEN)) return undefined;
    text += part.kind === "literal" ? String(part.value) : `${OPEN}${at}${CLOSE}`;
    if (text.length > MAX_TEXT) return undefined;
  }
  if (!/^\s*[{[]/.test(text) || exceedsNesting(text, MAX_NESTING)) return undefined;
  const read = readJson(text);
  return read === undefined ? undefined : expressionOf(read, parts, line);
}

function expressionOf(of: Json, parts: readonly Expression[], line: number): Expression {
  if (Array.isArray(of))
    return { kind: "list", items: of.map((item) => expressionOf(item, parts, line)) };
  if (isJsonMap(of)) {
    const members = Object.entries(of).map(([name, one]): Member => ({
      name,
      value: expressionOf(one, parts, line),
      line,
    }));
    return { kind: "object", members };
  }
  return typeof of === "string" ? inserted(of, parts) : literal(of);
}

function inserted(text: string, parts: readonly Expression[]): Expression {
  if (!text.includes(OPEN)) return literal(text);
  const found = text.split(/\uE000(\d+)\uE001/).flatMap((piece, at): Expression[] => {
    if (at % 2 === 0) return piece === "" ? [] : [literal(piece)];
    const part = parts[Number(piece)];
    return part === undefined ? [] : [part];
  });
  const [only] = found;
  return found.length === 1 && only !== undefined ? only : textOf(found);
}
