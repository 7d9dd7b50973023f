/**
 * The conditions of RFC 9110, section 13. `If-None-Match` compares weakly: a tag that a proxy made weak on its way
 * still says that the caller has the object. `If-Match` compares strongly: a weak tag names no version for certain.
 */

/** Whether `If-None-Match` says that the caller has what this ETag names. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return lists(ifNoneMatch, (tag) => weakless(tag) === weakless(etag));
}

/** Whether `If-Match` allows a change of the object with this ETag. No header allows it. */
export function mayChange(ifMatch: string | undefined, etag: string): boolean {
  return ifMatch === undefined || lists(ifMatch, (tag) => tag === etag && !tag.startsWith("W/"));
}

/**
 * The version of an object whose address another may have once it is gone (a member comes back, a flag is made anew):
 * told from that one's by the id. The first version of the one would else be taken for that of the other.
 */
export function versionOf({ id, version }: { id: string; version: number | string }): string {
  return `${version}-${id.slice(-8)}`;
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((tag) => matches(tag.trim()));
}

function weakless(tag: string): string {
  return tag.replace(/^W\//, "");
}
