/**
 * Marks a text that only the API document shows. The document is made in Node (docs/decisions/0071); the Worker has
 * `left-out-prose.ts` in place of this module, chosen by `imports` of package.json, and in it the text is undefined.
 */
export function prose(text: string): string {
  return text;
}
