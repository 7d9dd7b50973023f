import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { ownPages } from "#areas/docs/content/docs-paths.ts";
import { documentAreas } from "#areas/docs/document/document-areas.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { sampleOfMedia } from "#areas/docs/document/sample.ts";
import { docsPages } from "#areas/docs/page/docs-page.tsx";
import { API_PREFIX } from "#http/api-prefix.ts";
import { problemCodes } from "#http/openapi/openapi.ts";
import { errorCodes, errorStatus } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import { eventTypes } from "#schema/lists/event-kinds.ts";

const at = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(new Request(`https://api.example.com${path}`, { headers }));

const document = (await (await at("/api/v1/openapi.json")).json()) as JsonMap;
const made = docsPages(document, []);
const paths = [...made.keys()];
const guides = ["language", "safeguards", "limits", "glossary", "examples"];
const pages = new Map(
  await Promise.all(
    [...paths, ...guides.map((name) => `/docs/${name}`), "/docs/search?q=webhook"].map(
      async (path) => [path, await (await at(path)).text()] as const,
    ),
  ),
);
const areas = documentAreas(document);
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
const everyPage = [...pages].map(([path, html]) => ({ path, html }));

describe("the reference", () => {
  it.for(["/docs", "/docs/instances", "/docs/search?q=deploy"])(
    "has its own content security policy on %s, and uses no database",
    async (path) => {
      const page = await at(path);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
      expect(page.headers.get("server-timing")).toMatch(/d1;desc="0\/0"/);
      const policy = page.headers.get("content-security-policy");
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  it("has a page for each area, no larger than a screen loads at once", () => {
    expect(paths).toEqual([
      "/docs",
      ...areas.map(({ slug }) => `/docs/${slug}`),
      "/docs/events",
      "/docs/errors",
      "/docs/versions",
    ]);
    expect(areas.length).toBeGreaterThan(10);
    for (const { slug } of areas) expect(ownPages).not.toContain(slug);
    for (const { path, html } of everyPage) expect(html.length, path).toBeLessThan(320_000);
  });

  it.for(paths)("serves %s as it is made from the served document", async (path) => {
    expect(withoutGuides(pages.get(path) ?? "")).toBe(await made.get(path)?.());
  });

  it.for(guides)("has the guide %s, to which every page leads", async (name) => {
    const guide = await at(`/docs/${name}`);
    expect(guide.status).toBe(200);
    expect(await guide.text()).toContain('<section class="area guide"><h1>');
    for (const { html } of everyPage) expect(html).toContain(` href="/docs/${name}"`);
  });

  it.for(["nothing", "index", "index.json", "errors.html", "__proto__", "..%2Fopenapi%2Fstamp"])(
    "answers 404 for /docs/%s, a page that it does not have",
    async (name) => {
      const answer = await at(`/docs/${name}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        404,
        "application/problem+json",
      ]);
    },
  );

  it("answers 304 to a reader who has it", async () => {
    const etag = (await at("/docs")).headers.get("etag") ?? "";
    const again = await at("/docs", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it.for(everyPage)("contains nothing on $path that its policy blocks", ({ html }) => {
    expect(html).not.toMatch(/<style| style=| on[a-z]+="|<script(?! src="\/assets\/)|<base/);
    for (const [, address] of html.matchAll(/ src="([^"]*)"/g))
      expect(address).toMatch(/^\/assets\//);
    for (const [, address] of html.matchAll(/ href="([^"]*)"/g))
      expect(address).toMatch(
        /^(#|\/$|\/docs[/#]|\/docs$|\/assets\/|\/api\/v1\/openapi\.|https:\/\/)/,
      );
  });

  it("has an entry for every endpoint, with its method, its path and its errors", () => {
    for (const endpoint of endpoints) {
      const article = articleOf(endpoint.operationId);
      const plain = article.replaceAll(/<[^>]+>/g, "");
      expect(plain).toContain(`${endpoint.method} ${API_PREFIX}${endpoint.path}`);
      const told = [...problemCodes(endpoint)].filter(
        (code) => endpoint.failures?.[errorStatus(code)] === undefined,
      );
      for (const code of told) expect(article).toContain(`"/docs/errors#${code}"`);
    }
  });

  it("has an entry for every error code, at the target of the problem's type", async () => {
    const problem = (await (await at("/api/v1/nothing")).json()) as { type: string };
    expect(problem.type).toBe("/docs/errors#not_found");
    const ids = idsOf(pages.get("/docs/errors") ?? "");
    for (const code of errorCodes) expect(ids).toContain(code);
  });

  it("names every kind of event", () => {
    const html = pages.get("/docs/events");
    for (const type of eventTypes) expect(html).toContain(`<code>${type}</code>`);
  });

  it.for(everyPage)(
    "has no broken internal link on $path, and no duplicate id",
    ({ path, html }) => {
      const ids = idsOf(html);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, to = ""] of html.matchAll(/href="((?:\/docs|#)[^"]*)"/g)) {
        const [page = "", id] = to.split("#");
        const target = pages.get(page === "" ? path : page);
        expect(target, to).toBeDefined();
        if (id !== undefined) expect(idsOf(target ?? ""), to).toContain(id);
      }
    },
  );

  it.for(everyPage)("closes every element that it opens on $path", ({ html }) => {
    expect(unbalanced(html)).toBeUndefined();
    expect(unbalanced("<p><i>a</p></i>")).toBe("</p>");
  });

  it("finds by name, and shows what was searched for as text", async () => {
    const results = pages.get("/docs/search?q=webhook") ?? "";
    expect(results).toContain('<a href="/docs/webhooks#createWebhook">');
    const evil = await (await at(`/docs/search?q=${encodeURIComponent('"><script>')}`)).text();
    expect(evil).toContain("No results for “&quot;&gt;&lt;script&gt;”");
    expect(evil.match(/<script/g)).toHaveLength(1);
  });

  it("shows a body that the endpoint accepts", () => {
    const withBody = endpoints.filter(({ body }) => body !== undefined);
    for (const { method, path, operationId, body } of withBody) {
      const operation = mapAt(
        mapAt(mapAt(document, "paths"), API_PREFIX + path),
        method.toLowerCase(),
      );
      const media = mapAt(mapAt(mapAt(operation, "requestBody"), "content"), "application/json");
      const sample = sampleOfMedia(media, { document, side: "input" });
      const result = body?.safeParse(sample);
      expect(result?.error?.issues, `${operationId} ${JSON.stringify(sample)}`).toBeUndefined();
    }
  });
});

describe("a document with malicious texts", () => {
  it("is shown as text", async () => {
    const evil = `"><script>alert('1')</script>\`</code>`;
    const operation = {
      operationId: evil,
      summary: evil,
      description: evil,
      tags: [evil],
      "x-required-role": evil,
      "x-required-scope": evil,
      parameters: [
        { name: evil, in: "query", required: true, description: evil, schema: { type: "string" } },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: [evil],
              properties: {
                [evil]: { type: evil, format: evil, description: evil },
                words: { type: "string", enum: [evil], default: evil },
                shape: { type: "string", pattern: evil },
                named: { $ref: `#/components/schemas/${evil}` },
              },
            },
          },
        },
      },
      responses: {
        [evil]: { description: evil },
        "200": { description: evil, headers: { [evil]: {} } },
      },
    };
    const made = docsPages(
      {
        info: { title: evil, version: evil, description: evil, summary: evil },
        tags: [{ name: evil, description: evil }],
        paths: { [`/${evil}`]: { get: operation } },
        webhooks: { [evil]: { post: operation } },
      },
      [],
    );
    expect(made.size).toBeGreaterThan(4);
    for (const page of made.values()) {
      const shown = await page();
      expect(shown.match(/<script/g)).toEqual(["<script"]);
      expect(unbalanced(shown)).toBeUndefined();
    }
  });
});

/** A page without its links to guides, which the build makes of other files. */
function withoutGuides(html: string): string {
  return html.replaceAll(
    /<a(?: class="page")? href="\/docs\/(?:language|safeguards|limits|glossary|examples)">[^<]*<\/a>/g,
    "",
  );
}

function articleOf(operationId: string): string {
  const mark = `<article id="${operationId}">`;
  const holding = everyPage.filter(({ html }) => html.includes(mark));
  expect(holding, operationId).toHaveLength(1);
  const { html } = holding[0] ?? { html: "" };
  const start = html.indexOf(mark);
  return html.slice(start, html.indexOf("</article>", start));
}

/** The first closing tag that does not match; undefined: all match. */
function unbalanced(text: string): string | undefined {
  const single = new Set(["meta", "link", "img", "input", "wbr", "!doctype"]);
  const open: string[] = [];
  for (const [tag, slash, name = ""] of text.matchAll(/<(\/?)([!a-z][a-z0-9]*)[^>]*>/gi)) {
    if (single.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return tag;
  }
  return open.at(-1);
}
