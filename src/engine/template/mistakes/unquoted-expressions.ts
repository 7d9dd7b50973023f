/** `: ` and ` #` inside `${…}` end a text without quotes, since YAML reads the text before expressions are read. */

/** Whether a text ends inside `${…}`. */
export function endsInExpression(text: string): boolean {
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", at)) {
    // `$${` is a literal `${`.
    if (text[at - 1] === "$") {
      at += 2;
      continue;
    }
    const end = endOfExpression(text, at + 2);
    if (end === undefined) return true;
    at = end;
  }
  return false;
}

/** The offset after the closing brace; undefined: there is none. */
function endOfExpression(text: string, start: number): number | undefined {
  let depth = 1;
  let quote: string | undefined;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === "\\") at += 1;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The start of the value in a line, after dashes and a key. */
const VALUE = /^(?:\s*-\s)*\s*(?:(?:"[^"]*"|'[^']*'|[^\s"'{}[\]#:$][^"'{}[\]#:$]*):\s)?\s*/;

/** The offset of the `: ` that ends a text without quotes inside `${…}`, in this line. */
export function cutByColon(line: string): number | undefined {
  const start = VALUE.exec(line)?.[0].length ?? 0;
  if (`"'|>[{#&*!`.includes(line.charAt(start))) return undefined;
  const end = line.slice(start).search(/:\s/);
  return end !== -1 && endsInExpression(line.slice(start, start + end)) ? start + end : undefined;
}

export const CUT_BY_COLON = "A text without quotes ends at this `: `, which is inside `${…}`.";
export const CUT_BY_COMMENT =
  "A text without quotes was cut at this ` #`, which is inside `${…}` and begins a comment.";
export const QUOTE = "Quote the whole text: `'${…}'`.";
