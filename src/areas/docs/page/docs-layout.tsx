/**
 * The frame of the API reference's pages. They are complete without a script; the script beside them only searches
 * during typing, copies and marks the current place. Nothing is inline, and nothing comes from another host.
 */
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { SEARCH_PATH } from "#areas/docs/content/docs-paths.ts";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { SearchField } from "#areas/docs/search/search-field.tsx";
import { htmlDocument } from "#http/pages/html-document.ts";
import type { JsonMap } from "#platform/json.ts";
import { navigationEntries } from "./navigation-entries.ts";
import { SideNavigation } from "./side-navigation.tsx";

/** The text of a page. `path`: the page's own path. */
export function docsLayout(page: {
  info: JsonMap;
  areas: readonly DocumentArea[];
  guides: readonly GuidePage[];
  path: string;
  title: string;
  main: JSX.Element;
}): Promise<string> {
  const name = textAt(page.info, "title");
  return htmlDocument({
    title: page.title === "" ? `${name} reference` : `${page.title} · ${name}`,
    head: html`<meta name="color-scheme" content="light dark" />
      <meta name="description" content="${textAt(page.info, "summary")}" />
      <link rel="stylesheet" href="/assets/docs.css" />
      <script src="/assets/console/docs.js" type="module"></script>`,
    body: (
      <>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="bar">
          <a class="brand" href="/docs">
            <img src="/assets/icon.svg" alt="" width="24" height="24" />
            {name}
          </a>
          <form class="search" role="search" action={SEARCH_PATH}>
            <SearchField query="" />
            <kbd aria-hidden="true">/</kbd>
          </form>
          <p class="files">
            <a href="/">Console</a> OpenAPI: <a href="/api/v1/openapi.json">JSON</a>{" "}
            <a href="/api/v1/openapi.yaml">YAML</a>
          </p>
        </header>
        <div class="layout">
          <SideNavigation areas={page.areas} guides={page.guides} current={page.path} />
          <main id="content" tabindex={-1}>
            <ShortNavigation areas={page.areas} guides={page.guides} current={page.path} />
            {page.main}
          </main>
        </div>
      </>
    ),
  });
}

/** On a narrow screen in place of the side navigation. */
function ShortNavigation(shown: {
  areas: readonly DocumentArea[];
  guides: readonly GuidePage[];
  current: string;
}): JSX.Element {
  return (
    <nav class="chips" aria-label="Pages">
      {navigationEntries(shown.areas, shown.guides).map(({ title, path }) => (
        <a href={path} aria-current={path === shown.current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
