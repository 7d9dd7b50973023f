/**
 * The bookmark of the caller's last answer: the place in the database up to which they have seen its changes. With it,
 * a copy near the caller may answer a read; without it, the primary answers. Programs keep the bookmark in a header,
 * browsers in a cookie (docs/decisions/0093).
 */
import { type CookieKind, cookieName, cookieValues, setCookie } from "#kernel/authn/cookies.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { API_PREFIX } from "./api-prefix.ts";
import { isMutation } from "./endpoint.ts";

export const BOOKMARK_HEADER = "X-D1-Bookmark";

/** The form that D1 writes. Other text counts as no bookmark. */
const bookmarkShape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

const bookmarkCookie: CookieKind = {
  host: "__Host-control_bookmark",
  development: "control_bookmark_dev",
};
/** Copies lag by seconds. After the hour, the primary answers the browser once and gives it a new bookmark. */
const MAX_AGE_SECONDS = 3600;

interface BookmarkRequest {
  method: string;
  path: string;
  url: string;
  header: (name: string) => string | undefined;
}

/** The bookmark of a read of the API; undefined: the request is a change or has no valid one. */
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

/** The cookie that keeps a browser's bookmark: set after a change, and for a browser without one. */
export function keptBookmark(
  request: BookmarkRequest,
  env: Bindings,
  bookmark: string,
): string | undefined {
  if (!isMutation(request.method) && sentBookmark(request, env) !== undefined) return undefined;
  const at = { url: new URL(request.url), env, maxAgeSeconds: MAX_AGE_SECONDS };
  return setCookie(bookmarkCookie, bookmark, at);
}
