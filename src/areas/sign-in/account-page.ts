import { escapeHtml } from "#http/pages/escape-html.ts";
import { htmlPage } from "#http/pages/html-page.ts";
/**
 * `/account`: who is signed in, where they are a member, where else they are signed in, and a form for an API key.
 * What changes something is sent by the script beside it, to the API and by the API's rules; without a script the
 * page only tells. Pure.
 */
import { isAtLeast } from "#kernel/access/access.ts";
import { browserName } from "./browser-name.ts";
import type { Account } from "./read-account.ts";
import type { MyTenant, Session } from "./session-store.ts";
import { signInStyle } from "./sign-in-style.ts";

/** `providers`: what each provider's id stands for. */
export function accountPage(account: Account, providers: ReadonlyMap<string, string>): string {
  const { user, operator, session } = account;
  const elsewhere = account.sessions.filter(({ id }) => id !== session.id);
  const name = user.name ?? (user.email === "" ? (user.subject ?? user.id) : user.email);
  const provider = providers.get(session.provider) ?? session.provider;
  return htmlPage({
    title: `${escapeHtml(name)} · Control API`,
    style: signInStyle,
    head: `\n<script src="/assets/account.js" type="module"></script>`,
    body: `<p class="brand">Control API</p>
<div class="top">
<div>
<h1>${escapeHtml(name)}</h1>
<p class="soft">${escapeHtml(user.email === name ? "" : `${user.email} · `)}signed in with ${escapeHtml(provider)}${operator ? ` <span class="tag">operator</span>` : ""}</p>
</div>
<button class="button" type="button" id="sign-out" hidden>Sign out</button>
</div>
<p class="note bad" id="problem" role="alert" hidden></p>
<noscript><p class="note">Signing out and making keys need JavaScript on this page.</p></noscript>
<h2>Tenants</h2>
${tenantList(account)}
<h2>API key</h2>
${keyForm(account)}
<h2>Sessions</h2>
<ul class="list" id="sessions">
${[session, ...elsewhere].map((one) => sessionItem(one, session.id)).join("\n")}
</ul>
<footer><p class="soft">You are <code>${escapeHtml(user.issuer ?? "")}|${escapeHtml(user.subject ?? "")}</code>. <a href="/docs">API reference</a></p></footer>`,
  });
}

function tenantList({ tenants, operator }: Account): string {
  if (tenants.length === 0)
    return operator
      ? `<p>You are a member of no tenant. As an operator you may see and change all of them.</p>`
      : `<p>You are a member of no tenant yet. Ask an owner of the tenant to add or invite you, then load this page again.</p>`;
  const items = tenants.map(
    ({ tenantId, name, role }) =>
      `<li><span>${escapeHtml(name)} <span class="soft">${tenantId}</span></span><span class="tag">${roleWord(role)}</span></li>`,
  );
  return `<ul class="list">\n${items.join("\n")}\n</ul>`;
}

function keyForm({ tenants, operator }: Account): string {
  const places = tenants
    .filter(({ role }) => operator || isAtLeast(role, "CustomerAdmin"))
    .map(({ tenantId, name }) => ({ value: tenantId, name }));
  if (operator) places.unshift({ value: "", name: "Operators" });
  if (places.length === 0) return `<p>Keys are made by administrators and owners of a tenant.</p>`;
  return `<p>Programs use a key: <code>authorization: Bearer &lt;key&gt;</code>. It may do what you may do there.</p>
<form id="new-key" hidden>
<div class="fields">
<label>Name<input name="name" required maxlength="80" autocomplete="off" placeholder="deployer"></label>
<label>For<select name="tenantId">${places.map(({ value, name }) => `<option value="${value}">${escapeHtml(name)}</option>`).join("")}</select></label>
<label>Valid for<select name="days"><option value="30">30 days</option><option value="90" selected>90 days</option><option value="365">a year</option></select></label>
</div>
<button class="button">Make a key</button>
</form>
<div class="note" id="made-key" role="status" hidden>
<p><strong>Copy the key now: it is shown this once.</strong></p>
<pre></pre>
</div>`;
}

function sessionItem(session: Session, currentId: string): string {
  const isCurrent = session.id === currentId;
  const name = browserName(session.userAgent);
  return `<li><span>${escapeHtml(name)}${isCurrent ? ` <span class="tag">this browser</span>` : ""}<br><span class="soft">since ${time(session.createdAtMs)}, last seen ${time(session.lastSeenAtMs)}</span></span>${
    isCurrent
      ? ""
      : `<button class="button" type="button" data-session="${session.id}" aria-label="End the session of ${escapeHtml(name)}, since ${minute(session.createdAtMs)}" hidden>End</button>`
  }</li>`;
}

function roleWord(role: MyTenant["role"]): string {
  return role.replace("Customer", "").toLowerCase();
}

function time(ms: number): string {
  return `<time datetime="${new Date(ms).toISOString()}">${minute(ms)}</time>`;
}

function minute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
