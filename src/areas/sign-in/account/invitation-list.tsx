import type { JSX } from "hono/jsx/jsx-runtime";
import { Minute } from "#http/pages/minute.tsx";
import { ActButton } from "./act-button.tsx";
import type { Account } from "./read-account.ts";
import { roleWord } from "./role-word.ts";

type Invitation = Account["invitations"][number];

/** What the person may accept; empty if there is nothing, and nothing was asked for. */
export function InvitationList({ invitations, token }: Account): JSX.Element {
  const isUnknown = token !== undefined && !invitations.some(({ byToken }) => byToken === 1);
  return (
    <>
      {isUnknown && (
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
  const { id, tenantName, tenantSlug, role, via, expiresAtMs, byToken } = shown.invitation;
  const path = `/auth/invitations/${id}`;
  return (
    <li>
      <span>
        {tenantName} <span class="soft">{tenantSlug}</span>{" "}
        <span class="tag">{roleWord(role)}</span>
        <br />
        <span class="soft">
          {via === "domain" ? "offered to everyone of your address's domain" : "you are invited"}
          {expiresAtMs !== null && (
            <>
              , until <Minute ms={expiresAtMs} />
            </>
          )}
        </span>
      </span>
      <span class="acts">
        <ActButton
          method="POST"
          path={`${path}/accept`}
          label={`Accept the invitation to ${tenantName}`}
          words="Accept"
          then="reload"
          body={byToken === 1 ? { token: shown.token } : {}}
        />
        {byToken === 0 && (
          <ActButton
            method="DELETE"
            path={path}
            label={`Decline the invitation to ${tenantName}`}
            words="Decline"
            then="remove"
          />
        )}
      </span>
    </li>
  );
}
