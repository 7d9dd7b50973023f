/** `/imports`: the imports of the last thirty days. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createImportEndpoint, listImportsEndpoint } from "#areas/imports/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, SelectFilter, wantedIn } from "#console/filters.tsx";
import { NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";
import { importStates } from "#schema/imports.ts";

const filters = ["state", "cursor"] as const;

export const importsPage: ConsolePage = {
  path: "/imports",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listImportsEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => {
      const mayImport = mayAnywhere(reader, createImportEndpoint);
      return {
        title: "Imports",
        scripts: ["console"],
        body: (
          <>
            <div class="row">
              <h1>Imports</h1>
              {mayImport && (data.length > 0 || isFiltered) && (
                <a class="button main" href="/imports/new">
                  Import code
                </a>
              )}
            </div>
            <Filters path="/imports" query={query}>
              <SelectFilter query={query} name="state" words="State" values={importStates} />
            </Filters>
            {data.length === 0 ? (
              <Empty isFiltered={isFiltered} mayImport={mayImport} />
            ) : (
              <Table
                columns={["Import", "State", "Formats", "Files"]}
                rows={data.map(({ id, tenantId, createdAt, state, formats, progress }) => [
                  <>
                    <a href={`/imports/${id}`}>
                      <Time at={createdAt} />
                    </a>{" "}
                    <RowOwner reader={reader} tenantId={tenantId} />
                  </>,
                  <StateTag state={state} />,
                  formats.length === 0 ? "none" : formats.join(", "),
                  `${progress.parsed} of ${progress.total} read`,
                ])}
              />
            )}
            <NextPage path="/imports" query={query} cursor={nextCursor} />
          </>
        ),
      };
    };
  },
};

function Empty(shown: { isFiltered: boolean; mayImport: boolean }): JSX.Element {
  if (shown.isFiltered)
    return (
      <p class="note">
        No import is like that. <a href="/imports">Show all</a>
      </p>
    );
  return (
    <div class="note">
      <p>
        There is no import yet. An import reads a folder of Terraform, OpenTofu, CloudFormation, ARM
        or Pulumi YAML, says what it has, and drafts a template of it. Nothing is deployed.
      </p>
      {shown.mayImport && (
        <p>
          <a class="button main" href="/imports/new">
            Import code
          </a>
        </p>
      )}
    </div>
  );
}
