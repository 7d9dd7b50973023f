/** `/members`: the members of a tenant with their roles, and its invitations. One tenant at a time. */
import type { JSX } from "hono/jsx/jsx-runtime";
import {
  listInvitationsEndpoint,
  listMembersEndpoint,
  listTenantsEndpoint,
} from "#areas/tenants/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, SelectFilter } from "#console/filters.tsx";
import { ActNotes, NextPage } from "#console/parts.tsx";
import type { Reader } from "#console/reader.ts";
import { roleWord } from "#console/role-word.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { InvitationTable, InviteForm } from "./invitations.tsx";
import { MemberTable } from "./member-table.tsx";

const path = "/members";

export const membersPage: ConsolePage = {
  path,
  load: async (api, { query, tenantId: chosen }) => {
    const listed = api.readIfAny(listTenantsEndpoint, {}, { sort: "name", limit: "100" });
    // The list of tenants and its members are read at the same time if a tenant is chosen.
    const tenantId = chosen ?? (await listed)?.data[0]?.id;
    if (tenantId === undefined)
      return (reader) => ({ title: "Members", body: <NoTenant reader={reader} /> });
    const at = { tenantId };
    const [tenants, { data, nextCursor }, invitations] = await Promise.all([
      listed,
      api.read(listMembersEndpoint, at, {
        role: query.get("role") ?? undefined,
        cursor: query.get("cursor") ?? undefined,
      }),
      api.read(listInvitationsEndpoint, at, { limit: "100" }),
    ]);
    return (reader) => {
      const known = tenants?.data ?? [];
      const name = known.find(({ id }) => id === tenantId)?.name ?? "this tenant";
      return {
        title: `Members of ${name}`,
        scripts: ["console"],
        body: (
          <>
            <h1>Members of {name}</h1>
            <Filters path={path} query={query}>
              <SelectFilter
                query={query}
                name="role"
                words="Role"
                values={tenantRoles}
                word={roleWord}
              />
            </Filters>
            <ActNotes />
            <MemberTable
              members={data}
              isFiltered={Boolean(query.get("role"))}
              tenant={{ id: tenantId, name }}
              reader={reader}
            />
            <NextPage path={path} query={query} cursor={nextCursor} />
            <h2>Invitations</h2>
            <InvitationTable invitations={invitations.data} reader={reader} tenantId={tenantId} />
            {invitations.nextCursor !== null && (
              <p class="soft">There are more than these hundred; the API lists them all.</p>
            )}
            <InviteForm reader={reader} tenantId={tenantId} />
          </>
        ),
      };
    };
  },
};

function NoTenant({ reader }: { reader: Reader }): JSX.Element {
  return (
    <>
      <h1>Members</h1>
      {reader.operator ? (
        <p class="note">
          There is no tenant yet: <a href="/tenants">create one</a>, then invite its people here.
        </p>
      ) : (
        <p class="note">
          You are a member of no tenant yet. Ask an owner of the tenant to invite you; what you are
          invited to is shown at <a href="/account">your account</a>.
        </p>
      )}
    </>
  );
}
