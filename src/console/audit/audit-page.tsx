/** `/audit`: the changes in a tenant or the platform, with their actors and times. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { type AuditEventView, listAuditEventsEndpoint } from "#areas/audit/contract.ts";
import { getSessionEndpoint } from "#areas/sign-in/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, instantIn, TextFilter, TimeFilter, wantedIn } from "#console/filters.tsx";
import type { PageApi } from "#console/page-api.ts";
import { NextPage, Table, Time } from "#console/parts.tsx";
import { may, mayAnywhere, type Reader, tenantName } from "#console/reader.ts";
import { actorMeant, type ActorNames, actorWords, readActorNames } from "./actor-names.ts";

type Entry = z.output<typeof AuditEventView>;

const path = "/audit";
const filters = ["action", "resourceType", "resourceId", "cursor"] as const;

export const auditPage: ConsolePage = {
  path,
  load: async (api, { query, tenantId: chosen }) => {
    const tenantId = chosen ?? (await firstTenant(api));
    const asked = readActorNames(api, tenantId);
    const actor = await actorMeant(query.get("actor") ?? undefined, asked);
    const [{ data, nextCursor }, names] = await Promise.all([
      api.read(
        listAuditEventsEndpoint,
        {},
        {
          ...wantedIn(query, filters),
          tenantId,
          actor,
          from: instantIn(query, "from"),
          to: instantIn(query, "to"),
        },
      ),
      asked,
    ]);
    return (reader) => ({
      title: "Audit log",
      scripts: ["console"],
      body: (
        <>
          <h1>Audit log of {whose(reader, tenantId)}</h1>
          <Filters path={path} query={query}>
            <TextFilter query={query} name="actor" words="Who" />
            <TextFilter query={query} name="action" words="Action" />
            <TextFilter query={query} name="resourceType" words="Kind of object" />
            <TextFilter query={query} name="resourceId" words="Id of the object" />
            <TimeFilter query={query} name="from" words="From" />
            <TimeFilter query={query} name="to" words="Before" />
          </Filters>
          <Entries entries={data} names={names} query={query} />
          <NextPage path={path} query={query} cursor={nextCursor} />
          {mayAnywhere(reader, listAuditEventsEndpoint) && (
            <p class="soft">
              Each entry is linked to the one before by a hash.{" "}
              <code>GET /api/v1/audit-events</code> gives them with their hashes, and{" "}
              <code>npm run audit:verify</code> checks an export.
            </p>
          )}
        </>
      ),
    });
  },
};

function whose(reader: Reader, tenantId: string | undefined): string {
  return tenantId === undefined ? "the platform" : (tenantName(reader, tenantId) ?? "a tenant");
}

/** The tenant of the log if the address names none. Undefined: the platform's log, for an operator. */
async function firstTenant(api: PageApi): Promise<string | undefined> {
  const reader = await api.read(getSessionEndpoint);
  if (reader.operator) return undefined;
  const isAllowed = (tenantId: string) => may(reader, listAuditEventsEndpoint, tenantId);
  return reader.tenants.find(({ tenantId }) => isAllowed(tenantId))?.tenantId;
}

function Entries(shown: {
  entries: readonly Entry[];
  names: ActorNames;
  query: URLSearchParams;
}): JSX.Element {
  const { entries, names, query } = shown;
  if (entries.length === 0) return <p class="note">Nothing was changed that is like that.</p>;
  /** The address of the same list with one more filter. */
  const only = (more: Record<string, string>) => {
    const next = new URLSearchParams(query);
    next.delete("cursor");
    for (const [name, value] of Object.entries(more)) next.set(name, value);
    return `${path}?${next.toString()}`;
  };
  return (
    <Table
      columns={["When", "Who", "Action", "Object", "Request", "Number"]}
      rows={entries.map(({ at, actor, action, resourceType, resourceId, requestId, sequence }) => [
        <Time at={at} />,
        <a href={only({ actor })}>{actorWords(actor, names)}</a>,
        <a class="whole" href={only({ action })}>
          {action}
        </a>,
        <>
          {resourceType.replaceAll("_", " ")}{" "}
          <a href={only({ resourceType, resourceId })}>
            <code>{resourceId}</code>
          </a>{" "}
          <ObjectLink type={resourceType} id={resourceId} />
        </>,
        <code>{requestId}</code>,
        sequence,
      ])}
    />
  );
}

/** Kinds of objects with a page of their own. */
const pages: Readonly<Record<string, string>> = {
  cloud_target: "targets",
  deployment: "deployments",
  import: "imports",
  incident: "incidents",
  instance: "instances",
  template: "templates",
  webhook: "webhooks",
};

function ObjectLink({ type, id }: { type: string; id: string }): JSX.Element {
  const place = Object.hasOwn(pages, type) ? pages[type] : undefined;
  if (place === undefined) return <></>;
  return (
    <a href={`/${place}/${encodeURIComponent(id)}`} aria-label={`Open the ${type} ${id}`}>
      open
    </a>
  );
}
