/**
 * The place to redirect to after the sign-in. An open redirect would let a link to our sign-in end on an attacker's
 * page. So only a path of this installation or a URL of an allowed origin is accepted; two slashes, backslashes and
 * control characters, which browsers interpret in their own ways, are rejected. Returns the absolute URL as parsed:
 * rebuilt from path and query, `/..//evil.example` would become another host.
 */
const MOST_CHARACTERS = 2_000;

export function checkReturnTo(
  returnTo: string,
  trusted: { ownOrigin: string; allowedOrigins: ReadonlySet<string> },
): string | undefined {
  if (returnTo.length > MOST_CHARACTERS || /[\p{Cc}\\]/u.test(returnTo)) return undefined;
  const isPath = returnTo.startsWith("/");
  if (isPath ? returnTo.includes("//") : !/^https?:\/\/[^/]/.test(returnTo)) return undefined;
  const url = URL.parse(returnTo, trusted.ownOrigin);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const mayGo =
    url.origin === trusted.ownOrigin || (!isPath && trusted.allowedOrigins.has(url.origin));
  return mayGo ? url.href : undefined;
}
