import { endOfString } from "#platform/end-of-string.ts";

const colon = /[ \t\n\r]*:/y;

/**
 * The first member name that an object in this JSON text has twice; undefined: none. `text` must be valid JSON. One
 * pass: `JSON.parse` keeps the last of the two and does not tell.
 */
export function repeatedMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) {
      open.push(new Set());
    } else if (char === 0x7d || char === 0x5d) {
      open.pop();
    } else if (char === 0x22) {
      const end = endOfString(text, at);
      colon.lastIndex = end + 1;
      if (colon.test(text)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (open.at(-1)?.has(name) === true) return name;
        open.at(-1)?.add(name);
      }
      at = end;
    }
  }
  return undefined;
}
