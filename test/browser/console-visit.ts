/** Visits to the console, as people who sign in first. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { type OpenPage, overflowOf, smallTexts, startBrowser } from "./browser.ts";
import type { SharedService } from "./shared-service.ts";

export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

export interface ConsoleVisits {
  /** Opens a page as a person, by default an operator, who has to sign in first. */
  open: (place: string, options?: BrowserContextOptions, who?: string) => Promise<OpenPage>;
  /** Nothing went wrong on the page, and it asked no other host. */
  expectClean: (opened: OpenPage) => void;
  close: () => Promise<void>;
}

export async function consoleVisits({
  address,
  operatorKey,
  issuer,
}: SharedService): Promise<ConsoleVisits> {
  const browser = await startBrowser(address);
  return {
    open: async (place, options = {}, who = "Olivia Operator") => {
      const opened = await browser.open(place, { ...desktop, ...options });
      const { page } = opened;
      page.setDefaultTimeout(20_000);
      if (!page.url().includes("/login")) await page.goto(`${address}/login?returnTo=${place}`);
      await page.getByRole("link", { name: /^Continue with/ }).click();
      await page.getByLabel("Operator key").fill(operatorKey);
      await page.getByRole("button", { name: who }).click();
      await page.waitForURL(`${address}${place}`);
      return opened;
    },
    expectClean: ({ errors, violations, foreignRequests }) => {
      const strangers = foreignRequests.filter((url) => new URL(url).origin !== issuer);
      const clean = { errors: [], violations: [], strangers: [] };
      expect({ errors, violations, strangers }).toEqual(clean);
    },
    close: () => browser.close(),
  };
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The page fits the screen, its texts can be read, and people with assistive technology can use it. */
export async function expectReadable(page: Page): Promise<void> {
  const place = new URL(page.url()).pathname;
  expect([place, await overflowOf(page), await smallTexts(page, 13)]).toEqual([place, 0, []]);
  // By the debugger and not by an element: the page's policy allows no script of others.
  await page.evaluate(await axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as AxeWindow).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  expect([place, ...found]).toEqual([place]);
}

interface AxeWindow {
  axe: {
    run: () => Promise<{
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    }>;
  };
}
