/**
 * The API reference, made from the OpenAPI document and from nothing else. It is whole without a script; the
 * script beside it only searches, copies and marks the place. Nothing in it is inline and nothing comes from
 * another host. Pure.
 */
import { html } from "hono/html";
import { documentAreas } from "#areas/docs/document/document-areas.ts";
import { mapAt, textAt } from "#areas/docs/document/json-at.ts";
import { htmlDocument } from "#http/pages/html-document.ts";
import type { JsonMap } from "#platform/json.ts";
import { AreaSection } from "./area-section.tsx";
import { ErrorEntries } from "./error-entries.tsx";
import { EventSections } from "./event-sections.tsx";
import { GuideSection } from "./guide-section.tsx";
import { Paragraphs } from "./paragraphs.tsx";
import { ShortNavigation } from "./short-navigation.tsx";
import { SideNavigation } from "./side-navigation.tsx";

/** The text of the page. */
export function docsPage(document: JsonMap): Promise<string> {
  const info = mapAt(document, "info");
  const title = textAt(info, "title");
  const areas = documentAreas(document);
  const count = areas.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return htmlDocument({
    title: `${title} reference`,
    head: html`<meta name="color-scheme" content="light dark" />
      <meta name="description" content="${textAt(info, "summary")}" />
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/docs.css" />
      <script src="/assets/docs.js" type="module"></script>`,
    body: (
      <>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="bar">
          <a class="brand" href="#start">
            <img src="/assets/icon.svg" alt="" width="24" height="24" />
            {title}
          </a>
          <div class="search" role="search" hidden>
            <input
              type="search"
              id="search"
              placeholder="Search"
              aria-label="Search endpoints, fields, events and errors"
              autocomplete="off"
              spellcheck={false}
            />
            <kbd aria-hidden="true">/</kbd>
          </div>
          <p class="files">
            OpenAPI: <a href="/api/v1/openapi.json">JSON</a> <a href="/api/v1/openapi.yaml">YAML</a>
          </p>
        </header>
        <div class="layout">
          <SideNavigation areas={areas} />
          <main id="content" tabindex={-1}>
            <output class="found" for="search" hidden></output>
            <section id="start" class="intro">
              <h1>
                {title} <span class="version">{textAt(info, "version")}</span>
              </h1>
              <Paragraphs text={textAt(info, "description")} />
              <p class="says">
                {count} endpoints, made from the OpenAPI document:{" "}
                <a href="/api/v1/openapi.json">JSON</a>, <a href="/api/v1/openapi.yaml">YAML</a>.
              </p>
              <ShortNavigation areas={areas} />
              <GuideSection />
            </section>
            {areas.map((area) => (
              <AreaSection area={area} document={document} />
            ))}
            <section id="events" class="area">
              <h2>
                <a href="#events">Events</a>
              </h2>
              <EventSections document={document} />
            </section>
            <section id="errors" class="area">
              <h2>
                <a href="#errors">Error codes</a>
              </h2>
              <p>
                The <code>type</code> of a problem leads here. The list is closed: a code never
                changes its meaning.
              </p>
              <ErrorEntries />
            </section>
          </main>
        </div>
      </>
    ),
  });
}
