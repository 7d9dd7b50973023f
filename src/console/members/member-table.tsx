import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  changeRoleEndpoint,
  type MemberView,
  removeMemberEndpoint,
} from "#areas/tenants/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { ActButton, Foldout, Table, Time } from "#console/parts.tsx";
import { may, mayForOthers, type Reader } from "#console/reader.ts";
import { roleWord } from "#console/role-word.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

type Member = z.output<typeof MemberView>;

interface At {
  tenant: { id: string; name: string };
  reader: Reader;
}

export function MemberTable(
  shown: At & { members: readonly Member[]; isFiltered: boolean },
): JSX.Element {
  const { members, reader, isFiltered } = shown;
  if (members.length === 0)
    return (
      <p class="note">
        {isFiltered ? "Nobody is like that." : "It has no members yet. Invite the first."}
      </p>
    );
  return (
    <Table
      columns={["Member", "Role", "Since", "Change"]}
      rows={members.map((member) => [
        <>
          <strong>{nameOf(member)}</strong>{" "}
          {member.userId === reader.user.id && <span class="tag">you</span>}{" "}
          {member.name !== null && <span class="soft">{member.email}</span>}
        </>,
        roleWord(member.role),
        <Time at={member.createdAt} />,
        <Changes member={member} {...shown} />,
      ])}
    />
  );
}

function Changes({ member, tenant, reader }: At & { member: Member }): JSX.Element {
  const path = `/tenants/${tenant.id}/members/${member.userId}`;
  const isOwn = member.userId === reader.user.id;
  return (
    <>
      {may(reader, changeRoleEndpoint, tenant.id) && (
        <Foldout words="Change the role">
          <ActForm
            method="PATCH"
            path={path}
            fields={[
              {
                name: "role",
                words: `Role of ${nameOf(member)}`,
                hint: "Admins change viewers and developers; owners everyone. Their API keys change with it.",
                kind: "choice",
                choices: tenantRoles.map((value) => ({ value, words: roleWord(value) })),
                value: member.role,
              },
            ]}
            words="Change"
            then="stay"
          />
        </Foldout>
      )}
      {isOwn ? (
        <ActButton
          method="DELETE"
          path={path}
          goTo="/"
          words="Leave"
          label={`Leave ${tenant.name}`}
          tone="danger"
          confirm={`Leave ${tenant.name}? The API keys that you created there are revoked.`}
        />
      ) : (
        mayForOthers(reader, removeMemberEndpoint, tenant.id) && (
          <ActButton
            method="DELETE"
            path={path}
            words="Remove"
            label={`Remove ${nameOf(member)}`}
            tone="danger"
            confirm={`Remove ${nameOf(member)}? The API keys that they created are revoked, and the invitations that they made end.`}
          />
        )
      )}
    </>
  );
}

function nameOf({ name, email, userId }: Member): string {
  return name ?? (email || userId);
}
