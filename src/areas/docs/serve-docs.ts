import { matchesIfNoneMatch } from "#platform/etag.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { builtFile } from "./built-file.ts";
import { type DocsIndex, INDEX_FILE, SEARCH_FILE } from "./docs-index.ts";
import { searchPage } from "./search/search-page.tsx";

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // The results of a search during typing.
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

let read: DocsIndex | undefined;

/** Read once per isolate. Throws `unavailable` if it cannot be read. */
async function docsIndex(assets: Assets): Promise<DocsIndex> {
  return (read ??= JSON.parse((await builtFile(assets, INDEX_FILE)).text) as DocsIndex);
}

/** A page under `/docs`, for everyone, without the database. Undefined: there is no such page. */
export async function serveDocsPage(
  assets: Assets,
  path: string,
  ifNoneMatch: string | undefined,
): Promise<Response | undefined> {
  const { pages } = await docsIndex(assets);
  const file = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (file === undefined) return undefined;
  const { text, etag } = await builtFile(assets, file);
  const tagged = { ...headers, etag };
  return matchesIfNoneMatch(ifNoneMatch, etag)
    ? new Response(null, { status: 304, headers: tagged })
    : new Response(text, { headers: tagged });
}

export async function serveDocsSearch(assets: Assets, query: string): Promise<Response> {
  const [{ entries }, empty] = await Promise.all([
    docsIndex(assets),
    builtFile(assets, SEARCH_FILE),
  ]);
  return new Response(await searchPage(empty.text, entries, query), { headers });
}
