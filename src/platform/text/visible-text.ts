/** Characters that are invisible, or that change how others are shown. Pure. */

/** Emoji may be joined (U+200D) and shown as pictures (U+FE0F). Each part is matched once, so no text takes longer. */
const joined =
  /(\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})/gu;
const pictures = /(\p{Emoji})\uFE0F/gu;

/** Control and format characters, line separators, lone surrogates, and characters shown as nothing. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** For a text of several lines. Joiners of Persian and Indic words and soft hyphens are part of the language. */
const harmful = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}\u200B\u2060\uFEFF]/u;

/** Whether the whole text is visible, on one line. */
export function isOneLine(text: string): boolean {
  return !hidden.test(text.replace(joined, "$1").replace(pictures, "$1"));
}

/** Whether the whole text is visible, on several lines. */
export function isPlainText(text: string): boolean {
  return !harmful.test(text);
}

/** Another party's text as one line. */
export function asOneLine(text: string): string {
  return text.replace(new RegExp(hidden, "gu"), "").trim();
}
