/** `/instances`: the instances with their states and problems. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { listInstancesEndpoint } from "#areas/instances/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, SelectFilter, wantedIn } from "#console/filters.tsx";
import { NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { instanceStates } from "#schema/instances.ts";

const filters = ["q", "state", "cursor"] as const;

export const instancesPage: ConsolePage = {
  path: "/instances",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(
      listInstancesEndpoint,
      {},
      {
        ...wanted,
        include: "template,target",
      },
    );
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "Instances",
      scripts: ["console"],
      body: (
        <>
          <h1>Instances</h1>
          <Filters path="/instances" query={query} search="Name contains">
            <SelectFilter query={query} name="state" words="State" values={instanceStates} />
          </Filters>
          {data.length === 0 ? (
            <Empty isFiltered={isFiltered} />
          ) : (
            <Table
              columns={["Instance", "State", "Drift", "Template", "Target", "Changed"]}
              rows={data.map((instance) => [
                <>
                  <a href={`/instances/${instance.id}`}>{instance.name}</a>{" "}
                  <RowOwner reader={reader} tenantId={instance.tenantId} />
                </>,
                <StateTag state={instance.state} />,
                <StateTag state={instance.drift} />,
                <>
                  {instance.template?.name ?? instance.templateId}{" "}
                  <span class="soft">{instance.templateVersion}</span>
                  {instance.availableVersion !== null && (
                    <span class="tag wait">{instance.availableVersion} is there</span>
                  )}
                </>,
                instance.target?.name ?? instance.targetId,
                <Time at={instance.updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/instances" query={query} cursor={nextCursor} />
        </>
      ),
    });
  },
};

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
