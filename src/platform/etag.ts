/**
 * Conditional requests (RFC 9110, section 13). `If-None-Match` uses weak comparison, because a proxy may have weakened
 * the tag. `If-Match` uses strong comparison, because a weak tag does not identify an exact version.
 */

/** True when `If-None-Match` matches this ETag: the caller already has the current version. */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  return lists(ifNoneMatch, (tag) => withoutWeakPrefix(tag) === withoutWeakPrefix(etag));
}

/** True when `If-Match` allows changing the object with this ETag. Without the header, the change is allowed. */
export function allowedByIfMatch(ifMatch: string | undefined, etag: string): boolean {
  return ifMatch === undefined || lists(ifMatch, (tag) => tag === etag && !tag.startsWith("W/"));
}

/** True for `*`, which every version matches. */
export function isAnyVersion(header: string): boolean {
  return header.trim() === "*";
}

/**
 * A version that includes the id, for objects whose path can be reused after a delete (a member returns, a flag is
 * created again). Otherwise the first versions of both would have the same ETag.
 */
export function versionOf({ id, version }: { id: string; version: number | string }): string {
  return `${version}-${id.slice(-8)}`;
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return isAnyVersion(header) || header.split(",").some((tag) => matches(tag.trim()));
}

function withoutWeakPrefix(tag: string): string {
  return tag.replace(/^W\//, "");
}
