import type { ErrorCode } from "#kernel/errors.ts";

/** The name of an error's entry, as problems refer to it: `/docs#error-<code>`. */
export function errorAnchor(error: ErrorCode): string {
  return `error-${error}`;
}
