/**
 * Cookies that carry a secret. On https the name begins with `__Host-`: a browser takes such a cookie only from
 * this very host, so no neighbour under the same domain can plant one. For development on this machine, without
 * TLS, there is a second name for each.
 */
import { serializeCookie } from "oslo/cookie";
import type { Bindings } from "#kernel/bindings.ts";

export interface CookieKind {
  host: string;
  development: string;
}

export const sessionCookie: CookieKind = {
  host: "__Host-control_session",
  development: "control_session_dev",
};

type Setting = Pick<Bindings, "DEV_COOKIES">;

/** The name the cookie goes by at this URL: on http and loopback alone, and only when told so, the second one. */
export function cookieName(kind: CookieKind, url: URL, env: Setting): string {
  return isDevelopment(url, env) ? kind.development : kind.host;
}

/** Every value sent under the name, as it stands. A browser sends one; two mean that somebody planted one. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    const key = at < 0 ? "" : pair.slice(0, at).trim();
    return key === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** `Set-Cookie` that gives the browser the value for so long; 0 takes the cookie away. */
export function setCookie(
  kind: CookieKind,
  value: string,
  at: { url: URL; env: Setting; maxAgeSeconds: number },
): string {
  return serializeCookie(cookieName(kind, at.url, at.env), value, {
    path: "/",
    httpOnly: true,
    secure: !isDevelopment(at.url, at.env),
    sameSite: "lax",
    maxAge: at.maxAgeSeconds,
  });
}

/** This machine, by any of the names a browser has for it. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function isDevelopment(url: URL, env: Setting): boolean {
  return env.DEV_COOKIES === "on" && url.protocol === "http:" && isLoopback(url);
}
