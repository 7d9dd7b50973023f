import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mapAt } from "./json-at.ts";
import { JSON_BODY } from "./operation.ts";
import { sampleOfMedia } from "./sample.ts";

/** The document with an example for every JSON answer of success, made from its schema where it has none. */
export function withAnswerExamples(document: JsonMap): JsonMap {
  return mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(mapAt(operation, "responses"), (answer) => {
      const content = mapAt(answer, "content");
      const media = content[JSON_BODY];
      if (!isJsonMap(media)) return answer;
      const example = sampleOfMedia(media, { document, side: "output" });
      return { ...answer, content: { ...content, [JSON_BODY]: { ...media, example } } };
    }),
  }));
}

function mapOperations(document: JsonMap, change: (operation: JsonMap) => JsonMap): JsonMap {
  return {
    ...document,
    paths: mapValues(mapAt(document, "paths"), (item) =>
      mapValues(item, (operation) =>
        Object.hasOwn(operation, "responses") ? change(operation) : operation,
      ),
    ),
  };
}

function mapValues(map: JsonMap, change: (value: JsonMap) => Json): JsonMap {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, isJsonMap(value) ? change(value) : value]),
  );
}
