import { plainRoute, type Route } from "#http/route.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { getOpenApiJsonEndpoint, getOpenApiYamlEndpoint } from "./contract.ts";
import { servedDocument } from "./served-document.ts";

async function served(
  request: { assets: Assets; ifNoneMatch: string | undefined },
  format: "json" | "yaml",
): Promise<Response> {
  const { etag, text } = await servedDocument(request.assets, format);
  const headers = { etag, "cache-control": "public, max-age=60" };
  if (matchesIfNoneMatch(request.ifNoneMatch, etag))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": `application/${format}` } });
}

export const docsRoutes: readonly Route[] = [
  plainRoute(getOpenApiJsonEndpoint, (c) =>
    served({ assets: c.env.ASSETS, ifNoneMatch: c.req.header("if-none-match") }, "json"),
  ),
  plainRoute(getOpenApiYamlEndpoint, (c) =>
    served({ assets: c.env.ASSETS, ifNoneMatch: c.req.header("if-none-match") }, "yaml"),
  ),
];
