/**
 * `/account`: who is signed in, what they are invited to, where they are a member, their API keys and a form for
 * another, and where else they are signed in.
 * What changes something is sent by the script beside it, to the API and by the API's rules; without a script the
 * page only tells. Pure.
 */
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { signInStyle } from "#areas/sign-in/sign-in-style.ts";
import { htmlPage } from "#http/pages/html-page.ts";
import { ActButton } from "./act-button.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyList } from "./key-list.tsx";
import type { Account } from "./read-account.ts";
import { roleWord } from "./role-word.ts";
import { SessionItem } from "./session-item.tsx";

/** `providers`: what each provider's id stands for. */
export function accountPage(
  account: Account,
  providers: ReadonlyMap<string, string>,
): Promise<string> {
  const { user, operator, session } = account;
  const elsewhere = account.sessions.filter(({ id }) => id !== session.id);
  const name = user.name ?? (user.email === "" ? (user.subject ?? user.id) : user.email);
  return htmlPage({
    title: `${name} · Control API`,
    style: signInStyle,
    head: html`<script src="/assets/account.js" type="module"></script>`,
    body: (
      <>
        <p class="brand">
          Control API · <a href="/">Overview</a>
        </p>
        <div class="top">
          <div>
            <h1>{name}</h1>
            <p class="soft">
              {user.email !== name && `${user.email} · `}signed in with{" "}
              {providers.get(session.provider) ?? session.provider}{" "}
              {operator && <span class="tag">operator</span>}
            </p>
          </div>
          <button class="button" type="button" id="sign-out" hidden>
            Sign out
          </button>
        </div>
        <p class="note bad" id="problem" role="alert" hidden></p>
        <noscript>
          <p class="note">
            This page shows your account. Changing something here needs JavaScript; programs use the{" "}
            <a href="/docs">API</a>.
          </p>
        </noscript>
        <InvitationList {...account} />
        <h2>Tenants</h2>
        <TenantList {...account} />
        <h2>API keys</h2>
        <KeyList {...account} />
        <KeyForm {...account} />
        <h2>Sessions</h2>
        <ul class="list" id="sessions">
          {[session, ...elsewhere].map((one) => (
            <SessionItem session={one} isCurrent={one === session} />
          ))}
        </ul>
        <footer>
          <p class="soft">
            You are{" "}
            <code>
              {user.issuer}|{user.subject}
            </code>
            . <a href="/docs">API reference</a>
          </p>
        </footer>
      </>
    ),
  });
}

function TenantList({ user, tenants, operator }: Account): JSX.Element {
  if (tenants.length === 0)
    return operator ? (
      <p>
        You are a member of no tenant. As an operator you may see and change{" "}
        <a href="/tenants">all of them</a>, and create more.
      </p>
    ) : (
      <p>
        You are a member of no tenant yet. Ask an owner of the tenant to invite you, then load this
        page again.
      </p>
    );
  return (
    <ul class="list">
      {tenants.map(({ tenantId, name, role }) => (
        <li>
          <span>
            {name} <span class="soft">{tenantId}</span>
          </span>
          <span class="acts">
            <span class="tag">{roleWord(role)}</span>
            <ActButton
              method="DELETE"
              path={`/tenants/${tenantId}/members/${user.id}`}
              label={`Leave ${name}`}
              words="Leave"
              then="reload"
              confirm={`Leave ${name}? The API keys that you created there are revoked.`}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
