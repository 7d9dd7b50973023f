/** Parses a JSON text whose strings contain inserted expressions. */
import { type Expression, literal, type Member, textOf } from "#importers/expression.ts";
import { exceedsNesting } from "#platform/json-nesting.ts";
import { isJsonMap, type Json, readJson } from "#platform/json.ts";

const MAX_TEXT = 100_000;
const MAX_NESTING = 100;
/** Characters of Unicode's private use area mark inserted expressions. Real JSON does not contain them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];

/**
 * Undefined: the text is not JSON, or an expression is inserted outside its strings, except for one that `jsonencode`
 * encodes.
 */
export function parsedText(given: Expression, line: number): Expression | undefined {
  const parts = given.kind === "text" ? given.parts : [given];
  if (parts.length === 1 && parts[0]?.kind !== "literal") return undefined;
  let text = "";
  let isInString = false;
  const found: Expression[] = [];
  for (const [at, part] of parts.entries()) {
    if (part.kind === "literal" && String(part.value).includes(OPEN)) return undefined;
    const mark = `${OPEN}${at}${CLOSE}`;
    if (part.kind === "literal") {
      text += String(part.value);
      isInString = isInString !== togglesString(String(part.value));
      found.push(part);
    } else {
      // `"Resource": ${jsonencode(x)}` has the value itself.
      const encoded = isInString ? undefined : encodedIn(part);
      text += encoded === undefined ? mark : `"${mark}"`;
      found.push(encoded ?? part);
    }
    if (text.length > MAX_TEXT) return undefined;
  }
  if (!/^\s*[{[]/.test(text) || exceedsNesting(text, MAX_NESTING)) return undefined;
  const read = readJson(text);
  return read === undefined ? undefined : expressionOf(read, found, line);
}

/** Whether the text has an odd number of quotes that no backslash escapes. */
function togglesString(text: string): boolean {
  return (text.replaceAll(/\\./gs, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

function encodedIn(part: Expression): Expression | undefined {
  return part.kind === "call" && part.name === "jsonencode" ? part.args[0] : undefined;
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
