import { html, raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { htmlDocument } from "./html-document.ts";

/**
 * The text of a small page beside the API (a status, the sign-in, an account): one look, no file but what the page
 * names. `style`: our own, `pagePolicy` allows it by its hash. `head`: what the page has besides, a script for one.
 */
export function htmlPage(page: {
  title: string;
  style: string;
  body: JSX.Element;
  head?: JSX.Element;
}): Promise<string> {
  // Raw, and in one piece: a style sheet is a constant of ours, and its hash is of every character between the tags.
  const style = raw(`<style>${page.style}</style>`);
  return htmlDocument({
    title: page.title,
    head: html`<link
        rel="icon"
        href="/assets/icon.svg"
        type="image/svg+xml"
      />${style}${page.head}`,
    body: html`<main>${page.body}</main>`,
  });
}
