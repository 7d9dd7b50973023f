/**
 * The text with each character escaped, cut so that the result has at most this many UTF-16 units, with an ellipsis. No
 * escape and no character is cut in half.
 */
export function cutEscaped(
  text: string,
  most: number,
  escape: (character: string) => string = (character) => character,
): string {
  let whole = "";
  let cut = "";
  for (const character of text) {
    whole += escape(character);
    if (whole.length > most) return `${cut}…`;
    if (whole.length < most) cut = whole;
  }
  return whole;
}
