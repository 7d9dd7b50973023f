import type { Endpoint } from "#http/endpoint.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { once } from "#platform/once.ts";
import { productDocument } from "./document/product-document.ts";
import { docsPages } from "./page/docs-page.tsx";
import { docsSearch } from "./page/search-page.tsx";

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // The results of a search, while one types.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
const headers = {
  "cache-control": "public, max-age=60",
  "content-security-policy": docsPolicy,
  "content-type": "text/html; charset=UTF-8",
};

/** The pages under `/docs`, for everyone: each made once per isolate, and never from the database. */
export function docsServer(endpoints: () => readonly Endpoint[]) {
  const made = once(async () => {
    const document = productDocument(endpoints());
    const pages = [...docsPages(document)].map(
      ([path, page]) =>
        [
          path,
          once(async () => {
            const text = await page();
            return { text, etag: `"${(await digestHex(text)).slice(0, 32)}"` };
          }),
        ] as const,
    );
    return { pages: new Map(pages), search: docsSearch(document) };
  });
  return {
    /** Undefined: there is no such page. */
    page: async (path: string, ifNoneMatch: string | undefined): Promise<Response | undefined> => {
      const page = await (await made()).pages.get(path)?.();
      if (page === undefined) return undefined;
      const tagged = { ...headers, etag: page.etag };
      return matchesIfNoneMatch(ifNoneMatch, page.etag)
        ? new Response(null, { status: 304, headers: tagged })
        : new Response(page.text, { headers: tagged });
    },
    search: async (query: string): Promise<Response> =>
      new Response(await (await made()).search(query), { headers }),
  };
}
