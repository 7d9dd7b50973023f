/** Types as the schemas of AWS's registry describe them, and where the rows of the provider differ from them. */
import { type Schema, Validator } from "@cfworker/json-schema";
import { omitted } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { awsTypes } from "#providers/aws/types.ts";
import type { DescribedType } from "./described-type.ts";

/** A type of the registry; one without handlers is not a type of Cloud Control. */
export function registryType(schema: JsonMap): DescribedType | undefined {
  const { typeName, handlers } = schema;
  if (typeof typeName !== "string" || !isJsonMap(handlers)) return undefined;
  const readOnly = pathsIn(schema["readOnlyProperties"]);
  const listed = isJsonMap(handlers["list"]) ? handlers["list"]["handlerSchema"] : undefined;
  const parents = isJsonMap(listed) && Array.isArray(listed["required"]) ? listed["required"] : [];
  const validator = new Validator(valid(schema) as Schema, "7", false);
  return {
    name: typeName,
    identifier: pathsIn(schema["primaryIdentifier"]),
    readOnly,
    createOnly: pathsIn(schema["createOnlyProperties"]),
    writeOnly: pathsIn(schema["writeOnlyProperties"]),
    parents: parents.filter((name) => typeof name === "string"),
    isFixed: handlers["update"] === undefined,
    has: (path) => hasPlace(schema, schema, path.replaceAll("[*]", ".*").split(".")),
    problems: (properties) =>
      validator
        .validate(omitted(properties, readOnly))
        .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`),
    made: (id) =>
      Object.fromEntries(
        readOnly.filter((path) => /^\w+$/.test(path)).map((name) => [name, `${name}-of-${id}`]),
      ),
  };
}

function hasPlace(schema: JsonMap, at: Json, [segment, ...rest]: readonly string[]): boolean {
  if (!isJsonMap(at)) return false;
  const { $ref } = at;
  if (typeof $ref === "string") {
    const { definitions } = schema;
    const found = isJsonMap(definitions) ? definitions[$ref.split("/").at(-1) ?? ""] : undefined;
    return hasPlace(schema, found ?? null, segment === undefined ? [] : [segment, ...rest]);
  }
  if (segment === undefined) return true;
  const choices = [at["anyOf"], at["oneOf"], at["allOf"]].flatMap((one) =>
    Array.isArray(one) ? one : [],
  );
  if (choices.some((one) => hasPlace(schema, one, [segment, ...rest]))) return true;
  const { items = null, properties } = at;
  if (segment === "*") return hasPlace(schema, items, rest);
  return isJsonMap(properties) && hasPlace(schema, properties[segment] ?? null, rest);
}

function pathsIn(value: Json | undefined): string[] {
  const paths = (Array.isArray(value) ? value : []).filter((one) => typeof one === "string");
  return paths.map((pointer) =>
    pointer
      .replace("/properties/", "")
      .replaceAll("/properties/", "/")
      .replaceAll("/*", "[*]")
      .replaceAll("/", "."),
  );
}

/** Patterns that are not of JavaScript, and members that mean nothing to a validator, are left out. */
function valid(value: Json): Json {
  if (Array.isArray(value)) return value.map(valid);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, Json][] => {
      if (key === "pattern" && typeof one === "string" && !compiles(one)) return [];
      // Its formats are AWS's own.
      if (key === "format" && typeof one === "string") return [];
      return [[key, valid(one)]];
    }),
  );
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** Where a verified row says something else than the registry. */
export function rowProblems(type: DescribedType): string[] {
  const facts = awsTypes.facts(`aws:${type.name}`);
  const row = awsTypes.rowOf(`aws:${type.name}`);
  if (facts === undefined || row === undefined) return ["there is no row"];
  const problems = misplaced(type);
  const compare = (what: string, said: readonly string[], wanted: readonly string[]): void => {
    const outermost = wanted.filter((path) => !isInside(path, wanted));
    for (const path of said)
      if (!outermost.includes(path)) problems.push(`${path} is not ${what} in the registry`);
    for (const path of outermost)
      if (!said.includes(path)) problems.push(`${path} is ${what} in the registry`);
  };
  if (type.isFixed !== (row.update === "none")) problems.push("whether there is an update differs");
  if (!type.isFixed) compare("create-only", facts.immutable, type.createOnly);
  compare("write-only", facts.writeOnly, type.writeOnly);
  for (const path of row.createOnly ?? [])
    if (!facts.writeOnly.includes(path)) problems.push(`${path} is shown, so it is immutable`);
  return problems;
}

/** The paths and properties of the row's references that the type does not have. */
export function misplaced({ name, has }: DescribedType): string[] {
  const { refers = {}, location = [], uniqueName } = awsTypes.facts(`aws:${name}`) ?? {};
  const named = [...Object.keys(refers), ...(uniqueName === undefined ? [] : [uniqueName])];
  return [
    ...named.filter((path) => !has(path)).map((path) => `${path} is nowhere`),
    ...location
      .filter((path) => !Object.hasOwn(refers, path))
      .map((path) => `${path} names a place of unknown type`),
  ];
}

function isInside(path: string, paths: readonly string[]): boolean {
  return paths.some(
    (one) => one !== path && (path.startsWith(`${one}.`) || path.startsWith(`${one}[`)),
  );
}
