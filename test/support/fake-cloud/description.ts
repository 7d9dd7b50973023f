/** Reads a cloud's OpenAPI description: the operation of a request, and the schemas of its body and answer. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { textOf } from "./text-of.ts";

export const methods = ["get", "post", "put", "patch", "delete"] as const;
export type Method = (typeof methods)[number];

export interface Operation {
  method: Method;
  /** As described, with placeholders. */
  path: string;
  /** The names of query parameters. */
  query: readonly string[];
  /** Schemas of JSON bodies by content type; empty: no body is taken. */
  bodies: ReadonlyMap<string, JsonMap>;
  bodyRequired: boolean;
  /** Schemas of JSON answers by status; null: an answer without a body. */
  answers: ReadonlyMap<string, JsonMap | null>;
}

export interface Matched {
  operation: Operation;
  params: Readonly<Record<string, string>>;
}

export interface Description {
  operations: readonly Operation[];
  /** The schema that a `$ref` names; any other schema as it is. */
  resolve: (schema: Json | undefined) => JsonMap;
  match: (method: string, pathname: string) => Matched | undefined;
}

const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** `kept`: the paths of interest. The base path of the first server is put in front of every path. */
export function readDescription(
  document: JsonMap,
  kept: (path: string) => boolean = () => true,
): Description {
  const resolve = (value: Json | undefined): JsonMap => {
    let at = map(value);
    for (let turn = 0; typeof at["$ref"] === "string"; turn += 1) {
      if (turn > 20) throw new Error(`${at["$ref"]} leads in a circle`);
      let target: Json = document;
      for (const part of decodeURIComponent(at["$ref"].replace(/^#\//, "")).split("/")) {
        const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
        target = (Array.isArray(target) ? target[Number(name)] : map(target)[name]) ?? {};
      }
      at = map(target);
    }
    return at;
  };
  const schemasOf = (holder: JsonMap): Map<string, JsonMap> =>
    new Map(
      Object.entries(map(holder["content"])).flatMap(([type, content]): [string, JsonMap][] => {
        const [name = ""] = type.toLowerCase().split(";");
        return /\bjson\b/.test(name) ? [[name.trim(), map(map(content)["schema"])]] : [];
      }),
    );
  const schemaOf = (holder: JsonMap): JsonMap | undefined => [...schemasOf(holder).values()][0];
  const operationOf = (path: string, item: JsonMap, method: Method): Operation[] => {
    const found = item[method];
    if (!isJsonMap(found)) return [];
    const parameters = [...list(item["parameters"]), ...list(found["parameters"])].map(resolve);
    const body = resolve(found["requestBody"]);
    return [
      {
        method,
        path: basePath + path,
        query: parameters.filter((one) => one["in"] === "query").map((one) => textOf(one["name"])),
        bodies: schemasOf(body),
        bodyRequired: body["required"] === true,
        answers: new Map(
          Object.entries(map(found["responses"])).map(([status, response]) => [
            status,
            schemaOf(resolve(response)) ?? null,
          ]),
        ),
      },
    ];
  };
  const server = map(list(document["servers"])[0])["url"];
  const basePath = typeof server === "string" ? pathOf(server) : "";
  const operations = Object.entries(map(document["paths"]))
    .filter(([path]) => kept(basePath + path))
    .flatMap(([path, item]) => methods.flatMap((method) => operationOf(path, map(item), method)));
  // A literal segment counts more than a placeholder: `/keys/all` before `/keys/{id}`.
  const patterns = operations
    .map((operation) => ({ operation, names: namesIn(operation.path) }))
    .toSorted((a, b) => a.names.length - b.names.length)
    .map(({ operation, names }) => ({ operation, names, pattern: patternOf(operation.path) }));
  return {
    operations,
    resolve,
    match: (method, pathname) => {
      for (const { operation, names, pattern } of patterns) {
        if (operation.method !== method.toLowerCase()) continue;
        const values = pattern.exec(pathname)?.slice(1);
        if (values === undefined) continue;
        const params = names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]);
        return { operation, params: Object.fromEntries(params) as Record<string, string> };
      }
      return undefined;
    },
  };
}

function pathOf(url: string): string {
  return (URL.parse(url, "http://none.invalid")?.pathname ?? "").replace(/\/+$/, "");
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? "");
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{[^}]+\}/g, "([^/]+)")}$`);
}

/** The schema of an answer: of its status, of its class (`2XX`), or the default. Undefined: not described. */
export function answerSchema(operation: Operation, status: number): JsonMap | null | undefined {
  const { answers } = operation;
  for (const key of [String(status), `${Math.floor(status / 100)}XX`, "default"])
    if (answers.has(key)) return answers.get(key);
  return undefined;
}
