import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { listAt, mapAt, textAt } from "./json-at.ts";

const REFERENCE = "#/components/schemas/";

/**
 * Throws for a field of a schema, or a parameter of an operation, without a description: it names all of them. A field
 * may take the description of the schema that it refers to.
 */
export function requireDescriptions(document: JsonMap): void {
  const schemas = mapAt(mapAt(document, "components"), "schemas");
  const isDescribed = (field: Json): boolean => {
    if (!isJsonMap(field)) return true;
    const schema = mapAt(schemas, textAt(field, "$ref").slice(REFERENCE.length));
    return [field, schema].some((each) => typeof each["description"] === "string");
  };
  const bare = [...fieldsOf(schemas), ...parametersOf(document)].filter(
    ({ field }) => !isDescribed(field),
  );
  if (bare.length > 0)
    throw new Error(
      `Describe these fields where they are declared: ${bare.map(({ place }) => place).join(", ")}`,
    );
}

interface Field {
  /** `Schema.field`, or `operation.parameter`. */
  place: string;
  field: Json;
}

/** The fields of all schemas, at every depth. */
function fieldsOf(schemas: JsonMap): Field[] {
  return Object.entries(schemas).flatMap(([name, schema]) => [...fieldsIn(schema, name)]);
}

function* fieldsIn(schema: Json, place: string): Generator<Field> {
  if (Array.isArray(schema)) for (const each of schema) yield* fieldsIn(each, place);
  if (!isJsonMap(schema)) return;
  for (const [key, inner] of Object.entries(schema)) {
    if (key !== "properties" || !isJsonMap(inner)) yield* fieldsIn(inner, place);
    else
      for (const [name, field] of Object.entries(inner)) {
        yield { place: `${place}.${name}`, field };
        yield* fieldsIn(field, `${place}.${name}`);
      }
  }
}

function parametersOf(document: JsonMap): Field[] {
  return Object.values(mapAt(document, "paths"))
    .filter(isJsonMap)
    .flatMap((path) => Object.values(path))
    .filter(isJsonMap)
    .flatMap((operation) =>
      listAt(operation, "parameters")
        .filter(isJsonMap)
        .filter((parameter) => !Object.hasOwn(parameter, "$ref"))
        .map((parameter) => ({
          place: `${textAt(operation, "operationId")}.${textAt(parameter, "name")}`,
          field: parameter,
        })),
    );
}
