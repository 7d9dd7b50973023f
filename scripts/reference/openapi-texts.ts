import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import type { Endpoint } from "#http/endpoint.ts";
import type { JsonMap } from "#platform/json.ts";
import { projectRoot } from "../files/project-root.ts";
import { loadSource } from "./load-source.ts";

/** The OpenAPI document in both spellings, from what the contracts of all areas declare. */
export async function openApiTexts(): Promise<{ json: string; yaml: string }> {
  const { version } = JSON.parse(
    await readFile(path.join(projectRoot, "package.json"), "utf8"),
  ) as { version: string };
  const { productDocument } = await loadSource<{
    productDocument: (endpoints: readonly Endpoint[], version: string) => JsonMap;
  }>("src/areas/docs/document/product-document.ts");
  const document = productDocument(await declaredEndpoints(), version);
  return {
    json: JSON.stringify(document),
    yaml: stringify(document, { aliasDuplicateObjects: false }),
  };
}

async function declaredEndpoints(): Promise<Endpoint[]> {
  const declared: Endpoint[] = [];
  for await (const file of glob("src/areas/**/{,*-}contract.ts", { cwd: projectRoot }))
    declared.push(
      ...Object.values(await loadSource<Record<string, unknown>>(file)).filter(isEndpoint),
    );
  return declared;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "operationId" in value && "access" in value;
}
