import type { ErrorCode } from "#kernel/errors.ts";

export const EVENTS_PATH = "/docs/events";
export const ERRORS_PATH = "/docs/errors";
export const VERSIONS_PATH = "/docs/versions";
export const SEARCH_PATH = "/docs/search";

/** Pages that are no area's. An area with one of these names would have no page. */
export const ownPages = ["events", "errors", "versions", "search"] as const;

export function areaPath(area: { slug: string }): string {
  return `/docs/${area.slug}`;
}

/** Where a problem's `type` leads, too. */
export function errorPath(error: ErrorCode): string {
  return `${ERRORS_PATH}#${error}`;
}
