const commands = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text of somebody else as part of a line: it moves no cursor, begins no line and turns none around. */
export function printable(text: string): string {
  return text.replace(commands, " ");
}

/** Our lines with parts of others: they stay lines, and nothing in them moves a cursor. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
