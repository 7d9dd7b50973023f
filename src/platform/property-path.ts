/** Wildcard for every key of a map and every item of a list: `rules[*].port`. */
export const anyKey: unique symbol = Symbol("any key");

export type PathSegment = string | number | typeof anyKey;

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const index = /^[0-9]{1,9}$/;

/**
 * Parses a property path of a template: `settings.size`, `rules[0].port`, `labels["a.b"]`, `rules[*].port`, `*`.
 * Returns undefined for an invalid path.
 */
export function parsePropertyPath(text: string): PathSegment[] | undefined {
  const path: PathSegment[] = [];
  let at = 0;
  while (at < text.length) {
    const first = at === 0;
    if (text[at] === "[") {
      const quoted = text[at + 1] === '"';
      const end = quoted ? endOfQuoted(text, at + 1) : text.indexOf("]", at);
      if (end < 0 || text[end] !== "]") return undefined;
      const segment = bracketed(text.slice(at + 1, end), quoted);
      if (segment === undefined) return undefined;
      path.push(segment);
      at = end + 1;
      continue;
    }
    if (!first && text[at] !== ".") return undefined;
    if (!first) at += 1;
    const start = at;
    while (at < text.length && text[at] !== "." && text[at] !== "[") at += 1;
    if (at === start) return undefined;
    const key = text.slice(start, at);
    path.push(key === "*" ? anyKey : key);
  }
  return path.length === 0 ? undefined : path;
}

/** The index after the closing quote of the string that opens at `at`, or -1. */
function endOfQuoted(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return -1;
}

function bracketed(inside: string, quoted: boolean): PathSegment | undefined {
  if (!quoted) return inside === "*" ? anyKey : index.test(inside) ? Number(inside) : undefined;
  try {
    const key: unknown = JSON.parse(inside);
    return typeof key === "string" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a path for display: `settings.size`, `rules[0].port`, `labels["a.b"]`. */
export function formatPropertyPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!identifier.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/** A list index matches the equal key: `rules.0` is `rules[0]`. */
export function matchesSegment(pattern: PathSegment, segment: string | number): boolean {
  return pattern === anyKey || String(pattern) === String(segment);
}
