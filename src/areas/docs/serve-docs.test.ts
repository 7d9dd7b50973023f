import { beforeEach, expect, it, vi } from "vitest";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { builtAssets } from "#test/support/built-assets.ts";

let { serveDocsPage, serveDocsSearch } = await import("./serve-docs.ts");

beforeEach(async () => {
  vi.restoreAllMocks();
  vi.resetModules();
  ({ serveDocsPage, serveDocsSearch } = await import("./serve-docs.ts"));
});

const withStatus =
  (status: number, failing: RegExp): Assets["fetch"] =>
  async (url) =>
    failing.test(url) ? new Response("<html>", { status }) : builtAssets.fetch(url);

it("reads the index and a page once, and a page that nobody asks for never", async () => {
  const fetch = vi.fn<Assets["fetch"]>(builtAssets.fetch);
  const first = await serveDocsPage({ fetch }, "/docs/errors", undefined);
  const etag = first?.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const again = await serveDocsPage({ fetch }, "/docs/errors", etag);
  expect([again?.status, await again?.text()]).toEqual([304, ""]);
  expect(fetch.mock.calls.map(([url]) => new URL(url).pathname)).toEqual([
    "/docs/index.json",
    "/docs/errors.html",
  ]);
});

it.for([
  "/docs/nothing",
  "/docs/index",
  "/docs/index.json",
  "/docs/search.html",
  "/docs/__proto__",
])("has no page at %s, and looks for none among the assets", async (path) => {
  const fetch = vi.fn<Assets["fetch"]>(builtAssets.fetch);
  expect(await serveDocsPage({ fetch }, path, undefined)).toBeUndefined();
  expect(fetch).toHaveBeenCalledTimes(1);
});

it.for([
  ["the index cannot be read", 500, /index\.json/],
  ["the index is missing", 404, /index\.json/],
  ["the page cannot be read", 500, /\.html/],
  ["the page is missing", 404, /\.html/],
] as const)("answers 503 while %s, and keeps nothing of that", async ([, status, failing]) => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const fetch = withStatus(status, failing);
  const refused = { code: "unavailable" };
  await expect(serveDocsPage({ fetch }, "/docs", undefined)).rejects.toMatchObject(refused);
  await expect(serveDocsSearch({ fetch }, "x")).rejects.toMatchObject(refused);
  expect(log).toHaveBeenCalledTimes(2);
  expect((await serveDocsPage(builtAssets, "/docs", undefined))?.status).toBe(200);
  expect((await serveDocsSearch(builtAssets, "x")).status).toBe(200);
});
