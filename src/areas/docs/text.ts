import { escapeHtml } from "#http/pages/escape-html.ts";

/** The document's descriptions as HTML: paragraphs, and code between backticks; everything else is text. */
export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${inline(part)}</p>`)
    .join("");
}

/** One line of it. */
export function inline(text: string): string {
  return text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? code(part) : escapeHtml(part)))
    .join("");
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}
