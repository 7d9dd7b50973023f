import type { TemplatePart } from "./template-directives.ts";

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** Unescapes a quoted literal. */
export function unquoted(source: string): string {
  if (!/[\\$%]/.test(source)) return source;
  return source.replaceAll(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))|\$\$\{|%%\{/gs,
    (
      all: string,
      four: string | undefined,
      eight: string | undefined,
      simple: string | undefined,
    ) => {
      const code = four ?? eight;
      if (code !== undefined) return characterOf(Number.parseInt(code, 16));
      return simple === undefined ? all.slice(1) : (escapes.get(simple) ?? all);
    },
  );
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "\uFFFD";
}

/** Unescapes a literal of a heredoc or of the JSON syntax, in which a backslash is a plain character. */
export function unescapedTemplate(source: string): string {
  return source.replaceAll(/\$\$\{|%%\{/g, (all) => all.slice(1));
}

/** Removes the common indent from the lines of a `<<-` heredoc. Blank lines do not count. */
export function withoutIndent(lines: readonly TemplatePart[]): TemplatePart[] {
  let indent = Infinity;
  let isStart = true;
  for (const line of lines) {
    if (isStart) indent = Math.min(indent, typeof line === "string" ? indentOf(line) : 0);
    isStart = typeof line === "string" && line.endsWith("\n");
  }
  isStart = true;
  return lines.map((line) => {
    const isIndented = isStart && typeof line === "string" && indentOf(line) !== Infinity;
    isStart = typeof line === "string" && line.endsWith("\n");
    return isIndented && typeof line === "string" ? line.slice(indent) : line;
  });
}

function indentOf(line: string): number {
  const text = line.trimStart();
  return text === "" && line.endsWith("\n") ? Infinity : line.length - text.length;
}
