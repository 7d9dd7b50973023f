/** A browser that signs in at the test's provider. */
import { expect, inject } from "vitest";
import type { Bindings } from "#kernel/bindings.ts";
import type { Answer, TestTenant } from "./api.ts";
import { type AppSend, appWith } from "./app-with.ts";
import { signInClient } from "./sign-in-client.ts";

declare module "vitest" {
  export interface ProvidedContext {
    signInProvider: string;
  }
}

// The provider starts at its first request, which may take longer than the service's timeout.
await fetch(`${inject("signInProvider")}/.well-known/openid-configuration`);

export const SESSION_COOKIE = "__Host-control_session";
const ORIGIN = "https://control.test";

/** The provider's claims about a person. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
}

let people = 0;

/** A new person with a verified address. */
export function person(more: Partial<Person> = {}): Person {
  people += 1;
  const sub = `s${people}-${crypto.randomUUID().slice(0, 8)}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${sub}`, ...more };
}

/** The service's settings with the test's provider, named `local`. */
export function signInSettings(
  more: Partial<Bindings> = {},
  provider: Record<string, unknown> = {},
): Partial<Bindings> {
  return {
    DEV_COOKIES: "on",
    OIDC_PROVIDERS: JSON.stringify([
      {
        id: "local",
        label: "Local",
        issuer: inject("signInProvider"),
        clientId: signInClient.id,
        clientSecret: "OIDC_LOCAL_SECRET",
        trustedForEmail: true,
        ...provider,
      },
    ]),
    ...({ OIDC_LOCAL_SECRET: signInClient.secret } as object),
    ...more,
  };
}

/** The cookies of one browser, by site, without attributes. */
class Jar {
  readonly #cookies = new Map<string, string>();

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  set(name: string, value: string | undefined): void {
    if (value === undefined) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const isGone = /;\s*max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line);
      this.set(name, isGone ? undefined : value);
    }
  }
}

export class Browser {
  readonly ours = new Jar();
  readonly #theirs = new Jar();
  readonly #send: AppSend;

  constructor(settings: Partial<Bindings> = signInSettings()) {
    this.#send = appWith(settings);
  }

  get session(): string | undefined {
    return this.ours.get(SESSION_COOKIE);
  }

  /** Sends a request as our own pages do: with cookies and, for changes, the CSRF headers. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isChange = method !== "GET";
    const answer = await this.#send(method, path, {
      redirect: "manual",
      headers: {
        cookie: this.ours.header,
        ...(isChange ? { "x-service-csrf": "1", "sec-fetch-site": "same-origin" } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.ours.take(answer.headers);
    return answer;
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.ask("GET", path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.ask("POST", path, body, headers);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.ask("PATCH", path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.ask("DELETE", path);
  }

  /** Starts a sign-in; the answer redirects to the provider. */
  begin(query: Record<string, string> = {}): Promise<Answer> {
    const search = new URLSearchParams({ returnTo: "/after", ...query });
    return this.get(`/auth/oidc/local/login?${search.toString()}`);
  }

  /** Signs in at the provider as this person; returns the URL of the callback. */
  async authorize(location: string, who: Person): Promise<URL> {
    let url = new URL(location);
    url.searchParams.set("login_hint", JSON.stringify(who));
    for (let hops = 0; hops < 10; hops += 1) {
      const answer = await fetch(url, {
        redirect: "manual",
        headers: { cookie: this.#theirs.header },
      });
      this.#theirs.take(answer.headers);
      const next = answer.headers.get("location");
      if (next === null) throw new Error(`${answer.status} at ${url.href}: ${await answer.text()}`);
      await answer.arrayBuffer();
      url = new URL(next, url);
      if (url.origin === ORIGIN) return url;
    }
    throw new Error("The provider goes on redirecting");
  }

  /** A complete sign-in; returns the answer of the callback. */
  async signIn(who: Person, query: Record<string, string> = {}): Promise<Answer> {
    const begun = await this.begin(query);
    if (begun.status !== 302) return begun;
    this.#theirs.set("_session", undefined);
    const callback = await this.authorize(begun.headers.get("location") ?? "", who);
    return this.come(callback);
  }

  /** Requests the callback. */
  come(callback: URL, headers?: Record<string, string>): Promise<Answer> {
    return this.get(`${callback.pathname.replace("/api/v1", "")}${callback.search}`, headers);
  }
}

/** The memberships, as `<tenant> <role>`. */
export async function tenantsOf(browser: Browser): Promise<string[]> {
  const { tenants } = (await browser.get("/auth/session")).body;
  return tenants
    .map(({ tenantId, role }: { tenantId: string; role: string }) => `${tenantId} ${role}`)
    .sort();
}

/** Accepts the invitation with this token; without a token, every invitation and offer of the person. */
export async function accept(browser: Browser, token?: string): Promise<Answer[]> {
  const query = token === undefined ? "" : `?token=${token}`;
  const { data } = (await browser.get(`/auth/invitations${query}`)).body;
  return Promise.all(
    data.map(({ id }: { id: string }) =>
      browser.post(`/auth/invitations/${id}/accept`, token === undefined ? {} : { token }),
    ),
  );
}

/** The token of an invitation. */
export async function invite(tenant: TestTenant, role = "CustomerDeveloper"): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  const made = await tenant.post(`/tenants/${tenant.tenantId}/invitations`, { email, role });
  expect(made.status, made.text).toBe(201);
  return made.body.token;
}
