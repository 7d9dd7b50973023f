import type { FaultCode } from "#http/faults.ts";
import type { ErrorCode } from "#kernel/errors.ts";
import type { DeploymentErrorCode } from "#schema/lists/deployment-faults.ts";

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

/** Places of the page of errors. A code can be in several of its lists. */
export const faultId = (code: FaultCode): string => `fault-${code}`;
export const deploymentErrorId = (code: DeploymentErrorCode): string => `deployment-${code}`;
