import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";

/**
 * The vendor's OpenAPI description: the only JSON file in its folder, with only internal references. Throws an error
 * that states the problem in one sentence.
 */
export function vendorDescription(folder: string, vendor: string): JsonMap {
  const pattern = join(folder, vendor, "*.json");
  const [file, ...others] = globSync(pattern);
  if (file === undefined) throw new Error(`there is no description ${pattern}`);
  if (others.length > 0)
    throw new Error(`${pattern} has to be one file, and is ${others.length + 1}`);
  const text = readFileSync(file, "utf8");
  const document = readJson(text);
  if (document === undefined) throw new Error(`${file} is not JSON: bundle it as JSON`);
  if (!isJsonMap(document) || !isJsonMap(document["paths"]) || !isOpenApi(document["openapi"]))
    throw new Error(`${file} is no OpenAPI 3 description: it lacks \`openapi: 3.x\` or \`paths\``);
  const outside = /"\$ref"\s*:\s*"([^#"][^"]*)"/.exec(text)?.[1];
  if (outside !== undefined)
    throw new Error(`${file} refers to ${outside}: bundle it into one file`);
  return document;
}

/** The vendor's descriptions of several services, by the names that their servers' paths end with. */
export function vendorDocuments(folder: string, vendor: string): Record<string, JsonMap> {
  return Object.fromEntries(
    vendorFiles(folder, `${vendor}/*.json`).flatMap((document): [string, JsonMap][] => {
      if (!isJsonMap(document) || !Array.isArray(document["servers"])) return [];
      const [server] = document["servers"];
      const url = isJsonMap(server) ? server["url"] : undefined;
      const service = typeof url === "string" ? url.split("/").at(-1) : undefined;
      return service === undefined ? [] : [[service, document]];
    }),
  );
}

/**
 * The contents of the JSON files that match the pattern, such as `gcp/*.json`. Throws if none matches or one is no
 * JSON.
 */
export function vendorFiles(folder: string, pattern: string): Json[] {
  const files = globSync(join(folder, pattern));
  if (files.length === 0) throw new Error(`there is no description ${join(folder, pattern)}`);
  return files.map((file) => {
    const document = readJson(readFileSync(file, "utf8"));
    if (document === undefined) throw new Error(`${file} is not JSON: bundle it as JSON`);
    return document;
  });
}

function isOpenApi(version: unknown): boolean {
  return typeof version === "string" && version.startsWith("3.");
}
