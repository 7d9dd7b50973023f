import {
  cloudCodes,
  deploymentErrorAdvice,
  whoseFault,
} from "#areas/docs/content/deployment-error-advice.ts";
import {
  areaPath,
  deploymentErrorId,
  errorPath,
  ERRORS_PATH,
  EVENTS_PATH,
  faultId,
} from "#areas/docs/content/docs-paths.ts";
import { errorAdvice } from "#areas/docs/content/error-advice.ts";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import { guideTopics } from "#areas/docs/content/guide-topics.ts";
import { documentAreas } from "#areas/docs/document/document-areas.ts";
import { listAt, mapAt, textAt } from "#areas/docs/document/json-at.ts";
import { jsonMediaOf, type Operation, operationId } from "#areas/docs/document/operation.ts";
import { resolveSchema } from "#areas/docs/document/resolve-schema.ts";
import type { SearchEntry } from "#areas/docs/search/search-entry.ts";
import { faultCodes } from "#http/faults.ts";
import { errorCodes, errorTitle } from "#kernel/errors.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { faultOfCode } from "#schema/lists/deployment-faults.ts";
import { deploymentErrors, requestFaults } from "./error-entries.tsx";

/** An entry for everything on the pages, in their order. */
export function searchEntries(document: JsonMap): SearchEntry[] {
  return [
    ...guideTopics.map(({ id, title, text }): SearchEntry => ({
      kind: "topic",
      path: `/docs#${id}`,
      title,
      name: "",
      call: "",
      fields: [],
      text,
    })),
    ...documentAreas(document).flatMap((area) =>
      area.endpoints.map((endpoint): SearchEntry => ({
        kind: "endpoint",
        path: `${areaPath(area)}#${operationId(endpoint)}`,
        title: textAt(endpoint.operation, "summary"),
        name: operationId(endpoint),
        call: `${endpoint.method.toUpperCase()} ${endpoint.path}`,
        fields: fieldsOf(endpoint, document),
        text: `${area.name} ${textAt(endpoint.operation, "description")}`,
      })),
    ),
    ...Object.entries(mapAt(document, "webhooks")).map(([kind, item]): SearchEntry => ({
      kind: "event",
      path: `${EVENTS_PATH}#event-${kind}`,
      title: kind,
      name: kind,
      call: "",
      fields: [],
      text: textAt(mapAt(isJsonMap(item) ? item : {}, "post"), "summary"),
    })),
    ...errorCodes.map((error) =>
      errorEntry(error, {
        path: errorPath(error),
        title: error,
        text: `${errorTitle(error)} ${errorAdvice[error]}`,
      }),
    ),
    ...requestFaults.map((code) =>
      errorEntry(code, {
        path: `${ERRORS_PATH}#${faultId(code)}`,
        title: `${code} in \`errors\``,
        text: faultCodes[code],
      }),
    ),
    ...deploymentErrors.map((code) =>
      errorEntry(code, {
        path: `${ERRORS_PATH}#${deploymentErrorId(code)}`,
        title: `${code} of a deployment`,
        text: `${whoseFault[faultOfCode[code]]} ${deploymentErrorAdvice[code]}`,
      }),
    ),
    errorEntry("", {
      path: `${ERRORS_PATH}#deployment-cloud-codes`,
      title: "A cloud's own code of a deployment",
      text: cloudCodes,
    }),
  ];
}

function errorEntry(
  name: string,
  entry: Pick<SearchEntry, "path" | "title" | "text">,
): SearchEntry {
  return { kind: "error", name, call: "", fields: [], ...entry };
}

function fieldsOf({ operation }: Operation, document: JsonMap): string[] {
  const { schema } = resolveSchema(
    jsonMediaOf(mapAt(operation, "requestBody"))["schema"],
    document,
  );
  return [
    ...listAt(operation, "parameters")
      .filter(isJsonMap)
      .map((parameter) => textAt(parameter, "name")),
    ...Object.keys(mapAt(schema, "properties")),
  ];
}

/** The guides and their sections. */
export function guideEntries(guides: readonly GuidePage[]): SearchEntry[] {
  return guides.flatMap(({ path, title, places }) =>
    [{ id: "", title }, ...places].map((place): SearchEntry => ({
      kind: "topic",
      path: place.id === "" ? path : `${path}#${place.id}`,
      title: place.title,
      name: "",
      call: "",
      fields: [],
      text: title,
    })),
  );
}
