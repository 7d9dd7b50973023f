/**
 * Finds the place in the source of each character of a YAML string: through escapes, line folding and the indentation of
 * blocks.
 */

/** Offsets in the source by offsets in the value; one more than the value's length, for its end. */
export function scalarOffsets(value: string, source: string, start: number): Uint32Array {
  const offsets = new Uint32Array(value.length + 1);
  const mark = source[start];
  const isQuoted = mark === '"' || mark === "'";
  let at = isQuoted ? start + 1 : afterHeader(source, start);
  for (let index = 0; index < value.length; index += 1) {
    if (mark === '"') at = afterFolds(source, at);
    const wanted = value[index] ?? "";
    if (mark === '"' && source[at] === "\\") {
      offsets[index] = at;
      const length = escapeLength(source, at);
      // An escape beyond the basic plane makes two units.
      if (isHighSurrogate(wanted) && length > 6) offsets[(index += 1)] = at;
      at += length;
      continue;
    }
    if (mark === "'" && source.startsWith("''", at)) {
      offsets[index] = at;
      at += 2;
      continue;
    }
    if (isBlank(wanted)) {
      offsets[index] = at;
      at = source[at] === wanted && wanted !== "\n" ? at + 1 : afterBreak(source, at);
      continue;
    }
    while (at < source.length && isBlank(source[at])) at += 1;
    offsets[index] = at;
    at += 1;
  }
  offsets[value.length] = at;
  return offsets;
}

/** A block begins on the line after `|` or `>`. */
function afterHeader(source: string, start: number): number {
  if (source[start] !== "|" && source[start] !== ">") return start;
  const end = source.indexOf("\n", start);
  return end === -1 ? source.length : end + 1;
}

/** A backslash at the end of a line joins it with the next one. */
function afterFolds(source: string, from: number): number {
  let at = from;
  while (source[at] === "\\" && (source[at + 1] === "\n" || source[at + 1] === "\r")) {
    at += 1;
    while (isBlank(source[at])) at += 1;
  }
  return at;
}

function escapeLength(source: string, at: number): number {
  const kind = source[at + 1];
  return kind === "x" ? 4 : kind === "u" ? 6 : kind === "U" ? 10 : 2;
}

/** A line break of the value is one in the source, after any blanks; a folded space likewise. */
function afterBreak(source: string, from: number): number {
  let at = from;
  while (source[at] === " " || source[at] === "\t" || source[at] === "\r") at += 1;
  return source[at] === "\n" ? at + 1 : Math.max(at, from + 1);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

function isHighSurrogate(character: string): boolean {
  return character >= "\uD800" && character <= "\uDBFF";
}
