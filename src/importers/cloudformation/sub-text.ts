/** A part of the text of `Fn::Sub`. */
export type SubPart = { kind: "text"; text: string } | { kind: "name"; name: string };

/** Splits a text at each `${Name}`. `${!Literal}` is the text `${Literal}`. */
export function subParts(text: string): SubPart[] {
  const parts: SubPart[] = [];
  let from = 0;
  while (from < text.length) {
    const start = text.indexOf("${", from);
    const end = start === -1 ? -1 : text.indexOf("}", start);
    if (end === -1) break;
    if (start > from) parts.push({ kind: "text", text: text.slice(from, start) });
    const inner = text.slice(start + 2, end).trim();
    if (inner.startsWith("!")) parts.push({ kind: "text", text: `\${${inner.slice(1)}}` });
    else parts.push({ kind: "name", name: inner });
    from = end + 1;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}
