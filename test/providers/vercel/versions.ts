/** Vercel's paths begin with a version of their own for each call; a fake cloud knows an object by one path. */
import { isJsonMap, type JsonMap } from "#platform/json.ts";

const map = (value: unknown): JsonMap => (isJsonMap(value) ? value : {});

/** The version of each call of the 13 types. */
const versions: readonly (readonly [method: string, path: RegExp, version: number])[] = [
  ["get", /^\/projects$/, 10],
  ["post", /^\/projects$/, 11],
  ["get", /^\/projects\/\{[^}]+\}\/env\/\{/, 1],
  ["get", /^\/projects\/\{[^}]+\}\/env$/, 10],
  ["post", /^\/projects\/\{[^}]+\}\/(env|domains)$/, 10],
  ["", /^\/projects\//, 9],
  ["get", /^\/deployments$/, 6],
  ["", /^\/deployments/, 13],
  ["get", /^\/domains\/\{[^}]+\}\/records$/, 4],
  ["patch", /^\/domains\//, 1],
  ["", /^\/domains\//, 2],
  ["", /^\/(edge-config|webhooks|security|env|drains)/, 1],
  ["", /^\/certs/, 8],
  ["", /^\/teams/, 2],
];

/** What lists and deletes of other types have, and Vercel does not. */
const none: ReadonlySet<string> = new Set([
  "delete /env/{id}",
  "get /certs",
  "get /edge-config/{edgeConfigId}/token",
  "delete /edge-config/{edgeConfigId}/token/{token}",
]);

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/** The document with the version before each path, and the team as a parameter of every call. */
export function versioned(document: JsonMap): JsonMap {
  const paths: Record<string, JsonMap> = {};
  for (const [path, item] of Object.entries(map(document["paths"])))
    for (const [method, operation] of Object.entries(map(item))) {
      if (!methods.has(method) || none.has(`${method} ${path}`)) continue;
      const version = versions.find(
        ([of, pattern]) => (of === "" || of === method) && pattern.test(path),
      )?.[2];
      const own = map(operation)["parameters"];
      const team = { name: "teamId", in: "query", schema: { type: "string" } };
      const parameters = [...(Array.isArray(own) ? own : []), team];
      const at = `/v${version ?? 0}${path}`;
      paths[at] = { ...paths[at], [method]: { ...map(operation), parameters } };
    }
  return { ...document, paths };
}

/** The document with each path once: without versions, and with placeholders by their place alone. */
export function unversioned(document: JsonMap): JsonMap {
  const paths: Record<string, JsonMap> = {};
  for (const [path, item] of Object.entries(map(document["paths"]))) {
    let place = 0;
    const plain = pathWithoutVersion(path).replaceAll(/\{[^}]+\}/g, () => `{p${(place += 1)}}`);
    paths[plain] = { ...paths[plain], ...map(item) };
  }
  return { ...document, paths };
}

/** The document without what answers have to be: Vercel's own nests them further than can be multiplied out. */
export function requestsOf(document: JsonMap): JsonMap {
  const paths: Record<string, JsonMap> = {};
  for (const [path, item] of Object.entries(map(document["paths"])))
    paths[path] = Object.fromEntries(
      Object.entries(map(item)).map(([method, operation]) => [
        method,
        methods.has(method)
          ? { ...map(operation), responses: { default: { content: { "application/json": {} } } } }
          : operation,
      ]),
    );
  return { ...document, paths };
}

export function pathWithoutVersion(path: string): string {
  return path.replace(/^\/v\d+(?=\/)/, "");
}
