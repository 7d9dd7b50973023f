/**
 * Marks a text that only the API document shows. The document is made in Node (docs/decisions/0071). The Worker uses
 * `left-out-prose.ts` instead, by `imports` of package.json, and there the text is undefined.
 */
export function prose(text: string): string {
  return text;
}
