/** `/targets`: the targets, and whether their credentials work. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createTargetEndpoint, listTargetsEndpoint } from "#areas/cloud-targets/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, SelectFilter, wantedIn } from "#console/filters.tsx";
import { NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";
import { environments } from "#schema/cloud-targets.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import { ProviderSelect } from "./provider-select.tsx";
import { providerWord } from "./provider-words.ts";

const filters = ["q", "provider", "environment", "cursor"] as const;

export const targetsPage: ConsolePage = {
  path: "/targets",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listTargetsEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "Targets",
      scripts: ["console"],
      body: (
        <>
          <h1>Targets</h1>
          <Filters path="/targets" query={query} search="Name contains">
            <SelectFilter query={query} name="provider" words="Provider" values={providerNames} />
            <SelectFilter
              query={query}
              name="environment"
              words="Environment"
              values={environments}
            />
          </Filters>
          {data.length === 0 ? (
            <Empty isFiltered={isFiltered} />
          ) : (
            <Table
              columns={["Target", "Provider", "Environment", "Regions", "Credential", "Changed"]}
              rows={data.map((target) => [
                <>
                  <a href={`/targets/${target.id}`}>{target.name}</a>{" "}
                  <RowOwner reader={reader} tenantId={target.tenantId} />
                </>,
                providerWord(target.provider),
                target.environment,
                target.allowedRegions.join(", "),
                target.credentialProblem === null ? (
                  <StateTag state={target.verification} />
                ) : (
                  <span class="tag bad">missing</span>
                ),
                <Time at={target.updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/targets" query={query} cursor={nextCursor} />
          {mayAnywhere(reader, createTargetEndpoint) && (
            <>
              <h2>Register a target</h2>
              <ProviderSelect />
            </>
          )}
        </>
      ),
    });
  },
};

function Empty({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  return (
    <p class="note">
      {isFiltered ? (
        <>
          No target is like that. <a href="/targets">Show all</a>
        </>
      ) : (
        "There is no target yet. A target is an account at a provider, with the regions that may be deployed to."
      )}
    </p>
  );
}
