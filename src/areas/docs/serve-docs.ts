import { digestHex } from "#platform/crypto/digest.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import type { JsonMap } from "#platform/json.ts";
import { once } from "#platform/once.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { docsPages } from "./page/docs-page.tsx";
import { docsSearch } from "./page/search-page.tsx";
import { servedDocument } from "./served-document.ts";

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

interface Docs {
  pages: ReadonlyMap<string, () => Promise<{ text: string; etag: string }>>;
  search: ReturnType<typeof docsSearch>;
}

let made: Docs | undefined;

/** Made once per isolate, of the document, and never from the database. */
async function docsFrom(assets: Assets): Promise<Docs> {
  if (made !== undefined) return made;
  const document = JSON.parse((await servedDocument(assets, "json")).text) as JsonMap;
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
  return (made = { pages: new Map(pages), search: docsSearch(document) });
}

/** A page under `/docs`, for everyone. Undefined: there is no such page. */
export async function serveDocsPage(
  assets: Assets,
  path: string,
  ifNoneMatch: string | undefined,
): Promise<Response | undefined> {
  const page = await (await docsFrom(assets)).pages.get(path)?.();
  if (page === undefined) return undefined;
  const tagged = { ...headers, etag: page.etag };
  return matchesIfNoneMatch(ifNoneMatch, page.etag)
    ? new Response(null, { status: 304, headers: tagged })
    : new Response(page.text, { headers: tagged });
}

export async function serveDocsSearch(assets: Assets, query: string): Promise<Response> {
  return new Response(await (await docsFrom(assets)).search(query), { headers });
}
