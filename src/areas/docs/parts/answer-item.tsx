import type { JSX } from "hono/jsx/jsx-runtime";
import { mapAt, textAt } from "#areas/docs/document/json-at.ts";
import { JSON_BODY, jsonMediaOf } from "#areas/docs/document/operation.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { ParameterFields } from "./parameter-fields.tsx";
import { schemaFields } from "./schema-fields.tsx";
import { TextWithCode } from "./text-with-code.tsx";
import { TypeLine } from "./type-line.tsx";

/** One answer of an endpoint: status and description, with its fields and headers folded in. */
export function AnswerItem(shown: {
  status: string;
  answer: Json;
  document: JsonMap;
}): JSX.Element {
  const { status, answer, document } = shown;
  if (!isJsonMap(answer)) return <></>;
  const { schema } = jsonMediaOf(answer);
  const headers = Object.entries(mapAt(answer, "headers"))
    .filter(([name]) => name !== "X-Request-Id")
    .map(([name, header]) => ({ name, ...(isJsonMap(header) ? header : {}) }));
  const others = Object.keys(mapAt(answer, "content")).filter((type) => type !== JSON_BODY);
  const head = (
    <>
      <span class="status">{status}</span> <TextWithCode text={textAt(answer, "description")} />
      {others.map((type) => [
        " ",
        <span class="facts">
          also <code>{type}</code>
        </span>,
      ])}
    </>
  );
  if (schema === undefined && headers.length === 0) return <p class="answer">{head}</p>;
  return (
    <details class="answer">
      <summary>{head}</summary>
      {schema !== undefined &&
        (schemaFields(schema, { document, side: "output" }) ?? (
          <TypeLine schema={schema} document={document} />
        ))}
      {headers.length > 0 && (
        <>
          <h5>Headers</h5>
          <ParameterFields parameters={headers} document={document} />
        </>
      )}
    </details>
  );
}
