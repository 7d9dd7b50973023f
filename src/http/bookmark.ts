/**
 * How far into the database a caller has seen: the bookmark of their last answer. With it a read may be answered by a
 * copy near them; without it the primary answers. Programs keep it by a header, browsers by a cookie
 * (docs/decisions/0093).
 */
import { type CookieKind, cookieName, cookieValues, setCookie } from "#kernel/authn/cookies.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { API_PREFIX } from "./api-prefix.ts";
import { isMutation } from "./endpoint.ts";

export const BOOKMARK_HEADER = "X-D1-Bookmark";

/** As D1 writes them. What is none is not taken: then the primary answers. */
const bookmarkShape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

const bookmarkCookie: CookieKind = {
  host: "__Host-control_bookmark",
  development: "control_bookmark_dev",
};
/** Copies lag by seconds; a browser that comes later is answered by the primary once, and gets another one. */
const MAX_AGE_SECONDS = 3600;

interface BookmarkRequest {
  method: string;
  path: string;
  url: string;
  header: (name: string) => string | undefined;
}

/** The bookmark that a read of the API may be answered by; undefined: a change, or none that counts. */
export function bookmarkOf(request: BookmarkRequest, env: Bindings): string | undefined {
  if (isMutation(request.method) || !request.path.startsWith(`${API_PREFIX}/`)) return undefined;
  return sentBookmark(request, env);
}

function sentBookmark({ url, header }: BookmarkRequest, env: Bindings): string | undefined {
  const cookie = header("cookie");
  const kept =
    cookie?.includes("control_bookmark") === true
      ? cookieValues(cookie, cookieName(bookmarkCookie, new URL(url), env))
      : [];
  const [sent, ...more] = [header(BOOKMARK_HEADER) ?? [], kept].flat();
  return sent !== undefined && more.length === 0 && bookmarkShape.test(sent) ? sent : undefined;
}

/** The cookie by which a browser keeps the bookmark: after a change, and where it has none. */
export function keptBookmark(
  request: BookmarkRequest,
  env: Bindings,
  bookmark: string,
): string | undefined {
  if (!isMutation(request.method) && sentBookmark(request, env) !== undefined) return undefined;
  const at = { url: new URL(request.url), env, maxAgeSeconds: MAX_AGE_SECONDS };
  return setCookie(bookmarkCookie, bookmark, at);
}
