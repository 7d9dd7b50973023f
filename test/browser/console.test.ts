/** The console, as people use it: what waits for them, a plan, its approval, and the run as it goes on. */
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client.ts";
import { setUpInstance, setUpTemplate } from "../../scripts/tenant-setup.ts";
import { partOf } from "../support/depth.ts";
import {
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

const desktop = { viewport: { width: 1280, height: 900 } };
const hostile = `<img src=x onerror="document.title='taken'">`;

describeInBrowser("the console", () => {
  let address: string;
  let issuer: string;
  let operatorKey: string;
  let browser: TestBrowser;
  let client: Client;
  let instanceId: string;
  let deploymentId: string;

  beforeAll(async () => {
    ({ address, operatorKey, issuer } = await sharedService());
    browser = await startBrowser(address);
    const operator = clientOf(address, operatorKey);
    const tenant = await operator.post<Named>("/tenants", { name: "Console", slug: "console" });
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: `pipeline ${hostile}`,
      scopes: ["*"],
      tenantId: tenant.id,
    });
    client = clientOf(address, key);
    const templateId = await setUpTemplate(client, "three-tier.yaml");
    instanceId = await setUpInstance(client, {
      name: "shop",
      templateId,
      config: { latencyMs: 300 },
    });
    await client.patch(`/instances/${instanceId}`, { approvalMode: "always" });
    ({ id: deploymentId } = await client.post<Named>(`/instances/${instanceId}/deploy`, {
      message: hostile,
    }));
  });

  afterAll(async () => {
    await browser?.close();
  });

  function expectClean({ errors, violations, foreignRequests }: OpenPage): void {
    const strangers = foreignRequests.filter((url) => new URL(url).origin !== issuer);
    expect({ errors, violations, strangers }).toEqual({
      errors: [],
      violations: [],
      strangers: [],
    });
  }

  /** Opens a page as somebody who has to sign in first. */
  async function openAs(
    who: string,
    place: string,
    options: BrowserContextOptions = {},
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

  it("leads from the overview to a plan that waits, and shows its run live once it is approved", async () => {
    const opened = await openAs("Olivia Operator", "/");
    const { page } = opened;
    const waiting = page.getByRole("link", { name: "Deploy of shop waits for approval." });
    await expect
      .poll(async () => {
        await page.reload();
        return waiting.count();
      })
      .toBe(1);
    await takeScreenshot(page, "console-overview");
    await waiting.click();
    await page.waitForURL(`${address}/deployments/${deploymentId}`);
    expect(await page.locator("#plan [data-resource]").count()).toBeGreaterThan(3);
    expect(await page.locator(".quote").innerText()).toBe(hostile);
    await takeScreenshot(page, "console-plan", { fullPage: true });
    await page.getByRole("button", { name: "Approve the plan" }).click();
    await page.locator("#plan [data-mark=done]").first().waitFor();
    await takeScreenshot(page, "console-run");
    await page.getByRole("heading", { name: "Deploy of shop succeeded." }).waitFor();
    expect(await page.locator("#plan [data-mark=moving]").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Approve the plan" }).count()).toBe(0);
    const lines = await page.locator("#log li").count();
    await page.getByLabel("Show").selectOption("error");
    expect(await page.locator("#log li:visible").count()).toBe(0);
    await page.getByLabel("Show").selectOption("");
    await page.reload();
    await expect.poll(() => page.locator("#log li").count()).toBe(lines);
    expect(await page.title()).not.toBe("taken");
    await takeScreenshot(page, "console-deployment", { fullPage: true });
    expectClean(opened);
  });

  it("changes a variable, plans, and asks for the name before it destroys", async () => {
    const place = `/instances/${instanceId}`;
    const opened = await openAs("Olivia Operator", place);
    const { page } = opened;
    await takeScreenshot(page, "console-instance", { fullPage: true });
    await page.getByLabel("Variable", { exact: true }).fill("dbPassword");
    await page.getByLabel(/^Value/).fill("another horse");
    await page.getByRole("button", { name: "Set" }).click();
    await expect
      .poll(async () => (await client.get<{ version?: number }>(place)) as unknown)
      .toMatchObject({ variables: { dbPassword: "[secret]" } });
    page.once("dialog", (dialog) => void dialog.accept("shopp"));
    await page.getByRole("button", { name: "Destroy" }).click();
    expect(await page.locator("#problem").innerText()).toContain("Nothing was changed");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.waitForURL(`${address}/deployments/**`);
    await page.getByRole("heading", { name: /^Plan of shop succeeded/ }).waitFor();
    expectClean(opened);
  });

  const screens = [
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))("is readable on a %s", async ([name, options]) => {
    const opened = await openAs("Olivia Operator", "/", options);
    const { page } = opened;
    for (const place of [
      "/",
      "/instances",
      `/instances/${instanceId}`,
      `/deployments/${deploymentId}`,
    ]) {
      await page.goto(`${address}${place}`);
      expect([place, await overflowOf(page)]).toEqual([place, 0]);
      if (!name.includes("script")) expect(await smallTexts(page, 13)).toEqual([]);
      const picture = `console${place.split("/").slice(0, 2).join("-")}-${name.replaceAll(" ", "-")}`;
      await takeScreenshot(page, picture, { fullPage: true });
    }
    expectClean(opened);
  });
});
