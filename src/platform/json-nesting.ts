import { endOfString } from "./text/end-of-string.ts";

/** True if brackets outside strings nest deeper than `limit`. One pass, constant memory. */
export function exceedsNesting(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/**
 * True if the text has more values than `limit`; each bracket and comma outside strings counts as one. One pass,
 * constant memory.
 */
export function exceedsValues(text: string, limit: number): boolean {
  // Each value after the first takes at least one character.
  if (text.length < limit) return false;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at);
    else if (char === 0x7b || char === 0x5b || char === 0x2c) {
      values += 1;
      if (values > limit) return true;
    }
  }
  return false;
}
