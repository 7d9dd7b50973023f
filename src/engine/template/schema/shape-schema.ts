import type { JsonMap } from "#platform/json.ts";
import type { ObjectShape, PropertyFacts, ValueShape } from "#providers/provider.ts";

const expression: JsonMap = { $ref: "#/$defs/expression" };
const call: JsonMap = { $ref: "#/$defs/call" };

/**
 * The JSON Schemas of described values. Each object is in `definitions` once, since an object may contain itself.
 * `definitions` belongs under `$defs`.
 */
export class ShapeSchemas {
  readonly definitions: Record<string, JsonMap> = {};
  readonly #names = new Map<ObjectShape, string>();

  /** The schema of a map of properties, without those that only the cloud sets. */
  object({ properties, required = [], open = false }: ObjectShape): JsonMap {
    const settable = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true);
    const names = new Set(settable.map(([name]) => name));
    return {
      properties: Object.fromEntries(settable.map(([name, value]) => [name, this.value(value)])),
      ...(open ? {} : { additionalProperties: false }),
      required: required.filter((name) => names.has(name)),
    };
  }

  /** The schema of a value, of a reference, or of a call whose value is not known yet. */
  value({ type, enum: values, object, items }: ValueShape): JsonMap {
    if (type === "object" && object !== undefined)
      return valueSchema(type, this.#definition(object));
    if (type === "object" && items !== undefined)
      return valueSchema(type, { additionalProperties: this.value(items) });
    if (type === "array" && items !== undefined)
      return valueSchema(type, { items: this.value(items) });
    if (values !== undefined) return oneOf(type, values as JsonMap[string][]);
    return valueSchema(type, expression);
  }

  #definition(object: ObjectShape): JsonMap {
    let name = this.#names.get(object);
    if (name === undefined) {
      name = `object${this.#names.size + 1}`;
      this.#names.set(object, name);
      this.definitions[name] = this.object(object);
    }
    return { $ref: `#/$defs/${name}` };
  }
}

/** A value of the type for which `rule` holds, a reference, or a function call. */
function valueSchema(type: PropertyFacts["type"], rule: JsonMap): JsonMap {
  if (type === undefined) return { allOf: [rule] };
  const reference: JsonMap = {
    if: { type: "string" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: "#/$defs/reference" },
  };
  const isCall: JsonMap = {
    type: "object",
    propertyNames: { pattern: "^[Ff][Nn]::" },
    minProperties: 1,
  };
  return {
    type: [...new Set([type, "string", "object"])],
    if: isCall,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: call,
    else:
      type === "string"
        ? { type: "string" }
        : type === "object"
          ? { ...reference, else: rule }
          : { ...reference, else: { type, ...rule } },
  };
}

function oneOf(type: PropertyFacts["type"], values: JsonMap[string][]): JsonMap {
  return {
    type: [...new Set([type ?? "string", "string", "object"])],
    if: { type: "object" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: call,
    else: {
      if: { type: "string", pattern: "\\$\\{" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {},
      else: { enum: values },
    },
  };
}
