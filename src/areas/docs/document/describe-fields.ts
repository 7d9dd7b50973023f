import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mapAt } from "./json-at.ts";

const REFERENCE = "#/components/schemas/";

/**
 * The document with a description for each field of its schemas: its own, else that of the schema it refers to, else
 * the text for `Schema.field` or for its name. Throws for a field that none of them describes.
 */
export function describeFields(
  document: JsonMap,
  texts: Readonly<Record<string, string>>,
): JsonMap {
  const components = mapAt(document, "components");
  const schemas = mapAt(components, "schemas");
  const missing: string[] = [];
  const described = (schema: Json, owner: string): Json => {
    if (Array.isArray(schema)) return schema.map((each) => described(each, owner));
    if (!isJsonMap(schema)) return schema;
    return Object.fromEntries(
      Object.entries(schema).map(([key, inner]) => [
        key,
        key === "properties" && isJsonMap(inner)
          ? Object.fromEntries(
              Object.entries(inner).map(([name, field]) => [name, withText(field, name, owner)]),
            )
          : described(inner, owner),
      ]),
    );
  };
  const withText = (field: Json, name: string, owner: string): Json => {
    const whole = described(field, owner);
    if (!isJsonMap(whole) || hasText(whole)) return whole;
    const text = [`${owner}.${name}`, name].find((key) => Object.hasOwn(texts, key));
    if (text === undefined) missing.push(`${owner}.${name}`);
    return { ...whole, description: texts[text ?? ""] ?? "" };
  };
  const hasText = ({ description, $ref }: JsonMap): boolean =>
    typeof description === "string" ||
    (typeof $ref === "string" &&
      typeof mapAt(schemas, $ref.slice(REFERENCE.length))["description"] === "string");
  const done = Object.fromEntries(
    Object.entries(schemas).map(([owner, schema]) => [owner, described(schema, owner)]),
  );
  if (missing.length > 0)
    throw new Error(`Describe these fields where they are declared: ${missing.join(", ")}`);
  return { ...document, components: { ...components, schemas: done } };
}
