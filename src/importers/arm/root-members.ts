/** The names at the top of a JSON text, and the values that are texts. Takes one pass; the text may be invalid. */
export interface RootMembers {
  names: ReadonlySet<string>;
  texts: ReadonlyMap<string, string>;
}

/** The length to which names and values are cut, in characters. */
const MAX_LENGTH = 500;

export function rootMembersOf(text: string): RootMembers {
  const names = new Set<string>();
  const texts = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let latest = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      latest = depth === 1 ? text.slice(at + 1, Math.min(end, at + 1 + MAX_LENGTH)) : "";
      if (depth === 1 && name !== undefined) texts.set(name, latest);
      at = end;
    } else if (char === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
      const end = text.indexOf(text[at + 1] === "/" ? "\n" : "*/", at + 2);
      if (end === -1) break;
      at = end;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (depth === 1 && char === ":") {
      name = latest;
      names.add(name);
    } else if (depth === 1 && char === ",") name = undefined;
  }
  return { names, texts };
}

/** The index of the quotation mark that ends the string opened at `openedAt`; past the text for an unclosed string. */
function endOfString(text: string, openedAt: number): number {
  let at = openedAt + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
