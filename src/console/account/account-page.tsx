/** `/account`: the signed-in person with their invitations, memberships, API keys and other sessions. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { listMyApiKeysEndpoint } from "#areas/api-keys/contract.ts";
import { AcceptInvitationBody, listMyInvitationsEndpoint } from "#areas/invitations/contract.ts";
import {
  getSessionEndpoint,
  listSessionsEndpoint,
  listSignInProvidersEndpoint,
} from "#areas/sign-in/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { KeyTable } from "#console/keys/key-table.tsx";
import { NewKey } from "#console/keys/new-key.tsx";
import { ActButton, ActNotes } from "#console/parts.tsx";
import { nameOf, type Reader } from "#console/reader.ts";
import { roleWord } from "#console/role-word.ts";
import { InvitationList } from "./invitation-list.tsx";
import { SessionList } from "./session-list.tsx";

const most = { limit: "100" };

export const accountPage: ConsolePage = {
  path: "/account",
  load: async (api, { query }) => {
    const sent = query.get("invitation") ?? undefined;
    const token = AcceptInvitationBody.safeParse({ token: sent }).data?.token;
    const [{ session }, providers, sessions, keys, invited, offered] = await Promise.all([
      api.read(getSessionEndpoint),
      api.read(listSignInProvidersEndpoint),
      api.read(listSessionsEndpoint, {}, { limit: "50" }),
      api.read(listMyApiKeysEndpoint, {}, most),
      // Read separately, so that offers to a whole domain do not displace them.
      api.read(listMyInvitationsEndpoint, {}, { ...most, token, via: "invitation" }),
      api.read(listMyInvitationsEndpoint, {}, { ...most, via: "domain" }),
    ]);
    const provider = providers.data.find(({ id }) => id === session.provider);
    return (reader) => ({
      title: nameOf(reader),
      scripts: ["console"],
      body: (
        <>
          <div class="row">
            <h1>{nameOf(reader)}</h1>
            <ActButton method="DELETE" path="/auth/session" words="Sign out" goTo="/login" />
          </div>
          <p class="soft">
            {reader.user.email !== null && reader.user.email !== nameOf(reader) && (
              <>{reader.user.email} · </>
            )}
            signed in with {provider?.label ?? session.provider}{" "}
            {reader.operator && <span class="tag">operator</span>}
            <br />
            You are{" "}
            <code>
              {reader.user.issuer}|{reader.user.subject}
            </code>
            .
          </p>
          <ActNotes />
          <InvitationList
            invitations={[...invited.data, ...offered.data]}
            token={token}
            isAsked={Boolean(sent)}
          />
          <h2>Tenants</h2>
          <TenantList reader={reader} isInvited={invited.data.length + offered.data.length > 0} />
          <h2>API keys</h2>
          {keys.data.length === 0 ? (
            <p class="soft">You created none that works.</p>
          ) : (
            <KeyTable keys={keys.data} reader={reader} />
          )}
          <More of="keys" cursor={keys.nextCursor} />
          <NewKey reader={reader} />
          <h2>Sessions</h2>
          <SessionList current={session} sessions={sessions.data} />
          <More of="sessions" cursor={sessions.nextCursor} />
        </>
      ),
    });
  },
};

function More(shown: { of: string; cursor: string | null }): JSX.Element {
  if (shown.cursor === null) return <></>;
  return <p class="soft">These are the newest; the API lists all {shown.of}.</p>;
}

function TenantList(shown: { reader: Reader; isInvited: boolean }): JSX.Element {
  const { tenants, operator, user } = shown.reader;
  if (tenants.length === 0)
    return operator ? (
      <p>
        You are a member of no tenant. As an operator you may see and change{" "}
        <a href="/tenants">all of them</a>, and create more.
      </p>
    ) : (
      <p>
        You are a member of no tenant yet.{" "}
        {shown.isInvited
          ? "Accept an invitation above."
          : "Ask an owner of the tenant to invite you, then load this page again."}
      </p>
    );
  return (
    <ul class="list">
      {tenants.map(({ tenantId, name, role }) => (
        <li>
          <span>
            {name} <span class="soft">{tenantId}</span>
          </span>
          <span class="acts inner">
            <span class="tag">{roleWord(role)}</span>
            <ActButton
              method="DELETE"
              path={`/tenants/${tenantId}/members/${user.id}`}
              words="Leave"
              label={`Leave ${name}`}
              goTo="/account"
              confirm={`Leave ${name}? The API keys that you created there are revoked.`}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
