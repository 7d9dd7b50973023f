import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  createInvitationEndpoint,
  deleteInvitationEndpoint,
  type InvitationView,
} from "#areas/tenants/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { ActButton, Foldout, Table, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { roleWord } from "#console/role-word.ts";
import type { ShownAnswer } from "#console/shared/form-data.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

interface At {
  tenantId: string;
  reader: Reader;
}

/** The token is part of the link, because it is shown only once. */
const shownLink: ShownAnswer = { show: {}, link: "/login?invitation={token}" };

export function InvitationTable(
  shown: At & { invitations: readonly z.output<typeof InvitationView>[] },
): JSX.Element {
  const { invitations, tenantId, reader } = shown;
  const path = `/tenants/${tenantId}/invitations`;
  if (invitations.length === 0) return <p class="soft">Nobody is invited.</p>;
  return (
    <Table
      columns={["Invited", "As", "Until", "Change"]}
      rows={invitations.map(({ id, email, role, expiresAt }) => [
        email,
        roleWord(role),
        <Time at={expiresAt} />,
        <div class="acts">
          {may(reader, createInvitationEndpoint, tenantId) && (
            <ActForm
              method="POST"
              path={path}
              body={{ email, role }}
              fields={[]}
              words="Renew"
              label={`Renew the invitation of ${email}`}
              confirm={`Make a new invitation for ${email}, for seven days? The old link stops working.`}
              then={shownLink}
            />
          )}
          {may(reader, deleteInvitationEndpoint, tenantId) && (
            <ActButton
              method="DELETE"
              path={`${path}/${id}`}
              words="Revoke"
              label={`Revoke the invitation of ${email}`}
              tone="danger"
            />
          )}
        </div>,
      ])}
    />
  );
}

export function InviteForm({ reader, tenantId }: At): JSX.Element {
  if (!may(reader, createInvitationEndpoint, tenantId)) return <></>;
  return (
    <Foldout words="Invite a person">
      <ActForm
        method="POST"
        path={`/tenants/${tenantId}/invitations`}
        fields={[
          { name: "email", words: "Email address", isRequired: true, maxLength: 254 },
          {
            name: "role",
            words: "Role",
            hint: "Admins invite viewers and developers; owners everyone.",
            kind: "choice",
            choices: tenantRoles.map((value) => ({ value, words: roleWord(value) })),
            value: "CustomerDeveloper",
          },
        ]}
        words="Invite"
        tone="main"
        then={shownLink}
      />
    </Foldout>
  );
}
