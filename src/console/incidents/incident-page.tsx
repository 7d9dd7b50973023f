/** `/incidents/{id}`: the updates of an incident, and a form for the next. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  addIncidentUpdateEndpoint,
  getIncidentEndpoint,
  type IncidentWithUpdates,
} from "#areas/incidents/contract.ts";
import { getTenantEndpoint, type TenantView } from "#areas/tenants/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes, StateTag, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { type IncidentStatus, incidentStatuses } from "#schema/incidents.ts";
import { ImpactTag } from "./impact-tag.tsx";
import { updateFields } from "./incident-fields.ts";

type Incident = z.output<typeof IncidentWithUpdates>;

export const incidentPage: ConsolePage = {
  path: "/incidents/:id",
  load: async (api, { params }) => {
    const { answer: incident, etag } = await api.readTagged(getIncidentEndpoint, params);
    const { tenantId } = incident;
    const tenant = tenantId === null ? null : await api.readIfAny(getTenantEndpoint, { tenantId });
    return (reader) => ({
      title: incident.title,
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            {(tenantId === null || tenant !== null) && <span>{tenant?.name ?? "Platform"}</span>}{" "}
            <a href="/incidents">Incidents</a>
          </p>
          <div class="row">
            <h1>{incident.title}</h1>
            <span>
              <StateTag state={incident.status} /> <ImpactTag impact={incident.impact} />
            </span>
          </div>
          {incident.components.length > 0 && (
            <p class="soft">It is about {incident.components.join(", ")}.</p>
          )}
          <WhoSees tenant={tenant} isOfPlatform={tenantId === null} />
          <ActNotes />
          <NextUpdate incident={incident} etag={etag} reader={reader} />
          <h2>Updates</h2>
          <ol class="changes">
            {incident.updates.map(({ status, impact, message, createdAt }) => (
              <li>
                <p>
                  <StateTag state={status} /> <ImpactTag impact={impact} />{" "}
                  <span class="soft">
                    <Time at={createdAt} />
                  </span>
                </p>
                <p class="quote">{message}</p>
              </li>
            ))}
          </ol>
        </>
      ),
    });
  },
};

function WhoSees(shown: {
  tenant: z.output<typeof TenantView> | null;
  isOfPlatform: boolean;
}): JSX.Element {
  const { tenant, isOfPlatform } = shown;
  if (isOfPlatform) return <p class="soft">Every tenant sees it, and so do their status pages.</p>;
  if (tenant?.publicStatus !== true)
    return <p class="soft">Members of the tenant see it: its status page is not public.</p>;
  return (
    <p class="soft">
      Everybody can read it at{" "}
      <a href={`/status/${encodeURIComponent(tenant.slug)}`}>the tenant's status page</a>.
    </p>
  );
}

function NextUpdate(shown: {
  incident: Incident;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { incident, etag, reader } = shown;
  if (!may(reader, addIncidentUpdateEndpoint, incident.tenantId)) return <></>;
  const isOver = incident.status === "RESOLVED";
  const next: readonly IncidentStatus[] = isOver ? ["INVESTIGATING", "RESOLVED"] : incidentStatuses;
  return (
    <>
      <h2>{isOver ? "Add something, or open it again" : "Post an update, or resolve it"}</h2>
      <ActForm
        method="POST"
        path={`/incidents/${incident.id}/updates`}
        fields={updateFields(next, incident)}
        etag={etag}
        words="Post the update"
        tone="main"
        then="stay"
      />
    </>
  );
}
