/** The index of the quotation mark that ends the JSON string opened at `openedAt`; past the text if there is none. */
export function endOfString(text: string, openedAt: number): number {
  let at = openedAt + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return at;
    at += char === 0x5c ? 2 : 1;
  }
  return at;
}
