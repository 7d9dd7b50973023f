/** Levels of brackets in a text that is parsed. */
export const MAX_HCL_NESTING = 200;

/**
 * Whether more brackets than {@link MAX_HCL_NESTING} are open at once, brackets in texts and comments included: the
 * library takes 50 times as long for texts inside of texts.
 */
export function exceedsHclNesting(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b || code === 0x28) {
      depth += 1;
      if (depth > MAX_HCL_NESTING) return true;
    } else if ((code === 0x7d || code === 0x5d || code === 0x29) && depth > 0) depth -= 1;
  }
  return false;
}
