/** `/incidents`: the incidents on the status pages, and a form for a new one. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createIncidentEndpoint, listIncidentsEndpoint } from "#areas/incidents/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, SelectFilter, wantedIn } from "#console/filters.tsx";
import { ActNotes, Foldout, NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { mayAnywhere, type Reader } from "#console/reader.ts";
import { tenantField } from "#console/tenant-field.ts";
import { incidentStatuses } from "#schema/incidents.ts";
import { ImpactTag } from "./impact-tag.tsx";
import { updateFields } from "./incident-fields.ts";

const filters = ["status", "cursor"] as const;

export const incidentsPage: ConsolePage = {
  path: "/incidents",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listIncidentsEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "Incidents",
      scripts: ["console"],
      body: (
        <>
          <h1>Incidents</h1>
          <Filters path="/incidents" query={query}>
            <SelectFilter query={query} name="status" words="Status" values={incidentStatuses} />
          </Filters>
          {data.length === 0 ? (
            <p class="note">
              {isFiltered ? (
                <>
                  No incident is like that. <a href="/incidents">Show all</a>
                </>
              ) : (
                "There was no incident. Open one to tell the readers of the status page what is wrong."
              )}
            </p>
          ) : (
            <Table
              columns={["Incident", "Status", "Impact", "Components", "Changed"]}
              rows={data.map(({ id, title, tenantId, status, impact, components, updatedAt }) => [
                <>
                  <a href={`/incidents/${id}`}>{title}</a>{" "}
                  <RowOwner reader={reader} tenantId={tenantId} />
                </>,
                <StateTag state={status} />,
                <ImpactTag impact={impact} />,
                components.join(", "),
                <Time at={updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/incidents" query={query} cursor={nextCursor} />
          <ActNotes />
          {mayAnywhere(reader, createIncidentEndpoint) && <NewIncident reader={reader} />}
        </>
      ),
    });
  },
};

function NewIncident({ reader }: { reader: Reader }): JSX.Element {
  return (
    <Foldout words="Open an incident">
      <ActForm
        method="POST"
        path="/incidents"
        fields={[
          ...tenantField(
            reader,
            createIncidentEndpoint,
            "Every tenant sees it, and every public status page shows it.",
          ),
          { name: "title", words: "Title", isRequired: true, maxLength: 200 },
          ...updateFields(incidentStatuses, { status: "INVESTIGATING", impact: "UNKNOWN" }),
          {
            name: "components",
            words: "Affected components",
            hint: "One on each line: targets, deployments, or your own words.",
            kind: "lines",
          },
        ]}
        words="Open the incident"
        tone="main"
        then={{ goTo: "/incidents/{id}" }}
      />
    </Foldout>
  );
}
