import { type DocumentNode, type MapEntry, type MapNode } from "#engine/template/document.ts";
import { FUNCTION } from "#engine/template/expressions.ts";
import { own } from "#engine/template/own.ts";
import { parsePlainText } from "#engine/template/references.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { ConfigDeclaration, ConfigType, Place } from "#engine/template/template.ts";
import { schemaKeywords, schemaProblems } from "#engine/template/value-schema.ts";
import { WorkBudget } from "#engine/template/work-budget.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { reportNestedDefaults } from "./nested-defaults.ts";

const typeNames: { readonly [spelling: string]: ConfigType } = {
  string: "string",
  number: "number",
  float: "number",
  integer: "integer",
  int: "integer",
  boolean: "boolean",
  bool: "boolean",
  object: "object",
  array: "array",
  list: "array",
};

const LIST = /^(?:list|array)<(.*)>$/;
const MAX_LIST_NESTING = 32;

const unsupportedKeys: { readonly [key: string]: string } = {
  name: "The key is the name of the config value: rename the key.",
  value: "Use `default` instead of `value`.",
  sensitive: "Write `secret: true`.",
  nullable: "A value without a default is required; a default makes it optional.",
  validation: "Write JSON Schema keywords, such as `pattern`, `enum` or `minimum`.",
};

const declarationKeys = ["type", "default", "secret", ...schemaKeywords];

/** Parses the config declarations of a template. An invalid declaration is reported and its valid parts are kept. */
export function parseConfig(node: MapNode, report: Report): { [name: string]: ConfigDeclaration } {
  const budget = new WorkBudget();
  return Object.fromEntries(
    node.entries.map((entry) => [entry.key, parseDeclaration(entry, report, budget)]),
  );
}

function parseDeclaration(
  { key, keyPlace, value }: MapEntry,
  report: Report,
  budget: WorkBudget,
): ConfigDeclaration {
  if (value.kind === "map") return parseFull(key, keyPlace, value, report, budget);
  const literal = toJson(value, report);
  const type = literal === null ? undefined : typeOf(literal);
  if (type === undefined) {
    report.error(
      "invalid_config",
      `The config value ${quoted(key)} has neither a type nor a default.`,
      keyPlace,
      `Add a type, for example \`${key}: { type: string }\`.`,
    );
    return { type: "string", secret: false, schema: { type: "string" }, place: keyPlace };
  }
  // A default alone that is the name of a type is probably meant as the type.
  if (typeof literal === "string" && own(typeNames, literal) !== undefined)
    report.warning(
      "default_names_type",
      `The config value ${quoted(key)} is a text with the default ${quoted(literal)}.`,
      value.place,
      `For a value of this type, write \`${key}: { type: ${literal} }\`.`,
    );
  return { type, secret: false, default: literal, schema: { type }, place: keyPlace };
}

function parseFull(
  key: string,
  place: Place,
  node: MapNode,
  report: Report,
  budget: WorkBudget,
): ConfigDeclaration {
  let declared: JsonMap | undefined;
  let initial: Json | undefined;
  let secret = false;
  const schema: [string, Json][] = [];
  const places = new Map<string, Place>();
  for (const { key: keyword, keyPlace, value } of node.entries) {
    places.set(keyword, value.place);
    const advice = own(unsupportedKeys, keyword);
    if (keyword === "type") declared = readType(value, report);
    else if (keyword === "default") initial = toJson(value, report);
    else if (keyword === "secret") {
      if (value.kind === "scalar" && typeof value.value === "boolean") secret = value.value;
      else report.error("invalid_config", "`secret` must be true or false.", value.place);
    } else if (advice !== undefined)
      report.error("not_supported", `${quoted(keyword)} is not supported here.`, keyPlace, advice);
    else if (!schemaKeywords.includes(keyword))
      report.error(
        "unknown_key",
        `A config declaration has no key ${quoted(keyword)}.`,
        keyPlace,
        didYouMean(nearest(keyword, declarationKeys)),
      );
    else schema.push([keyword, readKeyword(keyword, value, report)]);
  }
  const hasType = node.entries.some((entry) => entry.key === "type");
  if (declared === undefined && !hasType) {
    const type = initial === undefined || initial === null ? undefined : typeOf(initial);
    if (type === undefined)
      report.error(
        "invalid_config",
        `The config value ${quoted(key)} has neither a type nor a default that implies one.`,
        place,
        "Add a type, for example `type: string`.",
      );
    else declared = { type };
  }
  declared ??= { type: "string" };
  const whole = { ...declared, ...Object.fromEntries(schema) };
  for (const problem of schemaProblems(Object.fromEntries(schema), budget)) {
    const keyword = problem.pointer.split("/")[1] ?? "";
    const at = places.get(keyword) ?? place;
    report.error(
      "invalid_schema",
      problem.message,
      { ...at, path: `${place.path}${problem.pointer}` },
      problem.hint,
    );
  }
  reportNestedDefaults(key, node, report);
  // An empty default tells nothing: it makes a secret optional.
  if (secret && initial !== undefined && initial !== "")
    report.warning(
      "secret_default",
      `Everyone who can read the template can read the default of the secret ${quoted(key)}.`,
      places.get("default") ?? place,
      "Remove the default and set the value on the instance.",
    );
  return {
    type: typeNamed(own(declared, "type")),
    secret,
    ...(initial === undefined ? {} : { default: initial }),
    schema: whole,
    place,
  };
}

