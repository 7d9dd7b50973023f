/**
 * The API reference, made from the OpenAPI document and from nothing else. It is whole without a script; the
 * script beside it only searches, copies and marks the place. Nothing in it is inline and nothing comes from
 * another host. Pure.
 */
import { escapeHtml } from "#http/pages/escape-html.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import {
  endpointArticle,
  methodAndPath,
  methodBadge,
  type Operation,
  operationId,
} from "./endpoint.ts";
import { errorEntries } from "./errors.ts";
import { eventSections } from "./events.ts";
import { guide, guideSection } from "./guide.ts";
import { listAt, mapAt, textAt, withSharedParts } from "./schema.ts";
import { inline, paragraphs } from "./text.ts";

export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Area {
  name: string;
  description: string;
  anchor: string;
  endpoints: Operation[];
}

export function docsPage(document: JsonMap): string {
  const info = mapAt(document, "info");
  const title = escapeHtml(textAt(info, "title"));
  const areas = areasOf(document);
  const count = areas.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(textAt(info, "summary"))}">
<title>${title} reference</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/docs.css">
<script src="/assets/docs.js" type="module"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="#start"><img src="/assets/icon.svg" alt="" width="24" height="24">${title}</a>
<div class="search" role="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search endpoints, fields, events and errors" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></div>
<p class="files">OpenAPI: <a href="/api/v1/openapi.json">JSON</a> <a href="/api/v1/openapi.yaml">YAML</a></p>
</header>
<div class="layout">
${sideNavigation(areas)}
<main id="content" tabindex="-1">
<output class="found" for="search" hidden></output>
<section id="start" class="intro">
<h1>${title} <span class="version">${escapeHtml(textAt(info, "version"))}</span></h1>
${paragraphs(textAt(info, "description"))}
<p class="says">${count} endpoints, made from the OpenAPI document: <a href="/api/v1/openapi.json">JSON</a>, <a href="/api/v1/openapi.yaml">YAML</a>.</p>
${shortNavigation(areas)}
<div class="guide">
${guideSection()}
</div>
</section>
${areas.map((area) => areaSection(area, document)).join("\n")}
<section id="events" class="area">
<h2><a href="#events">Events</a></h2>
${eventSections(document)}
</section>
<section id="errors" class="area">
<h2><a href="#errors">Error codes</a></h2>
<p>The <code>type</code> of a problem leads here. The list is closed: a code never changes its meaning.</p>
${errorEntries()}
</section>
</main>
</div>
</body>
</html>
`;
}

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/** By the document's tags, in their order. */
function areasOf(document: JsonMap): Area[] {
  const operations = Object.entries(mapAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isJsonMap(item) ? item : {}).flatMap(([method, shared]): Operation[] => {
      const operation = withSharedParts(shared, document);
      return methods.has(method) && isJsonMap(operation) ? [{ method, path, operation }] : [];
    }),
  );
  return listAt(document, "tags")
    .filter(isJsonMap)
    .map((tag) => {
      const name = textAt(tag, "name");
      return {
        name,
        description: textAt(tag, "description"),
        anchor: `area-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
        endpoints: operations.filter(({ operation }) => listAt(operation, "tags").includes(name)),
      };
    });
}

function sideNavigation(areas: readonly Area[]): string {
  const topics = guide.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`);
  const list = areas.map(
    ({ name, anchor, endpoints }) => `<details data-area="${anchor}">
<summary>${escapeHtml(name)}</summary>
<ul>
<li><a href="#${anchor}">About</a></li>
${endpoints.map(navigationItem).join("\n")}
</ul>
</details>`,
  );
  return `<nav class="side" aria-label="Reference">
<details data-area="start" open><summary>Start</summary>
<ul>${topics.join("")}</ul></details>
${list.join("\n")}
<a class="alone" href="#events">Events</a>
<a class="alone" href="#errors">Error codes</a>
</nav>`;
}

function navigationItem(endpoint: Operation): string {
  return `<li><a href="#${escapeHtml(operationId(endpoint))}">${methodBadge(endpoint.method)} ${inline(textAt(endpoint.operation, "summary"))}</a></li>`;
}

/** On a narrow screen in place of the other one. */
function shortNavigation(areas: readonly Area[]): string {
  const links = [
    ...areas.map(({ name, anchor }) => `<a href="#${anchor}">${escapeHtml(name)}</a>`),
    '<a href="#events">Events</a>',
    '<a href="#errors">Error codes</a>',
  ];
  return `<nav class="chips" aria-label="Areas">${links.join("\n")}</nav>`;
}

function areaSection({ name, description, anchor, endpoints }: Area, document: JsonMap): string {
  return `<section id="${anchor}" class="area">
<h2><a href="#${anchor}">${escapeHtml(name)}</a></h2>
${paragraphs(description)}
<ul class="index">
${endpoints.map((endpoint) => `<li><a href="#${escapeHtml(operationId(endpoint))}">${methodAndPath(endpoint)} <span class="says">${inline(textAt(endpoint.operation, "summary"))}</span></a></li>`).join("\n")}
</ul>
${endpoints.map((endpoint) => endpointArticle(endpoint, document)).join("\n")}
</section>`;
}
