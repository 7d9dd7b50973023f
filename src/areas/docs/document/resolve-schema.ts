import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { listAt, mapAt } from "./json-at.ts";

const REFERENCE = "#/components/schemas/";

/** A schema with its reference resolved, and the name of the referenced schema, if any. */
export interface ResolvedSchema {
  schema: JsonMap;
  name: string | undefined;
  nullable: boolean;
}

/** Follows references and takes `null` out of a choice. A reference to nothing is any value. */
export function resolveSchema(schema: Json | undefined, document: JsonMap): ResolvedSchema {
  let current: JsonMap = isJsonMap(schema) ? schema : {};
  let name: string | undefined;
  let nullable = false;
  for (let steps = 0; steps < 20; steps += 1) {
    const { $ref, anyOf, type, description } = current;
    if (typeof $ref === "string") {
      name = $ref.slice(REFERENCE.length);
      const named = mapAt(mapAt(document, "components"), "schemas");
      const target = Object.hasOwn(named, name) ? named[name] : undefined;
      current = { ...(isJsonMap(target) ? target : {}), ...said(description) };
    } else if (Array.isArray(anyOf) && anyOf.some(isNull)) {
      nullable = true;
      const rest = anyOf.filter((choice) => !isNull(choice));
      const { anyOf: _, ...beside } = current;
      const only = rest.length === 1 && isJsonMap(rest[0]) ? rest[0] : { anyOf: rest };
      current = { ...only, ...beside };
    } else if (Array.isArray(type) && type.includes("null")) {
      nullable = true;
      const rest = type.filter((one) => one !== "null");
      current = { ...current, type: rest.length === 1 ? (rest[0] ?? null) : rest };
    } else break;
  }
  return { schema: current, name, nullable };
}

function isNull(choice: Json): boolean {
  return isJsonMap(choice) && choice["type"] === "null";
}

function said(description: Json | undefined): JsonMap {
  return typeof description === "string" ? { description } : {};
}

/** The alternatives of a choice; none if it is no choice. */
export function choicesOf(schema: JsonMap): Json[] {
  return [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
}
