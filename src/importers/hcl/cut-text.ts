/** A run of whole lines of a file. */
export interface TextPart {
  text: string;
  offset: number;
}

/** A line that starts a block of Terraform, as every formatter writes it. */
const header =
  /^(?:(?:resource|data|ephemeral)[ \t]+"[^"\n]{1,200}"[ \t]+"[^"\n]{1,200}"|(?:variable|output|module|provider|check)[ \t]+"[^"\n]{1,200}"|terraform|locals|moved|import|removed)[ \t]*\{/gm;

/**
 * Cuts a text at lines that start a block into parts of at least `minSize` characters, at most `maxParts`. Together
 * they are the text. Such a line inside a heredoc is cut at too.
 */
export function cutAtBlocks(text: string, minSize: number, maxParts: number): TextPart[] {
  const size = Math.max(minSize, Math.ceil(text.length / maxParts));
  const parts: TextPart[] = [];
  let from = 0;
  for (const { index } of text.matchAll(header)) {
    if (index === 0 || index - from < size) continue;
    parts.push({ text: text.slice(from, index), offset: from });
    from = index;
  }
  parts.push({ text: text.slice(from), offset: from });
  return parts;
}