function typeNamed(name: Json | undefined): ConfigType {
  return (typeof name === "string" ? own(typeNames, name) : undefined) ?? "string";
}

function readType(node: DocumentNode, report: Report): JsonMap | undefined {
  const spelled = node.kind === "scalar" && typeof node.value === "string" ? node.value : "";
  const schema = typeSchema(spelled);
  if (schema === undefined)
    report.error(
      "unknown_config_type",
      `${quoted(spelled)} is not a config type. The types are string, integer, number, boolean, object, array and List<type>.`,
      node.place,
      terraformType(spelled) ??
        didYouMean(nearest(spelled, ["string", "integer", "number", "boolean", "object", "array"])),
    );
  return schema;
}

/** The hint for a type in Terraform's spelling. */
function terraformType(spelled: string): string | undefined {
  const [, outer, inner = ""] =
    /^\s*(list|set|tuple|map|object|any)\b\s*(?:\(\s*(\w*))?/.exec(spelled) ?? [];
  if (outer === undefined) return undefined;
  if (outer === "any") return "Leave out `type`, or write the type of the default.";
  if (outer === "map" || outer === "object") return "Write `object`.";
  const item = typeSchema(inner) === undefined || inner === "" ? undefined : inner;
  return item === undefined ? "Write `array`." : `Write \`List<${item}>\`.`;
}

/** `List<List<String>>` becomes an array of arrays of strings. */
function typeSchema(spelled: string): JsonMap | undefined {
  let inner = spelled.toLowerCase().replaceAll(" ", "");
  let lists = 0;
  for (let list = LIST.exec(inner); list !== null; list = LIST.exec(inner)) {
    inner = list[1] ?? "";
    if (++lists > MAX_LIST_NESTING) return undefined;
  }
  const type = own(typeNames, inner);
  if (type === undefined) return undefined;
  let schema: JsonMap = { type };
  for (; lists > 0; lists--) schema = { type: "array", items: schema };
  return schema;
}

/** Item schemas may also use the type names of config declarations. */
function readKeyword(keyword: string, node: DocumentNode, report: Report): Json {
  const value = toJson(node, report);
  return keyword === "items" ? withJsonTypes(value) : value;
}

function withJsonTypes(schema: Json): Json {
  if (!isJsonMap(schema)) return schema;
  const type = own(schema, "type");
  const known = typeof type === "string" ? typeSchema(type) : undefined;
  const items = own(schema, "items");
  return {
    ...schema,
    ...known,
    ...(items === undefined ? {} : { items: withJsonTypes(items) }),
  };
}

function typeOf(value: Json): ConfigType | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : (typeof value as "string" | "boolean");
}

/** A node as plain JSON; references in it are reported. */
function toJson(node: DocumentNode, report: Report): Json {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string"
        ? parsePlainText(node.value, node.place, report)
        : node.value;
    case "list":
      return node.items.map((item) => toJson(item, report));
    case "map":
      for (const { key, keyPlace } of node.entries)
        if (FUNCTION.test(key))
          report.error(
            "reference_not_allowed",
            "Config declarations cannot use functions.",
            keyPlace,
            "Write the value itself, or compute it under `variables`.",
          );
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value, report)]));
  }
}
