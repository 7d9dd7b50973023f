/** The texts that schemas allow, as options of a completion. Pure. */
import { isSchema, partsOf, type RootSchema, type Schema } from "./schema.ts";

export interface Option {
  label: string;
  detail?: string;
  info?: string;
  /** The rank beside others, from -99 to 99. */
  boost?: number;
  /** The continuation of a key: a value in its line, or lines below it. */
  adds?: "value" | "lines";
}

/** The keys that schemas know. */
export function keysOf(
  root: RootSchema,
  schemas: readonly Schema[],
  type: string | undefined,
): Option[] {
  // A schema with `required` alone is one of several alternatives.
  const rules = schemas.filter((schema) => Object.keys(schema).length > 1);
  const required = new Set(rules.flatMap((schema) => schema.required ?? []));
  const known = new Map<string, Schema[]>();
  for (const { properties = {} } of schemas)
    for (const [label, schema] of Object.entries(properties))
      if (isSchema(schema)) known.set(label, [...(known.get(label) ?? []), schema]);
  return [...known]
    .filter(([, all]) => !all.some(({ doNotSuggest }) => doNotSuggest === true))
    .map(([label, all]): Option => {
      const parts = all.flatMap((schema) => [...partsOf(root, schema, type)]);
      const info = parts.find(({ description }) => description !== undefined)?.description;
      return {
        label,
        adds: isWrittenInLines(parts) ? "lines" : "value",
        ...(info === undefined ? {} : { info }),
        ...(required.has(label) ? { detail: "required" } : {}),
        // Functions fit everywhere: they come last.
        boost: isCall(label) ? -90 : required.has(label) ? 50 : 0,
      };
    });
}

/** True for a map of known names or of named things; false for anything shorter as a list or a word. */
function isWrittenInLines(schemas: readonly Schema[]): boolean {
  const [first] = schemas;
  if (valuesOf(schemas).length > 0 || (first !== undefined && typesOf(first).includes("array")))
    return false;
  return schemas.some(
    ({ properties = {}, propertyNames, additionalProperties }) =>
      Object.keys(properties).some((name) => !isCall(name)) ||
      (propertyNames !== undefined && isSchema(additionalProperties)),
  );
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

/** The values that schemas name. */
export function valuesOf(schemas: readonly Schema[]): Option[] {
  const values = new Map<string, Option>();
  for (const schema of schemas) {
    const { enum: all = [], const: only, examples = [], markdownEnumDescriptions: infos } = schema;
    for (const [at, value] of all.entries()) add(value, infos?.[at]);
    for (const value of [only, ...examples]) add(value);
    if (isFlag(schema)) for (const value of [true, false]) add(value);
  }
  return [...values.values()];

  function add(value: unknown, info = ""): void {
    if (value === undefined || value === null || typeof value === "object") return;
    const label = typeof value === "string" ? value : JSON.stringify(value);
    if (values.has(label)) return;
    values.set(label, { label, ...(info === "" || info === label ? {} : { info }) });
  }
}

/** A flag, or a reference or a function call in its place. */
function isFlag(schema: Schema): boolean {
  const types = typesOf(schema);
  return (
    types.includes("boolean") &&
    types.every((one) => ["boolean", "string", "object", "null"].includes(one))
  );
}

export function isCall(label: string): boolean {
  return label.startsWith("fn::");
}
