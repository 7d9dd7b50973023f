/**
 * Where the browser goes once it is signed in. An open redirect here would let a link to our own sign-in end on a
 * page of an attacker's. So: a path of ours, or a URL of an origin on the allow-list; whatever browsers read in ways
 * of their own (two slashes, backslashes, control characters, which they strip) is refused; and what comes back is
 * the absolute URL as it was parsed: put together again from path and query, `/..//evil.example` would become one.
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
