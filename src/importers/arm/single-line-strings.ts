/**
 * Writes the line breaks inside the strings of a JSON text as `\n`, and after each such string as many line breaks, so
 * that the lines of later members stay.
 */
export function singleLineStrings(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', from)) {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const string = text.slice(at, end + 1);
    const breaks = string.match(/\r?\n/g)?.length ?? 0;
    parts.push(text.slice(from, at));
    parts.push(
      breaks === 0
        ? string
        : string.replace(/\r?\n/g, String.raw`\n`).replaceAll("\t", String.raw`\t`),
    );
    parts.push("\n".repeat(breaks));
    from = end + 1;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
