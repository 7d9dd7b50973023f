import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { sampleOfMedia } from "#areas/docs/document/sample.ts";
import { docsPage } from "#areas/docs/page/docs-page.tsx";
import { API_PREFIX } from "#http/api-prefix.ts";
import { problemCodes } from "#http/openapi/openapi.ts";
import { errorCodes, errorStatus } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import { eventTypes } from "#schema/event-kinds.ts";

const at = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(new Request(`https://api.example.com${path}`, { headers }));

const page = await at("/docs");
const html = await page.text();
const document = (await (await at("/api/v1/openapi.json")).json()) as JsonMap;
const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

describe("the reference page", () => {
  it("is a page with its own content security policy, and uses no database", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(page.headers.get("server-timing")).toMatch(/d1;desc="0\/0"/);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("answers 304 to a reader who has it", async () => {
    const etag = page.headers.get("etag") ?? "";
    const again = await at("/docs", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("contains nothing that its policy blocks, and nothing from another host", () => {
    expect(html).not.toMatch(/<style| style=| on[a-z]+="|<script(?! src="\/assets\/)|<base|<form/);
    for (const [, address] of html.matchAll(/ (?:href|src)="([^"]*)"/g))
      expect(address).toMatch(/^(#|\/assets\/|\/api\/v1\/openapi\.)/);
  });

  it("has an entry for every endpoint, with its method, its path and its errors", () => {
    for (const endpoint of endpoints) {
      const article = articleOf(endpoint.operationId);
      const plain = article.replaceAll(/<[^>]+>/g, "");
      expect(plain).toContain(`${endpoint.method} ${API_PREFIX}${endpoint.path}`);
      const told = [...problemCodes(endpoint)].filter(
        (code) => endpoint.failures?.[errorStatus(code)] === undefined,
      );
      for (const code of told) expect(article).toContain(`"#error-${code}"`);
    }
  });

  it("has an entry for every error code, at the target of the problem's type", async () => {
    const problem = (await (await at("/api/v1/nothing")).json()) as { type: string };
    expect(problem.type).toBe("/docs#error-not_found");
    for (const code of errorCodes) expect(ids).toContain(`error-${code}`);
  });

  it("names every kind of event", () => {
    for (const type of eventTypes) expect(html).toContain(`<code>${type}</code>`);
  });

  it("has no broken internal link, and no duplicate id", () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
  });

  it("closes every element that it opens", () => {
    expect(unbalanced(html)).toBeUndefined();
    expect(unbalanced("<p><i>a</p></i>")).toBe("</p>");
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
    const shown = await docsPage({
      info: { title: evil, version: evil, description: evil, summary: evil },
      tags: [{ name: evil, description: evil }],
      paths: { [`/${evil}`]: { get: operation } },
      webhooks: { [evil]: { post: operation } },
    });
    expect(shown.match(/<script/g)).toEqual(["<script"]);
    expect(unbalanced(shown)).toBeUndefined();
  });
});

function articleOf(operationId: string): string {
  const start = html.indexOf(`<article id="${operationId}">`);
  expect(start, operationId).toBeGreaterThan(0);
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
