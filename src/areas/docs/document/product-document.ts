import { documentInfo } from "#areas/docs/document-info.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { openApiDocument } from "#http/openapi/openapi.ts";
import type { JsonMap } from "#platform/json.ts";
import { describeFields } from "./describe-fields.ts";
import { enumNames } from "./enum-names.ts";
import { fieldTexts } from "./field-texts.ts";
import { nameEnums } from "./name-enums.ts";
import { withAnswerExamples } from "./with-answer-examples.ts";

/** The OpenAPI document that is served: what the declarations say, with names, descriptions and examples throughout. */
export function productDocument(endpoints: readonly Endpoint[]): JsonMap {
  const declared = openApiDocument(endpoints, documentInfo);
  return withAnswerExamples(describeFields(nameEnums(declared, enumNames), fieldTexts));
}
