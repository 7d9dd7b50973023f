/** The possible texts at a place of a template, by the JSON Schema of templates and by the template itself. Pure. */
import { type FunctionWords, inExpression } from "./expression-completions.ts";
import { namesIn, openExpression, placeAt, siblingsOf } from "./outline.ts";
import { keysOf, type Option, valuesOf } from "./schema-options.ts";
import { isSchema, type RootSchema, schemasAt } from "./schema.ts";

export interface Completions {
  /** The column in the line at which the text of the options starts. */
  from: number;
  options: readonly Option[];
  /** Whether they are types, of which a provider may have more. */
  areTypes: boolean;
}

/**
 * `lines`: the whole template. The cursor is at the end of `before`, the start of the line `at`. Undefined: nothing is
 * known of this place.
 */
export function completionsAt(
  schema: RootSchema,
  lines: readonly string[],
  at: number,
  before: string,
  functions: readonly FunctionWords[],
): Completions | undefined {
  const expression = openExpression(before);
  const place = placeAt(lines, at, before);
  if (expression?.isQuoted === true) return undefined;
  const [section, name = ""] = place?.path ?? [];
  const isInResources = section === "resources";
  if (expression !== undefined) {
    const names = namesIn(lines);
    const isLoop = isInResources && names.resources.get(name)?.isLoop === true;
    const { from, options } = inExpression(
      schema,
      { ...names, isLoop, functions },
      expression.text,
      before.length,
    );
    return found(from, options);
  }
  if (place === undefined) return undefined;
  const { path, key, text, column, beside } = place;
  const type = isInResources ? namesIn(lines).resources.get(name)?.type : undefined;
  const schemas = schemasAt(schema, key === undefined ? path : [...path, key], type);
  const from = before.length - text.length;
  const isOfResource = path.length === 2 && isInResources;
  if (key !== undefined) return found(from, valuesOf(schemas), isOfResource && key === "type");
  const present = beside === undefined ? siblingsOf(lines, at, column) : new Set(beside);
  const unfit = isOfResource ? unfitBeside(present) : [];
  const keys = keysOf(schema, schemas, type)
    .filter(({ label }) => !present.has(label) && !unfit.includes(label))
    // Within braces everything stays in its line.
    .map((one): Option => (beside === undefined ? one : { ...one, adds: "value" }));
  // A list of texts, such as `dependsOn`, has values where a map has keys.
  return found(from, [...keys, ...valuesOf(schemas)]);
}

/** The types of the template's resources without properties in the schema. */
export function typesToAsk(schema: RootSchema, lines: readonly string[]): string[] {
  return typesIn(lines).filter((type) => !isDescribed(schema, type));
}

/** The types of the template's resources with properties in the schema. */
export function describedTypes(schema: RootSchema, lines: readonly string[]): string[] {
  return typesIn(lines).filter((type) => isDescribed(schema, type));
}

function typesIn(lines: readonly string[]): string[] {
  const types = [...namesIn(lines).resources.values()].flatMap(({ type }) => type ?? []);
  return [...new Set(types)].filter((type) => type !== "");
}

function isDescribed({ $defs }: RootSchema, type: string): boolean {
  const rules = $defs["resource"]?.allOf ?? [];
  return rules.some((rule) => isSchema(rule) && rule.if?.properties?.type?.const === type);
}

/** A resource has a type, a component has none. */
function unfitBeside(present: ReadonlySet<string>): readonly string[] {
  if (present.has("component")) return ["type", "get"];
  return present.has("type") ? ["component", "version"] : [];
}

function found(
  from: number,
  options: readonly Option[],
  areTypes = false,
): Completions | undefined {
  return options.length === 0 ? undefined : { from, options, areTypes };
}
