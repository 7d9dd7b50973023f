import type { JSX } from "hono/jsx/jsx-runtime";
import { textAt } from "#areas/docs/document/json-at.ts";
import type { JsonMap } from "#platform/json.ts";
import { FieldList } from "./schema-fields.tsx";

/** Parameters of a request, or headers of an answer. */
export function ParameterFields(shown: {
  parameters: readonly JsonMap[];
  document: JsonMap;
}): JSX.Element {
  const { parameters, document } = shown;
  const fields = parameters.map((parameter) => ({
    name: textAt(parameter, "name"),
    required: parameter["required"] === true,
    schema: parameter["schema"],
    description: textAt(parameter, "description"),
  }));
  return <FieldList fields={fields} options={{ document, side: "input" }} depth={0} />;
}
