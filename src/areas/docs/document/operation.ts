import type { JsonMap } from "#platform/json.ts";
import { mapAt, textAt } from "./json-at.ts";

/** An operation of the document and where it is. */
export interface Operation {
  method: string;
  path: string;
  operation: JsonMap;
}

export const JSON_BODY = "application/json";

export function operationId({ operation }: Operation): string {
  return textAt(operation, "operationId");
}

/** Whether it takes no API key. */
export function isPublic(operation: JsonMap): boolean {
  return Array.isArray(operation["security"]) && operation["security"].length === 0;
}

/** What a body or an answer holds as JSON; empty if it holds none. */
export function jsonMediaOf(part: JsonMap): JsonMap {
  return mapAt(mapAt(part, "content"), JSON_BODY);
}

/** Below 400: what is answered when nothing went wrong. */
export function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}
