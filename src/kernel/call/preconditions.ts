import { ApiError } from "#kernel/errors.ts";
import { matchesIfNoneMatch, allowedByIfMatch } from "#platform/etag.ts";

/** The headers of a change that name versions. */
export interface Preconditions {
  ifMatch?: string;
  ifNoneMatch?: string;
}

/**
 * Throws `precondition_failed` unless the headers allow a change of this version; undefined: the object does not exist
 * yet.
 */
export function requireVersionMatch(
  { ifMatch, ifNoneMatch }: Preconditions,
  version: number | string | undefined,
): void {
  if (version === undefined) {
    if (ifMatch !== undefined)
      throw new ApiError(
        "precondition_failed",
        "There is no such object yet. Leave out If-Match to create it.",
      );
    return;
  }
  const etag = `"${version}"`;
  if (!allowedByIfMatch(ifMatch, etag) || matchesIfNoneMatch(ifNoneMatch, etag))
    throw new ApiError(
      "precondition_failed",
      `The object has version ${etag} now. Read it again, look at what changed, and repeat the request with that ETag.`,
    );
}
