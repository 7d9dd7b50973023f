/** `/deployments`: all deployments, newest first. */
import { listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import {
  Filters,
  instantIn,
  isFilteredBy,
  KeptFilters,
  narrowedBy,
  NarrowedNote,
  SelectFilter,
  TextFilter,
  TimeFilter,
  wantedIn,
} from "#console/filters.tsx";
import { NextPage } from "#console/parts.tsx";
import { data } from "#console/shared/page-names.ts";
import {
  deploymentOperations,
  deploymentStates,
  isActive,
} from "#schema/lists/deployment-states.ts";
import { operationWord } from "#schema/lists/deployment-words.ts";
import { DeploymentTable } from "./deployment-table.tsx";

const path = "/deployments";
/** The objects of a list that the address narrows, by links of other pages. */
const objects = ["instanceId", "targetId", "templateId", "requestedBy"] as const;
const filters = ["state", "operation", "label", ...objects, "cursor"] as const;
const times = ["createdAfter", "createdBefore"] as const;

export const deploymentsPage: ConsolePage = {
  path,
  load: async (api, { query, tenantId }) => {
    const { data: rows, nextCursor } = await api.read(
      listDeploymentsEndpoint,
      {},
      {
        ...wantedIn(query, filters),
        createdAfter: instantIn(query, "createdAfter"),
        createdBefore: instantIn(query, "createdBefore"),
        tenantId,
      },
    );
    const isFiltered = isFilteredBy(query, [...filters, ...times]);
    const narrowed = narrowedBy(query, objects);
    return (reader) => ({
      title: "Deployments",
      scripts: ["live"],
      body: (
        <>
          <h1>Deployments</h1>
          <Filters path={path} query={query}>
            <SelectFilter query={query} name="state" words="State" values={deploymentStates} />
            <SelectFilter
              query={query}
              name="operation"
              words="Kind"
              values={deploymentOperations}
              word={operationWord}
            />
            <TextFilter query={query} name="label" words="Label (name=value)" />
            <TimeFilter query={query} name="createdAfter" words="From" />
            <TimeFilter query={query} name="createdBefore" words="Before" />
            <KeptFilters query={query} names={narrowed} />
          </Filters>
          <NarrowedNote path={path} names={narrowed} />
          {rows.length === 0 ? (
            <p class="note">
              {isFiltered ? (
                <>
                  No deployment is like that. <a href={path}>Show all</a>
                </>
              ) : (
                <>
                  Nothing was deployed yet. <a href="/instances">Choose an instance</a> and deploy
                  it.
                </>
              )}
            </p>
          ) : (
            <div
              id="deployments"
              {...data({ live: true, open: rows.some(({ state }) => isActive(state)) })}
            >
              <DeploymentTable deployments={rows} reader={reader} />
            </div>
          )}
          <NextPage path={path} query={query} cursor={nextCursor} />
        </>
      ),
    });
  },
};
