/**
 * YAML reads a text before expressions are read. So `: ` and ` #` inside `${…}` end a text without quotes, and a quote
 * inside `${…}` ends a text in the same quotes.
 */

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

export interface CutByQuote {
  /** Of the quote that ends the text. */
  offset: number;
  quote: '"' | "'";
}

/** The quote that ends a text in quotes inside `${…}`, in this line. */
export function cutByQuote(line: string): CutByQuote | undefined {
  for (let at = 0; at < line.length; at += 1) {
    const quote = line.charAt(at);
    const isStart = at === 0 || /[\s[{,:]/.test(line.charAt(at - 1));
    if ((quote !== '"' && quote !== "'") || !isStart) continue;
    const end = closingQuote(line, at + 1, quote);
    if (end === undefined) return undefined;
    const text = line.slice(at + 1, end);
    const unescaped =
      quote === '"' ? text.replaceAll(/\\(["\\])/g, "$1") : text.replaceAll("''", "'");
    if (endsInExpression(unescaped)) return { offset: end, quote };
    at = end;
  }
  return undefined;
}

function closingQuote(line: string, start: number, quote: '"' | "'"): number | undefined {
  for (let at = start; at < line.length; at += 1) {
    const isEscape =
      quote === '"' ? line[at] === "\\" : line[at] === quote && line[at + 1] === quote;
    if (isEscape) at += 1;
    else if (line[at] === quote) return at;
  }
  return undefined;
}

export const CUT_BY_QUOTE = {
  '"': {
    message: 'A text in double quotes ends at this `"`, which is inside `${…}`.',
    hint: `Use single quotes around the whole text, as in \`'\${a == "b"}'\`, or write \`\\"\` inside.`,
  },
  "'": {
    message: "A text in single quotes ends at this `'`, which is inside `${…}`.",
    hint: "Use double quotes around the whole text, as in `\"${a == 'b'}\"`, or write `''` inside.",
  },
} as const;
export const CUT_BY_COLON = "A text without quotes ends at this `: `, which is inside `${…}`.";
export const CUT_BY_COMMENT =
  "A text without quotes was cut at this ` #`, which is inside `${…}` and begins a comment.";
export const QUOTE = "Quote the whole text: `'${…}'`.";
