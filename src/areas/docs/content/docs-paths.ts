import type { FaultCode } from "#http/faults.ts";
import type { ErrorCode } from "#kernel/errors.ts";
import type { DeploymentErrorCode } from "#schema/lists/deployment-faults.ts";

export const EVENTS_PATH = "/docs/events";
export const ERRORS_PATH = "/docs/errors";
export const VERSIONS_PATH = "/docs/versions";
export const SEARCH_PATH = "/docs/search";

/** Pages beside those of the areas. An area with one of these names would have no page. */
export const ownPages = ["events", "errors", "versions", "search"] as const;

export function areaPath(area: { slug: string }): string {
  return `/docs/${area.slug}`;
}

/** The place that a problem's `type` points to. */
export function errorPath(error: ErrorCode): string {
  return `${ERRORS_PATH}#${error}`;
}

/** Places on the page of errors. A code can be in several of its lists. */
export const faultId = (code: FaultCode): string => `fault-${code}`;
export const deploymentErrorId = (code: DeploymentErrorCode): string => `deployment-${code}`;
