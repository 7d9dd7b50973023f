/** `/tenants`: for operators, all tenants of the installation and a form for a new one; for others, their own. */
import { createTenantEndpoint, listTenantsEndpoint } from "#areas/tenants/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes, Foldout, NextPage, Table, Time } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";

const path = "/tenants";

export const tenantsPage: ConsolePage = {
  path,
  load: async (api, { query }) => {
    const listed = await api.readIfAny(
      listTenantsEndpoint,
      {},
      { sort: "name", cursor: query.get("cursor") ?? undefined },
    );
    const tenants = listed?.data ?? [];
    return (reader) => ({
      title: "Tenants",
      scripts: ["console"],
      body: (
        <>
          <h1>Tenants</h1>
          <p class="soft">
            Targets, templates and instances belong to a tenant, and its members see them.
          </p>
          <ActNotes />
          {tenants.length === 0 ? (
            <p class="note">There is no tenant yet.</p>
          ) : (
            <Table
              columns={["Tenant", "Slug", "Id", "Created"]}
              rows={tenants.map(({ id, name, slug, createdAt }) => [
                <a href={`/members?tenantId=${id}`}>{name}</a>,
                slug,
                <code>{id}</code>,
                <Time at={createdAt} />,
              ])}
            />
          )}
          <NextPage path={path} query={query} cursor={listed?.nextCursor ?? null} />
          {mayAnywhere(reader, createTenantEndpoint) && (
            <Foldout words="Create a tenant" isOpen={tenants.length === 0}>
              <ActForm
                method="POST"
                path="/tenants"
                fields={[
                  { name: "name", words: "Name", isRequired: true, maxLength: 80 },
                  {
                    name: "slug",
                    words: "Slug",
                    hint: "A short name for addresses, such as acme: a-z, 0-9 and -. It cannot be changed.",
                    isRequired: true,
                    maxLength: 41,
                  },
                ]}
                words="Create the tenant"
                tone="main"
                then={{ goTo: "/members?tenantId={id}" }}
              />
            </Foldout>
          )}
        </>
      ),
    });
  },
};
