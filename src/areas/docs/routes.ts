import type { AppContext } from "#http/request-call.ts";
import { plainRoute, type Route } from "#http/route.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { builtFile } from "./built-file.ts";
import { getOpenApiJsonEndpoint, getOpenApiYamlEndpoint } from "./contract.ts";

async function serve(c: AppContext, format: "json" | "yaml"): Promise<Response> {
  const { etag, text } = await builtFile(c.env.ASSETS, `openapi/openapi.${format}`);
  const headers = { etag, "cache-control": "public, max-age=60" };
  if (matchesIfNoneMatch(c.req.header("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": `application/${format}` } });
}

export const docsRoutes: readonly Route[] = [
  plainRoute(getOpenApiJsonEndpoint, (c) => serve(c, "json")),
  plainRoute(getOpenApiYamlEndpoint, (c) => serve(c, "yaml")),
];
