import type { Endpoint } from "#http/endpoint.ts";
import { plainRoute, type Route } from "#http/route.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { getOpenApiJsonEndpoint, getOpenApiYamlEndpoint } from "./contract.ts";
import { openApiTexts } from "./openapi-texts.ts";

/** `endpoints`: all there are, these included; asked for when the document is first wanted. */
export function docsRoutes(endpoints: () => readonly Endpoint[]): Route[] {
  const texts = openApiTexts(endpoints);
  const served = async (
    request: { ifNoneMatch: string | undefined },
    pick: "json" | "yaml",
    contentType: string,
  ): Promise<Response> => {
    const { etag, [pick]: text } = await texts();
    const headers = { etag, "cache-control": "public, max-age=60" };
    if (matchesIfNoneMatch(request.ifNoneMatch, etag))
      return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { ...headers, "content-type": contentType } });
  };
  return [
    plainRoute(getOpenApiJsonEndpoint, (c) =>
      served({ ifNoneMatch: c.req.header("if-none-match") }, "json", "application/json"),
    ),
    plainRoute(getOpenApiYamlEndpoint, (c) =>
      served({ ifNoneMatch: c.req.header("if-none-match") }, "yaml", "application/yaml"),
    ),
  ];
}
