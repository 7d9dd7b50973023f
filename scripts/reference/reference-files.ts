import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import type { JsonMap } from "#platform/json.ts";
import { guidePages } from "./guide-pages.ts";
import { loadSource } from "./load-source.ts";
import { openApiTexts } from "./openapi-texts.ts";

/** The OpenAPI document in both spellings and the pages made of it, by their names below the static assets. */
export async function referenceFiles(): Promise<ReadonlyMap<string, string>> {
  const { json, yaml } = await openApiTexts();
  const { docsFiles } = await loadSource<{
    docsFiles: (
      document: JsonMap,
      guides: readonly GuidePage[],
    ) => Promise<ReadonlyMap<string, string>>;
  }>("src/areas/docs/page/docs-files.tsx");
  return new Map([
    ["openapi/openapi.json", json],
    ["openapi/openapi.yaml", yaml],
    ...(await docsFiles(JSON.parse(json) as JsonMap, await guidePages())),
  ]);
}
