/**
 * A second reading of a Pulumi YAML program that shares no code with the engine: a plain YAML parser, one pattern for
 * references, and a list of Pulumi features that templates do not support. `reading-verdict.ts` compares the engine's
 * reading with this one.
 */
import { parse } from "yaml";
import type { Graph, Options, Shape } from "./template-graph.ts";

export interface IndependentReading {
  graph: Graph;
  /** Uses of unsupported features as `<code> <JSON Pointer>`, sorted. */
  unsupported: string[];
}

type Plain = { readonly [key: string]: unknown };

const functions = new Set(
  "join split select length tojson tobase64 frombase64 secret unsecret singleornone sha1".split(
    " ",
  ),
);
const sections = new Set(
  "name runtime description config configuration variables resources outputs".split(" "),
);
const withoutEffect = new Set("author website license tags version".split(" "));
const options = new Set(
  "dependsOn protect retainOnDelete deleteBeforeReplace ignoreChanges replaceOnChanges import customTimeouts aliases additionalSecretOutputs".split(
    " ",
  ),
);
const configTypes: Plain = {
  string: "string",
  int: "integer",
  integer: "integer",
  number: "number",
  float: "number",
  bool: "boolean",
  boolean: "boolean",
  object: "object",
};

export function readIndependently(source: string): IndependentReading {
  const root = mapOf(parse(source, { version: "1.2", logLevel: "silent" }));
  const unsupported = new Set<string>();
  const reject = (path: string, code = "not_supported") => unsupported.add(`${code} ${path}`);

  const shape = (value: unknown, path: string): Shape => {
    if (typeof value === "string") return shapeOfText(value, path, reject);
    if (Array.isArray(value))
      return { list: value.map((item, index) => shape(item, `${path}/${index}`)) };
    if (typeof value !== "object" || value === null)
      return { value: value as null | number | boolean };
    const map = mapOf(value);
    const call = Object.keys(map).find((key) => key.toLowerCase().startsWith("fn::"));
    if (call === undefined) return { map: shapes(map, path) };
    const at = `${path}/${pointer(call)}`;
    const fn = call.slice(4).toLowerCase();
    if (!functions.has(fn)) reject(at);
    return { fn, argument: shape(map[call], at) };
  };
  const shapes = (map: Plain, path: string) =>
    Object.fromEntries(
      Object.entries(map).map(([key, value]) => [
        key.replaceAll("$${", "${"),
        shape(value, `${path}/${pointer(key)}`),
      ]),
    );

  for (const key of Object.keys(root))
    if (!sections.has(key) && !withoutEffect.has(key)) reject(`/${pointer(key)}`);
  const config: Graph["config"] = {};
  const section = root["configuration"] === undefined ? "config" : "configuration";
  for (const [name, value] of Object.entries(mapOf(root[section]))) {
    const declaration = mapOf(value);
    if (declaration["name"] !== undefined) reject(`/${section}/${pointer(name)}/name`);
    const type = String(declaration["type"]).toLowerCase();
    config[name] = {
      type: type.startsWith("list<") ? "array" : String(configTypes[type]),
      secret: declaration["secret"] === true,
    };
  }
  const resources: Graph["resources"] = {};
  for (const [name, value] of Object.entries(mapOf(root["resources"]))) {
    const resource = mapOf(value);
    const path = `/resources/${pointer(name)}`;
    const type = String(resource["type"]);
    if (type.startsWith("pulumi:")) reject(`${path}/type`);
    if (resource["name"] !== undefined) reject(`${path}/name`);
    const get = mapOf(resource["get"]);
    if (get["state"] !== undefined) reject(`${path}/get/state`);
    resources[name] = {
      type,
      properties: shapes(mapOf(resource["properties"]), `${path}/properties`),
      ...(get["id"] === undefined ? {} : { get: shape(get["id"], `${path}/get/id`) }),
      options: readOptions(mapOf(resource["options"]), `${path}/options`, reject),
    };
  }
  const graph: Graph = {
    config,
    variables: shapes(mapOf(root["variables"]), "/variables"),
    resources,
    outputs: Object.fromEntries(
      Object.entries(mapOf(root["outputs"])).map(([name, value]) => [
        name,
        shape(value, `/outputs/${pointer(name)}`),
      ]),
    ),
  };
  return { graph, unsupported: [...unsupported].toSorted() };
}

function shapeOfText(
  text: string,
  path: string,
  reject: (path: string, code?: string) => void,
): Shape {
  const roots: string[] = [];
  const literal = text.replaceAll(/\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_-]*)[^}]*\}/g, (found, root) => {
    if (found === "$${") return "${";
    roots.push(String(root));
    return "\u0000";
  });
  if (roots.includes("pulumi")) reject(path);
  if (roots.length === 0) return { value: literal };
  return { references: roots, whole: literal === "\u0000" };
}

function readOptions(
  given: Plain,
  path: string,
  reject: (path: string, code?: string) => void,
): Options {
  for (const key of Object.keys(given)) if (!options.has(key)) reject(`${path}/${pointer(key)}`);
  const aliases: string[] = [];
  for (const [index, alias] of listOf(given["aliases"]).entries())
    if (typeof alias === "string") aliases.push(alias.split("::").at(-1) ?? "");
    else
      for (const [key, value] of Object.entries(mapOf(alias)))
        if (key === "name") aliases.push(String(value));
        else reject(`${path}/aliases/${index}/${pointer(key)}`);
  const timeouts: Options["timeouts"] = {};
  for (const [verb, text] of Object.entries(mapOf(given["customTimeouts"]))) {
    const [, count, unit] = /^([0-9]+)([smh])$/.exec(String(text)) ?? [];
    if (count === undefined) reject(`${path}/customTimeouts/${verb}`, "invalid_option");
    else if (verb !== "read")
      timeouts[verb] = Number(count) * { s: 1, m: 60, h: 3600 }[unit as "s" | "m" | "h"];
  }
  const id = given["import"];
  return {
    dependsOn: listOf(given["dependsOn"]).map((text) => String(text).replaceAll(/[${}]/g, "")),
    protect: given["protect"] === true,
    retainOnDelete: given["retainOnDelete"] === true,
    deleteBeforeReplace: given["deleteBeforeReplace"] === true,
    ignoreChanges: listOf(given["ignoreChanges"]).map(String),
    replaceOnChanges: listOf(given["replaceOnChanges"]).map(String),
    additionalSecretOutputs: listOf(given["additionalSecretOutputs"]).map(String),
    aliases,
    timeouts,
    ...(typeof id === "string" ? { import: id } : {}),
  };
}

function mapOf(value: unknown): Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Plain)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function pointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
