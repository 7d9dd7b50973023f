/**
 * Pages in a real browser, against a service that runs. Debian's Chromium, or what CHROMIUM_PATH names; without
 * one the tests that need it are skipped, unless REQUIRE_BROWSER is 1.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { describe, inject } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import type { SharedService } from "./shared-service.ts";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Whatever asks for another machine finds none.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const screenshots = path.join(projectRoot, "dist/screenshots");

/** `describe`, where there is a browser; skipped, with the reason printed, where there is none. */
export const describeInBrowser = browserPath() === undefined ? describe.skip : describe;

/** Throws where a browser is required and there is none. */
function browserPath(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  const found = named ?? places.find((place) => existsSync(place));
  if (found !== undefined && existsSync(found)) return found;
  const reason = `no Chromium${named === undefined ? "" : ` at ${named}`}: set CHROMIUM_PATH`;
  if (process.env["REQUIRE_BROWSER"] === "1") throw new Error(`A browser is required; ${reason}.`);
  console.warn(`The pages are not tested in a browser: ${reason}.`);
  return undefined;
}

/** A page that was opened, and what went wrong on it so far. */
export interface OpenPage {
  page: Page;
  /** What the page's policy refused. */
  violations: string[];
  /** Errors in the console and exceptions that nobody caught, violations among them. */
  errors: string[];
  /** Addresses outside the service that were asked for. */
  foreignRequests: string[];
}

export interface TestBrowser {
  /** Opens `path` of the service in a profile of its own, without cookies. `options`: viewport, javaScriptEnabled, … */
  open: (path: string, options?: BrowserContextOptions) => Promise<OpenPage>;
  close: () => Promise<void>;
}

/** A phone's width: what is readable here is readable on one. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
};

/** The service that all browser suites share. Whoever asks first waits for its start. */
export async function sharedService(): Promise<SharedService> {
  const response = await fetch(inject("sharedServiceUrl"));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as SharedService;
}

/** `address`: the origin of a service that runs. */
export async function startBrowser(address: string): Promise<TestBrowser> {
  const executablePath = browserPath();
  if (executablePath === undefined) throw new Error("There is no browser.");
  const profile = await mkdtemp(path.join(tmpdir(), "control-api-browser-"));
  const browser = await chromium.launch({
    executablePath,
    // Chromium's sandbox does not run as root.
    args: [...flags, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    env: { ...process.env, HOME: profile },
  });
  return {
    open: async (pagePath, options = {}) => {
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      return opened(context, new URL(pagePath, address));
    },
    close: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function opened(context: BrowserContext, address: URL): Promise<OpenPage> {
  const page = await context.newPage();
  const found: OpenPage = { page, violations: [], errors: [], foreignRequests: [] };
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    found.errors.push(message.text());
    if (/Content Security Policy/i.test(message.text())) found.violations.push(message.text());
  });
  page.on("pageerror", (error) => found.errors.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== address.origin && !/^(data|blob|about):$/.test(protocol))
      found.foreignRequests.push(request.url());
  });
  await page.goto(address.href, { waitUntil: "load" });
  return found;
}

/** Saves what is seen under `dist/screenshots`, and answers the picture. */
export async function takeScreenshot(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<Buffer> {
  await mkdir(screenshots, { recursive: true });
  return page.screenshot({ ...options, path: path.join(screenshots, `${name}.png`) });
}

/**
 * How many colours there are in each part of a picture, of so many columns and rows, by row. A part with one colour is
 * blank. The browser decodes it: no page of the service is changed by that.
 */
export async function coloursByPart(
  page: Page,
  picture: Buffer,
  { columns, rows }: { columns: number; rows: number },
): Promise<number[]> {
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(
      async ({ base64, columns, rows }) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        if (context === null) throw new Error("The browser has no canvas.");
        context.drawImage(bitmap, 0, 0);
        const width = Math.floor(bitmap.width / columns);
        const height = Math.floor(bitmap.height / rows);
        return Array.from({ length: columns * rows }, (_, at) => {
          const x = (at % columns) * width;
          const y = Math.floor(at / columns) * height;
          const { data } = context.getImageData(x, y, width, height);
          return new Set(new Uint32Array(data.buffer)).size;
        });
      },
      { base64: picture.toString("base64"), columns, rows },
    );
  } finally {
    await blank.close();
  }
}

/** How far the page is wider than the screen: 0, or there is a horizontal scroll. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Texts that are seen and smaller than so many pixels. */
export async function smallTexts(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || (node.textContent ?? "").trim() === "") continue;
      if (!element.checkVisibility() || element.closest("script, style, title") !== null) continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < least) small.push(`${size}px ${(node.textContent ?? "").trim().slice(0, 40)}`);
    }
    return small;
  }, leastPx);
}
