/** The console in a browser, as somebody who signed in. */
import type { BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import type { OpenPage, TestBrowser } from "./browser.ts";
import type { SharedService } from "./shared-service.ts";

export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

/** Opens a page of the console; `who` is a person that the development identity provider offers. */
export async function openSignedIn(
  browser: TestBrowser,
  { address, operatorKey }: SharedService,
  place: string,
  { who = "Olivia Operator", ...options }: BrowserContextOptions & { who?: string } = {},
): Promise<OpenPage> {
  const opened = await browser.open(place, { ...desktop, ...options });
  const { page } = opened;
  if (!page.url().includes("/login")) await page.goto(`${address}/login?returnTo=${place}`);
  await page.getByRole("link", { name: /^Continue with/ }).click();
  await page.getByLabel("Operator key").fill(operatorKey);
  await page.getByRole("button", { name: who }).click();
  await page.waitForURL(`${address}${place}`);
  return opened;
}

/** Nothing was refused by the policy, nothing failed, and no other host but the identity provider was asked. */
export function expectClean(
  { errors, violations, foreignRequests }: OpenPage,
  { issuer }: SharedService,
): void {
  const strangers = foreignRequests.filter((url) => new URL(url).origin !== issuer);
  expect({ errors, violations, strangers }).toEqual({ errors: [], violations: [], strangers: [] });
}
