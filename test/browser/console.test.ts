/** The console, as people use it: what waits for them, a plan, its approval, and the run as it goes on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { setUpInstance, setUpTemplate } from "../../scripts/client/tenant-setup.ts";
import { partOf } from "../support/depth.ts";
import {
  describeInBrowser,
  overflowOf,
  phone,
  sharedService,
  smallTexts,
  takeScreenshot,
} from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop } from "./console-visit.ts";
import type { SharedService } from "./shared-service.ts";

const hostile = `<img src=x onerror="document.title='taken'">`;

describeInBrowser("the console", () => {
  let service: SharedService;
  let address: string;
  let visits: ConsoleVisits;
  let client: Client;
  let instanceId: string;
  let deploymentId: string;

  beforeAll(async () => {
    service = await sharedService();
    ({ address } = service);
    visits = await consoleVisits(service);
    const operator = clientOf(address, service.operatorKey);
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
    await visits?.close();
  });

  it("leads from the overview to a plan that waits, and shows its run live once it is approved", async () => {
    const opened = await visits.open("/");
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
    expect(await page.locator(".card q").innerText()).toBe(hostile);
    await takeScreenshot(page, "console-plan", { fullPage: true });
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByLabel("Comment").first().fill(hostile);
    await page.getByRole("button", { name: "Approve the plan" }).click();
    await page.locator("#plan [data-mark=done]").first().waitFor();
    await takeScreenshot(page, "console-run");
    await page.getByRole("heading", { name: "Deploy of shop succeeded." }).waitFor();
    expect(await page.locator("#plan [data-mark=moving]").count()).toBe(0);
    expect(await page.locator("#timeline .said").innerText()).toBe(hostile);
    expect(await page.getByRole("button", { name: "Approve the plan" }).count()).toBe(0);
    const lines = await page.locator("#log li").count();
    await page.getByLabel("Show").selectOption("error");
    expect(await page.locator("#log li:visible").count()).toBe(0);
    await page.getByLabel("Show").selectOption("");
    await page.reload();
    await expect.poll(() => page.locator("#log li").count()).toBe(lines);
    expect(await page.title()).not.toBe("taken");
    await takeScreenshot(page, "console-deployment", { fullPage: true });
    visits.expectClean(opened);
  });

  it("changes a variable, plans, and asks for the name before it destroys", async () => {
    const place = `/instances/${instanceId}`;
    const opened = await visits.open(place);
    const { page } = opened;
    await takeScreenshot(page, "console-instance", { fullPage: true });
    await page.getByRole("link", { name: "Variables", exact: true }).click();
    await page.getByText("Change variables").click();
    await page.getByLabel("dbPassword").fill("another horse");
    // The page is loaded again, which would clear a later problem.
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Save the variables" }).click();
    await reloaded;
    expect(await client.get(place)).toMatchObject({ variables: { dbPassword: "[secret]" } });
    page.once("dialog", (dialog) => void dialog.accept("shopp"));
    await page.getByRole("button", { name: "Destroy" }).click();
    await page.locator("#problem", { hasText: "Nothing was changed" }).waitFor();
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.waitForURL(`${address}/deployments/**`);
    await page.getByRole("heading", { name: /^Plan of shop succeeded/ }).waitFor();
    visits.expectClean(opened);
  });

  const screens = [
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))("is readable on a %s", async ([name, options]) => {
    const opened = await visits.open("/", options);
    const { page } = opened;
    for (const place of [
      "/",
      "/instances",
      `/instances/${instanceId}`,
      "/deployments",
      `/deployments/${deploymentId}`,
    ]) {
      await page.goto(`${address}${place}`);
      expect([place, await overflowOf(page)]).toEqual([place, 0]);
      if (!name.includes("script")) expect(await smallTexts(page, 13)).toEqual([]);
      const picture = `console${place.split("/").slice(0, 2).join("-")}-${name.replaceAll(" ", "-")}`;
      await takeScreenshot(page, picture, { fullPage: true });
    }
    visits.expectClean(opened);
  });
});
