import type { Endpoint } from "#http/endpoint.ts";
import { openApiDocument } from "#http/openapi/openapi.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { once } from "#platform/once.ts";
import { documentInfo } from "./document-info.ts";
import { docsPage } from "./page/docs-page.tsx";

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `/docs`, for everyone: made once per isolate, and never from the database. */
export function docsServer(endpoints: () => readonly Endpoint[]) {
  const page = once(async () => {
    const html = await docsPage(openApiDocument(endpoints(), documentInfo));
    return { html, etag: `"${(await digestHex(html)).slice(0, 32)}"` };
  });
  return async (ifNoneMatch: string | undefined): Promise<Response> => {
    const { html, etag } = await page();
    const headers = {
      etag,
      "cache-control": "public, max-age=60",
      "content-security-policy": docsPolicy,
    };
    if (matchesIfNoneMatch(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
    return new Response(html, {
      headers: { ...headers, "content-type": "text/html; charset=UTF-8" },
    });
  };
}
