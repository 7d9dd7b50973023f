import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";

/**
 * The text of a whole document, with the icon and the colours of every page. `head`: further elements of the head.
 *
 * A tagged template and not JSX: JSX has no doctype, Hono's JSX reorders the elements of a head, and Node does not load
 * `.tsx` files, which the development identity provider would need (docs/decisions/0086-console.md).
 */
export async function htmlDocument(document: {
  title: string;
  head: JSX.Element;
  body: JSX.Element;
}): Promise<string> {
  const { title, head, body } = document;
  const made = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/palette.css" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return made.toString();
}
