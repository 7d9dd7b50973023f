/** The console's pages as a browser gets them, and their actions by role. In a browser: test/browser. */
import { expect } from "vitest";
import type { Endpoint } from "#http/endpoint.ts";
import { isAtLeast, memberRoleFor } from "#kernel/access/access.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import type { Answer } from "./api.ts";
import { appWith } from "./app-with.ts";
import { SESSION_COOKIE, signedIn, type TestSession } from "./sessions.ts";

export const CONSOLE_ORIGIN = "https://control.test";
export const hostile = `<img src=x onerror=alert(1)>"'`;
export const escapedHostile = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;";

const send = appWith({});

/** The page at this address, as the session's browser asks for it. */
export function openPage(path: string, session?: Pick<TestSession, "token">): Promise<Answer> {
  return send("GET", `${CONSOLE_ORIGIN}${path}`, {
    redirect: "manual",
    headers: {
      accept: "text/html",
      ...(session && { cookie: `${SESSION_COOKIE}=${session.token}` }),
    },
  });
}

/** The part of a page that is its own, without the frame. */
export function mainOf({ text }: Answer): string {
  return text.slice(text.indexOf('<main id="main">'));
}

const instanceTabs = ["", "/resources", "/variables", "/deployments", "/triggers", "/settings"];

/** All tabs of an instance's page. */
export async function openInstance(
  id: string,
  session: Pick<TestSession, "token">,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (const tab of instanceTabs) pages.push(await openPage(`/instances/${id}${tab}`, session));
  return pages;
}

export function memberOf(tenantId: string, role: TenantRole): Promise<TestSession> {
  return signedIn([tenantId, role]);
}

/** The requests of the page's buttons and forms, as `POST /webhooks`. */
export function offersOf({ text }: Answer): string[] {
  return [...text.matchAll(/data-(?:act|form)="(\w+)" data-path="([^"]*)"/g)].map(
    ([, method = "", path = ""]) => `${method} ${path.replaceAll("&amp;", "&")}`,
  );
}

/** The requests whose endpoints' declarations allow them to the role. */
export function allowedTo(
  role: TenantRole,
  offers: readonly (readonly [request: string, endpoint: Pick<Endpoint, "access">])[],
): string[] {
  return offers
    .filter(([, { access }]) => {
      const needed = memberRoleFor(access);
      return needed !== undefined && isAtLeast(role, needed);
    })
    .map(([request]) => request);
}

/** The page is shown, contains the hostile text only as text, and has nothing that its policy would refuse. */
export function expectHarmless(path: string, { status, headers, text }: Answer): void {
  expect([path, status]).toEqual([path, 200]);
  expect(text).not.toContain("<img");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("cache-control")).toBe("no-store");
  // Inside JSON its quotation mark has a backslash.
  const own = text.replaceAll("\\&quot;", "&quot;").replaceAll(escapedHostile, "");
  expect(own).not.toMatch(/<(script|style)>|\sstyle=|\son\w+=/);
}

/** Without a valid session, the browser is sent to the sign-in and then back to the page. */
export async function expectSignInFirst(
  path: string,
  session?: Pick<TestSession, "token">,
): Promise<void> {
  const { status, headers, text } = await openPage(path, session);
  expect([path, status, text]).toEqual([path, 302, ""]);
  const to = new URL(headers.get("location") ?? "", CONSOLE_ORIGIN);
  expect([to.pathname, to.searchParams.get("returnTo")]).toEqual(["/login", path]);
}
