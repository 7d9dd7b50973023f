/** Positions in texts count characters (code points), and JavaScript counts UTF-16 units. */

export function countCharacters(text: string, end = text.length): number {
  let count = 0;
  for (let at = 0; at < end; at += widthAt(text, at)) count += 1;
  return count;
}

/** The unit at which the character of this position begins; undefined: the text is shorter. */
export function unitAt(text: string, position: number): number | undefined {
  let at = 0;
  for (let left = position; left > 0; left -= 1) {
    if (at >= text.length) return undefined;
    at += widthAt(text, at);
  }
  return position < 0 ? undefined : at;
}

export function widthAt(text: string, unit: number): number {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}
