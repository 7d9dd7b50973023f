import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { listApiKeysEndpoint } from "#areas/api-keys/contract.ts";
import { listAuditEventsEndpoint } from "#areas/audit/contract.ts";
import { listFeatureFlagsEndpoint } from "#areas/feature-flags/contract.ts";
import { listImportsEndpoint } from "#areas/imports/contract.ts";
import { createTenantEndpoint } from "#areas/tenants/contract.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { htmlDocument } from "#http/pages/html-document.ts";
import type { Shown } from "./console-page.ts";
import { mayAnywhere, nameOf, type Reader } from "./reader.ts";

/** `reads`: the navigation omits the page for readers without this right. */
const places: readonly { path: string; words: string; reads?: Pick<Endpoint, "access"> }[] = [
  { path: "/", words: "Overview" },
  { path: "/instances", words: "Instances" },
  { path: "/templates", words: "Templates" },
  { path: "/targets", words: "Targets" },
  { path: "/imports", words: "Imports", reads: listImportsEndpoint },
  { path: "/webhooks", words: "Webhooks" },
  { path: "/tenants", words: "Tenants", reads: createTenantEndpoint },
  { path: "/members", words: "Members" },
  { path: "/keys", words: "Keys", reads: listApiKeysEndpoint },
  { path: "/flags", words: "Flags", reads: listFeatureFlagsEndpoint },
  { path: "/incidents", words: "Incidents" },
  { path: "/audit", words: "Audit", reads: listAuditEventsEndpoint },
];

/** The text of a whole page. `path`: the path of the page. `reader`: undefined if nobody is signed in. */
export function layout(
  { title, body, scripts = [] }: Shown,
  path: string,
  reader: Reader | undefined,
): Promise<string> {
  return htmlDocument({
    title: `${title} · Control API`,
    head: html`<link rel="stylesheet" href="/assets/console/console.css" /> ${scripts.map(
        (name) => html`<script src="/assets/console/${name}.js" type="module"></script>`,
      )}`,
    body: (
      <>
        <a class="skip" href="#main">
          To the content
        </a>
        <header class="bar">
          <a class="brand" href="/">
            Control API
          </a>
          {reader !== undefined && <Places path={path} reader={reader} />}
        </header>
        <main id="main">{body}</main>
      </>
    ),
  });
}

function Places({ path, reader }: { path: string; reader: Reader }): JSX.Element {
  return (
    <nav aria-label="Pages">
      {places
        .filter(({ reads }) => reads === undefined || mayAnywhere(reader, reads))
        .map((place) => (
          <a href={place.path} aria-current={isAt(place.path, path) ? "page" : undefined}>
            {place.words}
          </a>
        ))}
      <span class="side">
        <a href="/docs">Docs</a>
        <a href="/account" aria-current={isAt("/account", path) ? "page" : undefined}>
          {nameOf(reader)}
        </a>
      </span>
    </nav>
  );
}

function isAt(place: string, path: string): boolean {
  return path === place || (place !== "/" && path.startsWith(`${place}/`));
}
