import type { JsonMap } from "#platform/json.ts";
import { mapAt, textAt } from "./json-at.ts";

/** An operation of the document, with its path and method. */
export interface Operation {
  method: string;
  path: string;
  operation: JsonMap;
}

export const JSON_BODY = "application/json";

export function operationId({ operation }: Operation): string {
  return textAt(operation, "operationId");
}

/** True: it takes no API key. */
export function isPublic(operation: JsonMap): boolean {
  return Array.isArray(operation["security"]) && operation["security"].length === 0;
}

/** The JSON media type of a body or an answer; empty if it has none. */
export function jsonMediaOf(part: JsonMap): JsonMap {
  return mapAt(mapAt(part, "content"), JSON_BODY);
}

/** True for statuses below 400. */
export function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}
