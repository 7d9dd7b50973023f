import { documentInfo } from "#areas/docs/document-info.ts";
import type { Endpoint, Method } from "#http/endpoint.ts";
import { openApiDocument } from "#http/openapi/openapi.ts";
import type { JsonMap } from "#platform/json.ts";
import { enumNames } from "./enum-names.ts";
import { nameEnums } from "./name-enums.ts";
import { requireDescriptions } from "./require-descriptions.ts";
import { withAnswerExamples } from "./with-answer-examples.ts";

/**
 * The OpenAPI document that is served: the declarations, with names, descriptions and examples throughout. The build
 * makes it (`scripts/reference/`); the Worker does not import this file.
 */
export function productDocument(endpoints: readonly Endpoint[], version: string): JsonMap {
  const declared = openApiDocument(endpoints.toSorted(inDocument), { ...documentInfo, version });
  const named = nameEnums(declared, enumNames);
  requireDescriptions(named);
  return withAnswerExamples(named);
}

const tags = Object.keys(documentInfo.tags);
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By tag, path and method: the order does not depend on where an endpoint is declared. */
function inDocument(a: Endpoint, b: Endpoint): number {
  if (a.tag !== b.tag) return tags.indexOf(a.tag) - tags.indexOf(b.tag);
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return methods.indexOf(a.method) - methods.indexOf(b.method);
}
