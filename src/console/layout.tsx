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
import { mayAnywhere, nameOf, type Reader, tenantsOf } from "./reader.ts";
import { fieldNames } from "./shared/form-data.ts";
import { data } from "./shared/page-names.ts";
import { scriptAddress } from "./shared/scripts.ts";

interface Place {
  path: string;
  words: string;
  /** The navigation omits the page for readers without this right. */
  reads?: Pick<Endpoint, "access">;
}

const groups: readonly (readonly Place[])[] = [
  [
    { path: "/", words: "Overview" },
    { path: "/deployments", words: "Deployments" },
    { path: "/instances", words: "Instances" },
    { path: "/templates", words: "Templates" },
    { path: "/targets", words: "Targets" },
    { path: "/imports", words: "Imports", reads: listImportsEndpoint },
  ],
  [
    { path: "/webhooks", words: "Webhooks" },
    { path: "/incidents", words: "Incidents" },
    { path: "/audit", words: "Audit", reads: listAuditEventsEndpoint },
  ],
  [
    { path: "/tenants", words: "Tenants", reads: createTenantEndpoint },
    { path: "/members", words: "Members" },
    { path: "/keys", words: "Keys", reads: listApiKeysEndpoint },
    { path: "/flags", words: "Flags", reads: listFeatureFlagsEndpoint },
  ],
];

/** The address of a page, as far as its frame shows it. */
export interface FrameAddress {
  path: string;
  /** The chosen tenant; undefined: all. */
  tenantId: string | undefined;
}

/** The text of a whole page. `reader`: undefined if nobody is signed in. */
export function layout(
  { title, body, scripts = [] }: Shown,
  at: FrameAddress,
  reader: Reader | undefined,
): Promise<string> {
  return htmlDocument({
    title: `${title} · Control API`,
    head: html`<link rel="stylesheet" href="/assets/console/console.css" /> ${scripts.map(
        (name) => html`<script src="${scriptAddress(name)}" type="module"></script>`,
      )}`,
    body: (
      <div class="frame">
        <a class="skip" href="#main">
          To the content
        </a>
        <header class="bar">
          <a class="brand" href="/">
            Control API
          </a>
          {reader !== undefined && (
            <>
              <button class="button menu-button" type="button" popovertarget="menu">
                Menu
              </button>
              {/* On wide screens it is always shown; on narrow ones it opens without a script. */}
              <div id="menu" class="menu" popover="auto">
                <TenantChoice {...at} reader={reader} />
                <Places path={at.path} reader={reader} />
              </div>
            </>
          )}
        </header>
        <main id="main">{body}</main>
      </div>
    ),
  });
}

/** Chooses the tenant of all lists. On the page of one object it leads to the overview of the other tenant. */
function TenantChoice(shown: FrameAddress & { reader: Reader }): JSX.Element {
  const { path, tenantId = "", reader } = shown;
  const [only, ...others] = tenantsOf(reader);
  if (only === undefined) return <></>;
  if (others.length === 0 && !reader.operator)
    return (
      <p class="tenant">
        {only.name} <span class="soft">{only.slug}</span>
      </p>
    );
  const isList = groups.flat().some((place) => place.path === path);
  return (
    <form class="tenant" action={isList ? path : "/"} method="get">
      <label>
        Tenant
        <select name={fieldNames.tenantId} {...data({ submits: true })}>
          <option value="">{reader.operator ? "All tenants" : "All of mine"}</option>
          {[only, ...others].map((one) => (
            <option value={one.tenantId} selected={one.tenantId === tenantId}>
              {one.name} ({one.slug})
            </option>
          ))}
        </select>
      </label>
      <button class="button" type="submit" {...data({ submit: true })}>
        Show
      </button>
    </form>
  );
}

function Places({ path, reader }: { path: string; reader: Reader }): JSX.Element {
  return (
    <nav aria-label="Pages">
      {groups.map((places) => (
        <ul>
          {places
            .filter(({ reads }) => reads === undefined || mayAnywhere(reader, reads))
            .map((place) => (
              <PlaceLink {...place} isHere={isAt(place.path, path)} />
            ))}
        </ul>
      ))}
      <ul class="side">
        <PlaceLink path="/docs/language" words="Template language" isHere={false} />
        <PlaceLink path="/docs" words="API reference" isHere={false} />
        <PlaceLink path="/account" words={nameOf(reader)} isHere={isAt("/account", path)} />
      </ul>
    </nav>
  );
}

function PlaceLink(shown: { path: string; words: string; isHere: boolean }): JSX.Element {
  return (
    <li>
      <a href={shown.path} aria-current={shown.isHere ? "page" : undefined}>
        {shown.words}
      </a>
    </li>
  );
}

function isAt(place: string, path: string): boolean {
  return path === place || (place !== "/" && path.startsWith(`${place}/`));
}
