/**
 * `/account`: who is signed in, where they are a member, where else they are signed in, and a form for an API key.
 * What changes something is sent by the script beside it, to the API and by the API's rules; without a script the
 * page only tells. Pure.
 */
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { htmlPage } from "#http/pages/html-page.ts";
import { KeyForm } from "./key-form.tsx";
import type { Account } from "./read-account.ts";
import { SessionItem } from "./session-item.tsx";
import type { MyTenant } from "./session-store.ts";
import { signInStyle } from "./sign-in-style.ts";

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
        <p class="brand">Control API</p>
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
          <p class="note">Signing out and making keys need JavaScript on this page.</p>
        </noscript>
        <h2>Tenants</h2>
        <TenantList {...account} />
        <h2>API key</h2>
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

function TenantList({ tenants, operator }: Account): JSX.Element {
  if (tenants.length === 0)
    return operator ? (
      <p>You are a member of no tenant. As an operator you may see and change all of them.</p>
    ) : (
      <p>
        You are a member of no tenant yet. Ask an owner of the tenant to add or invite you, then
        load this page again.
      </p>
    );
  return (
    <ul class="list">
      {tenants.map(({ tenantId, name, role }) => (
        <li>
          <span>
            {name} <span class="soft">{tenantId}</span>
          </span>
          <span class="tag">{roleWord(role)}</span>
        </li>
      ))}
    </ul>
  );
}

function roleWord(role: MyTenant["role"]): string {
  return role.replace("Customer", "").toLowerCase();
}
