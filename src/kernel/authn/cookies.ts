/**
 * Cookies that carry a secret. On https the name starts with `__Host-`: a browser accepts such a cookie only from
 * this exact host, so another host of the same domain cannot set one. Each cookie has a second name for local
 * development without TLS.
 */
import { serializeCookie } from "oslo/cookie";
import type { Bindings } from "#kernel/bindings.ts";
import { isLoopback } from "#platform/loopback.ts";

export interface CookieKind {
  host: string;
  development: string;
}

export const sessionCookie: CookieKind = {
  host: "__Host-control_session",
  development: "control_session_dev",
};

type Setting = Pick<Bindings, "DEV_COOKIES">;

/** The cookie's name at this URL: the development name only on http, on loopback, and with `DEV_COOKIES` on. */
export function cookieName(kind: CookieKind, url: URL, env: Setting): string {
  return isDevelopment(url, env) ? kind.development : kind.host;
}

/** Every value sent under the name, not decoded. A browser sends one; two mean that another host set one. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    const key = at < 0 ? "" : pair.slice(0, at).trim();
    return key === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** A `Set-Cookie` header; `maxAgeSeconds: 0` deletes the cookie. */
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

function isDevelopment(url: URL, env: Setting): boolean {
  return env.DEV_COOKIES === "on" && url.protocol === "http:" && isLoopback(url);
}
