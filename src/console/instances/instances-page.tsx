/** `/instances`: the instances with their states and problems. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createInstanceEndpoint, listInstancesEndpoint } from "#areas/instances/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import {
  Filters,
  isFilteredBy,
  KeptFilters,
  narrowedBy,
  NarrowedNote,
  SelectFilter,
  TextFilter,
  wantedIn,
} from "#console/filters.tsx";
import { NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";
import { data } from "#console/shared/page-names.ts";
import { instanceStates } from "#schema/instances.ts";

const filters = ["q", "state", "label", "templateId", "targetId", "cursor"] as const;

export const instancesPage: ConsolePage = {
  path: "/instances",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data: rows, nextCursor } = await api.read(
      listInstancesEndpoint,
      {},
      {
        ...wanted,
        include: "template,target",
      },
    );
    const isFiltered = isFilteredBy(query, filters);
    const isBusy = rows.some(({ state }) => busyStates.has(state));
    const narrowed = narrowedBy(query, ["templateId", "targetId"]);
    return (reader) => ({
      title: "Instances",
      scripts: ["live"],
      body: (
        <>
          <div class="row">
            <h1>Instances</h1>
            {mayAnywhere(reader, createInstanceEndpoint) && (
              <a class="button main" href="/templates">
                New instance
              </a>
            )}
          </div>
          <Filters path="/instances" query={query} search="Name contains">
            <SelectFilter query={query} name="state" words="State" values={instanceStates} />
            <TextFilter query={query} name="label" words="Label (name=value)" />
            <KeptFilters query={query} names={narrowed} />
          </Filters>
          <NarrowedNote path="/instances" names={narrowed} />
          {rows.length === 0 ? (
            <Empty isFiltered={isFiltered} />
          ) : (
            <div id="instances" {...data({ live: true, open: isBusy })}>
              <Table
                columns={["Instance", "State", "Drift", "Template", "Target", "Changed"]}
                rows={rows.map((instance) => [
                  <>
                    <a href={`/instances/${instance.id}`}>{instance.name}</a>{" "}
                    <RowOwner reader={reader} tenantId={instance.tenantId} />
                  </>,
                  <StateTag state={instance.state} />,
                  <StateTag state={instance.drift} />,
                  <>
                    <a href={`/templates/${instance.templateId}`}>
                      {instance.template?.name ?? "a template"}
                    </a>{" "}
                    <span class="soft">version {instance.templateVersion}</span>{" "}
                    {instance.availableVersion !== null && (
                      <span class="tag wait">version {instance.availableVersion} is newer</span>
                    )}
                  </>,
                  <a href={`/targets/${instance.targetId}`}>
                    {instance.target?.name ?? "a target"}
                  </a>,
                  <Time at={instance.updatedAt} />,
                ])}
              />
            </div>
          )}
          <NextPage path="/instances" query={query} cursor={nextCursor} />
        </>
      ),
    });
  },
};

/** States that a run leaves. */
const busyStates: ReadonlySet<string> = new Set(["PROVISIONING", "UPDATING", "DESTROYING"]);

function Empty({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered)
    return (
      <p class="note">
        No instance is like that. <a href="/instances">Show all</a>
      </p>
    );
  return (
    <div class="note">
      <p>
        There is no instance yet. Make one of a template:{" "}
        <a href="/docs/instances">how that works</a>.
      </p>
      <p class="acts">
        <a class="button main" href="/templates">
          Choose a template
        </a>
      </p>
    </div>
  );
}
