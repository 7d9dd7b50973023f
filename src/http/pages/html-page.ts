import { html, raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { htmlDocument } from "./html-document.ts";

/**
 * The text of a small page beside the API (a status, the sign-in). It loads no file but the icon and the colours.
 * `style` must be a constant of the service; `pagePolicy` allows it by its hash.
 */
export function htmlPage(page: {
  title: string;
  style: string;
  body: JSX.Element;
}): Promise<string> {
  // Raw and in one piece: the hash covers every character between the tags.
  const style = raw(`<style>${page.style}</style>`);
  return htmlDocument({
    title: page.title,
    head: html`${style}`,
    body: html`<main>${page.body}</main>`,
  });
}
