import type { JSX } from "hono/jsx/jsx-runtime";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { jsonMediaOf } from "#areas/docs/document/operation.ts";
import type { JsonMap } from "#platform/json.ts";
import { schemaFields } from "./schema-fields.tsx";
import { TypeLine } from "./type-line.tsx";

/** The body of an endpoint; nothing if it takes none. */
export function BodySection(shown: { operation: JsonMap; document: JsonMap }): JSX.Element {
  const { operation, document } = shown;
  const body = mapAt(operation, "requestBody");
  const { schema } = jsonMediaOf(body);
  if (schema === undefined) return <></>;
  return (
    <>
      <h4>Body {body["required"] !== true && <span class="facts">may be absent</span>}</h4>
      {schemaFields(schema, { document, side: "input" }) ?? (
        <TypeLine schema={schema} document={document} />
      )}
    </>
  );
}
