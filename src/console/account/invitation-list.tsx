import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { MyInvitationView } from "#areas/invitations/contract.ts";
import { ActButton, Time } from "#console/parts.tsx";
import { roleWord } from "#console/role-word.ts";

type Invitation = z.output<typeof MyInvitationView>;

/**
 * The invitations that the person may accept. Empty if there are none and no link was opened. `isAsked`: the person
 * opened the link of an invitation. `token`: its token, if it may be valid.
 */
export function InvitationList(shown: {
  invitations: readonly Invitation[];
  token: string | undefined;
  isAsked: boolean;
}): JSX.Element {
  const { invitations, token, isAsked } = shown;
  return (
    <>
      {isAsked && !invitations.some(({ byToken }) => byToken) && (
        <p class="note bad" role="alert">
          The invitation that you opened is no longer valid: it was used, deleted, or is older than
          seven days. Ask for a new one.
        </p>
      )}
      {invitations.length > 0 && (
        <>
          <h2>Invitations</h2>
          <p>Accept only what you expect: the members of a tenant see your name and address.</p>
          <ul class="list" id="invitations">
            {invitations.map((invitation) => (
              <InvitationItem invitation={invitation} token={token} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function InvitationItem(shown: { invitation: Invitation; token: string | undefined }): JSX.Element {
  const { id, tenantName, tenantSlug, role, via, expiresAt, byToken } = shown.invitation;
  const path = `/auth/invitations/${id}`;
  return (
    <li>
      <span>
        {tenantName} <span class="soft">{tenantSlug}</span>{" "}
        <span class="tag">{roleWord(role)}</span>
        <br />
        <span class="soft">
          {via === "domain" ? "offered to everyone of your address's domain" : "you are invited"}
          {expiresAt !== null && (
            <>
              , until <Time at={expiresAt} />
            </>
          )}
        </span>
      </span>
      <span class="acts inner">
        <ActButton
          method="POST"
          path={`${path}/accept`}
          words="Accept"
          label={`Accept the invitation to ${tenantName}`}
          tone="main"
          body={byToken ? { token: shown.token } : {}}
          goTo="/?tenantId={tenantId}"
        />
        {!byToken && (
          <ActButton
            method="DELETE"
            path={path}
            words="Decline"
            label={`Decline the invitation to ${tenantName}`}
          />
        )}
      </span>
    </li>
  );
}
