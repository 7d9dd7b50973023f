import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "../../scripts/client/client.ts";
import { partOf } from "../support/depth.ts";
import {
  coloursByPart,
  describeInBrowser,
  type OpenPage,
  overflowOf,
  phone,
  sharedService,
  smallTexts,
  startBrowser,
  takeScreenshot,
  type TestBrowser,
} from "./browser.ts";

/** The parts of the document that are asked about here. */
interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId: string; summary: string; tags: string[] }>>;
}

const desktop = { viewport: { width: 1440, height: 900 } };
const hostile = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>&amp;`;

function expectClean({ errors, violations, foreignRequests }: OpenPage): void {
  expect({ errors, violations, foreignRequests }).toEqual({
    errors: [],
    violations: [],
    foreignRequests: [],
  });
}

describeInBrowser("in a browser", () => {
  let address: string;
  let operatorKey: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    ({ address, operatorKey } = await sharedService());
    browser = await startBrowser(address);
  });

  afterAll(async () => {
    await browser?.close();
  });

  describe("the reference", () => {
    let document: Document;

    beforeAll(async () => {
      document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as Document;
    });

    it("shows an area with every endpoint of it, and leads to the others", async () => {
      const opened = await browser.open("/docs/instances", desktop);
      const { page } = opened;
      const pages = await page.locator(".side .page").allInnerTexts();
      expect(pages).toEqual([
        "Start",
        "The template language",
        "Safeguards",
        "Limits",
        "Glossary",
        "Example templates",
        ...document.tags.map(({ name }) => name),
        "Events",
        "Error codes",
        "Versions",
      ]);
      const shown = await page
        .locator("main article")
        .evaluateAll((articles) =>
          articles
            .filter(
              (article) => article.checkVisibility() && article.getBoundingClientRect().height > 0,
            )
            .map((article) => [
              article.id,
              article.querySelector("h3")?.textContent,
              article.querySelector(".call")?.textContent,
            ]),
        );
      const declared = Object.entries(document.paths).flatMap(([at, methods]) =>
        Object.entries(methods)
          .filter(([, { tags }]) => tags.includes("Instances"))
          .map(([method, { operationId, summary }]) => [
            operationId,
            summary,
            `${method.toUpperCase()} ${at}`,
          ]),
      );
      expect(new Set(shown.map(String))).toEqual(new Set(declared.map(String)));
      expect(shown).toHaveLength(declared.length);
      const picture = await takeScreenshot(page, "docs");
      const colours = await coloursByPart(page, picture, { columns: 4, rows: 3 });
      expect(Math.min(...colours)).toBeGreaterThan(8);
      expectClean(opened);
    });

    it("finds while one types, the best first, and everything again", async () => {
      const opened = await browser.open("/docs/webhooks", desktop);
      const { page } = opened;
      await page.keyboard.press("/");
      await page.keyboard.type("maxConcurrentDeployments post");
      const results = page.locator(".results li a");
      await expect.poll(() => results.first().getAttribute("href")).toMatch(/#createCloudTarget$/);
      expect(await results.count()).toBeLessThan(10);
      expect(await page.locator(".found").innerText()).toMatch(/^\d+ results?/);
      await takeScreenshot(page, "docs-search");
      await page.locator("#search").fill("no such thing anywhere");
      await expect.poll(() => page.locator(".found").innerText()).toContain("No results");
      await page.keyboard.press("Escape");
      expect(await page.locator("article:visible").count()).toBeGreaterThan(5);
      await page.locator("#search").fill("target");
      await results.first().click();
      await page.locator("h1").getByText("Cloud targets").waitFor();
      expectClean(opened);
    });

    it("leads from a problem's type to the entry of its code", async () => {
      const problem = (await (await fetch(`${address}/api/v1/tenants`)).json()) as { type: string };
      const { page } = await browser.open(problem.type, desktop);
      const target = page.locator(":target");
      expect(await target.innerText()).toContain("unauthenticated");
      expect(await target.evaluate((entry) => entry.getBoundingClientRect().top)).toBeLessThan(900);
    });

    it("jumps at once, marks the place in the side, and names this installation in its samples", async () => {
      const { page } = await browser.open("/docs/webhooks", { ...desktop, colorScheme: "dark" });
      await page.locator('.side a[href="#testWebhook"]').click();
      // One frame later it is there: nothing scrolls through the page.
      const top = await page.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() => {
              resolve(
                globalThis.document.querySelector("#testWebhook")?.getBoundingClientRect().top,
              );
            });
          }),
      );
      expect(Math.abs(Number(top))).toBeLessThan(200);
      await page.locator('.side [aria-current][href="#testWebhook"]').waitFor();
      const sample = await page.locator("#createWebhook figure").first().innerText();
      expect(sample).toContain(`curl -X POST "${address}/api/v1/webhooks"`);
      await takeScreenshot(page, "docs-dark");
    });

    it("is readable on a phone", async () => {
      const opened = await browser.open("/docs/cloud-targets#createCloudTarget", phone);
      expect(await overflowOf(opened.page)).toBe(0);
      expect(await smallTexts(opened.page, 12)).toEqual([]);
      await takeScreenshot(opened.page, "docs-phone");
      expectClean(opened);
    });

    it("is whole without a script", async () => {
      const opened = await browser.open("/docs", { ...desktop, javaScriptEnabled: false });
      const { page } = opened;
      const endpoints = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
      expect(await page.locator(".index li:visible").count()).toBe(endpoints.length);
      await page.locator("#search").fill("webhook_disabled");
      await page.locator("#search").press("Enter");
      await page.waitForURL(/\/docs\/search\?q=webhook_disabled$/);
      expect(await page.locator(".results li a").first().getAttribute("href")).toBe(
        "/docs/errors#webhook_disabled",
      );
      expectClean(opened);
    });
  });

  it("keeps the files of scripts whose names change with them, and asks again for the others", async () => {
    const script = await fetch(`${address}/assets/console/console.js`);
    const [part = ""] = /parts\/[\w-]+\.js/.exec(await script.text()) ?? [];
    const kept = await fetch(`${address}/assets/console/${part}`);
    const headers = [script, kept].map(({ status, headers }) => [
      status,
      headers.get("cache-control"),
      headers.get("content-type"),
      headers.get("x-content-type-options"),
    ]);
    const type = "text/javascript";
    expect(headers).toEqual([
      [200, "public, max-age=0, must-revalidate", expect.stringContaining(type), "nosniff"],
      [200, "public, max-age=31536000, immutable", expect.stringContaining(type), "nosniff"],
    ]);
  });

  describe("a status page", () => {
    let statusPath: string;

    beforeAll(async () => {
      const operator = clientOf(address, operatorKey);
      const { id } = await operator.post<{ id: string }>("/tenants", {
        name: `Acme ${hostile}`.slice(0, 80),
        slug: "acme-status",
      });
      await operator.patch(`/tenants/${id}`, { publicStatus: true });
      await operator.post("/incidents", {
        tenantId: id,
        title: `Slow ${hostile}`,
        message: `First line\n${hostile}\n${"unbroken".repeat(60)}`,
        impact: "PARTIAL_OUTAGE",
        components: ["Deployments", hostile.slice(0, 90)],
      });
      statusPath = "/status/acme-status";
    });

    const screens = [
      ["desktop", desktop],
      ["dark screen", { ...desktop, colorScheme: "dark" }],
      ["phone", phone],
      ["phone without a script", { ...phone, javaScriptEnabled: false }],
    ] as const;
    it.for(partOf(screens, 4))(
      "is readable on a %s, with a mark for each of 90 days",
      async ([name, options]) => {
        const opened = await browser.open(statusPath, options);
        const { page } = opened;
        expect(await overflowOf(page)).toBe(0);
        if (!name.includes("script")) expect(await smallTexts(page, 14)).toEqual([]);
        const boxes = await page
          .locator("svg rect")
          .evaluateAll((rects) => rects.map((rect) => rect.getBoundingClientRect().toJSON()));
        expect(boxes).toHaveLength(90);
        for (const [at, { x, width, height }] of boxes.entries()) {
          expect(width).toBeGreaterThan(2);
          expect(height).toBeGreaterThan(20);
          const before = boxes[at - 1];
          if (before) expect(x).toBeGreaterThan(before.x + before.width);
        }
        const fills = await page
          .locator("svg rect")
          .evaluateAll((rects) => rects.map((rect) => getComputedStyle(rect).fill));
        const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(new Set(fills).size).toBeGreaterThan(1);
        for (const fill of fills) expect([paper, "none", "rgba(0, 0, 0, 0)"]).not.toContain(fill);
        expect(await page.getByRole("status").innerText()).toBe("Partial outage");
        const label = await page.getByRole("img").first().getAttribute("aria-label");
        expect(label).toMatch(/^90 days/);
        const picture = await takeScreenshot(page, `status-${name.replaceAll(" ", "-")}`, {
          fullPage: true,
        });
        const [top = 0] = await coloursByPart(page, picture, { columns: 1, rows: 2 });
        expect(top).toBeGreaterThan(8);
        expectClean(opened);
      },
    );

    it("shows what users wrote as text", async () => {
      const { page } = await browser.open(statusPath, desktop);
      expect(await page.title()).toMatch(/^Acme <img src=x/);
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.locator("main").innerText()).toContain(`Slow ${hostile}`);
    });
  });
});

describeInBrowser("what the browser tests find", () => {
  it("is a refused script, a foreign address, an error, an overflow and a blank picture", async () => {
    const bad = `<!doctype html><body style="margin:0"><script>1</script><p style="font-size:9px">small</p>
      <img src="http://elsewhere.invalid/x.png" alt=""><div style="width:3000px">wide</div></body>`;
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.setHeader("content-security-policy", "script-src 'none'");
      response.end(bad);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const browser = await startBrowser(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    try {
      const { page, violations, errors, foreignRequests } = await browser.open("/");
      expect(violations).toHaveLength(1);
      expect(errors.length).toBeGreaterThan(1);
      expect(foreignRequests).toEqual(["http://elsewhere.invalid/x.png"]);
      expect(await overflowOf(page)).toBeGreaterThan(1_000);
      expect(await smallTexts(page, 14)).toEqual(["9px small"]);
      await page.goto("about:blank");
      const picture = await page.screenshot();
      expect(await coloursByPart(page, picture, { columns: 2, rows: 1 })).toEqual([1, 1]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
