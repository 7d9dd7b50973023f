import type { JSX } from "hono/jsx/jsx-runtime";
import { listAt } from "#areas/docs/document/json-at.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { ParameterFields } from "./parameter-fields.tsx";

const placeTitles = { path: "Path", query: "Query", header: "Headers" } as const;

/** The parameters in one place of a request; nothing if there are none. */
export function ParameterSection(shown: {
  place: keyof typeof placeTitles;
  operation: JsonMap;
  document: JsonMap;
}): JSX.Element {
  const { place, operation, document } = shown;
  const here = listAt(operation, "parameters").filter(
    (parameter): parameter is JsonMap => isJsonMap(parameter) && parameter["in"] === place,
  );
  if (here.length === 0) return <></>;
  return (
    <>
      <h4>{placeTitles[place]}</h4>
      <ParameterFields parameters={here} document={document} />
    </>
  );
}
