/** `/templates`: the reader's templates and the platform's. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createTemplateEndpoint, listTemplatesEndpoint } from "#areas/templates/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, wantedIn } from "#console/filters.tsx";
import { NextPage, Table, Time } from "#console/parts.tsx";
import { mayAnywhere, type Reader, tenantName } from "#console/reader.ts";

const filters = ["q", "cursor"] as const;

export const templatesPage: ConsolePage = {
  path: "/templates",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listTemplatesEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "Templates",
      scripts: ["console"],
      body: (
        <>
          <div class="row">
            <h1>Templates</h1>
            {mayAnywhere(reader, createTemplateEndpoint) && (
              <a class="button main" href="/templates/new">
                New template
              </a>
            )}
          </div>
          <Filters path="/templates" query={query} search="Name contains" />
          {data.length === 0 ? (
            <Empty isFiltered={isFiltered} />
          ) : (
            <Table
              columns={["Template", "Description", "Latest version", "Owner", "Changed"]}
              rows={data.map((template) => [
                <a href={`/templates/${template.id}`}>{template.name}</a>,
                cut(template.description),
                template.latestVersion ?? <span class="soft">none yet</span>,
                ownerOf(reader, template.tenantId),
                <Time at={template.updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/templates" query={query} cursor={nextCursor} />
        </>
      ),
    });
  },
};

/** The owner of a template in words. */
export function ownerOf(reader: Reader, tenantId: string | null): string {
  return tenantId === null ? "the platform" : (tenantName(reader, tenantId) ?? "a tenant");
}

function cut(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160).toWellFormed()}…` : text;
}

function Empty({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered)
    return (
      <p class="note">
        No template is like that. <a href="/templates">Show all</a>
      </p>
    );
  return (
    <p class="note">
      There is no template yet. A template says what an instance is made of:{" "}
      <a href="/docs/language">how to write one</a>, or{" "}
      <a href="/imports/new">make one of what you have</a>.
    </p>
  );
}
