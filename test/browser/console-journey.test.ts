/**
 * The whole way through the console: a folder of Terraform becomes a template, and that an instance; a change of it waits
 * for a second person, and a receiver hears of everything. The cloud is the fake DigitalOcean of the shared service.
 */
import path from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { partOf } from "../support/depth.ts";
import { describeInBrowser, overflowOf, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop } from "./console-visit.ts";

const RUN_MS = 60_000;

describeInBrowser("the console, from a folder to an approved change", () => {
  let address: string;
  let visits: ConsoleVisits;
  let operator: Client;
  let receiver: Receiver;

  beforeAll(async () => {
    const service = await sharedService();
    ({ address } = service);
    visits = await consoleVisits(service);
    operator = clientOf(address, service.operatorKey);
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await visits?.close();
    await receiver?.close();
  });

  /** A tenant with an invited developer, a webhook, and a target that it may use. */
  async function setUp(name: string) {
    const tenant = await operator.post<Named>("/tenants", { name, slug: name });
    await operator.post(`/tenants/${tenant.id}/members`, {
      email: "dora@example.com",
      role: "CustomerAdmin",
    });
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: "set-up",
      scopes: ["*"],
      tenantId: tenant.id,
    });
    const client = clientOf(address, key);
    const webhook = await client.post<Named & { secret: string }>("/webhooks", {
      url: receiver.url,
      events: ["*"],
    });
    receiver.setSecret(webhook.secret);
    const target = await operator.post<Named>("/cloud/targets", {
      provider: "digitalocean",
      name,
      credentialRef: "env://TARGET_PLATFORM_DO",
      config: {},
      allowedRegions: ["nyc3"],
      defaultRegion: "nyc3",
    });
    return { client, tenantId: tenant.id, targetId: target.id, webhookId: webhook.id };
  }

  const heardOf = (type: string, tenantId: string) =>
    receiver.verified.filter((event) => event.type === type && event.tenantId === tenantId).length;

  const screens: (readonly [string, BrowserContextOptions])[] = [
    ["desktop", desktop],
    ["phone", phone],
  ];
  it.for(partOf(screens, 2))(
    "goes the whole way on a %s",
    { timeout: 3 * RUN_MS },
    async ([screen, options]) => {
      const name = `journey-${screen}`;
      const { client, tenantId, targetId, webhookId } = await setUp(name);
      const see = async (page: Page, what: string) => {
        // A page without its style sheet is wider.
        await page.waitForLoadState();
        expect([what, await overflowOf(page)]).toEqual([what, 0]);
        await takeScreenshot(page, `${name}-${what}`, { fullPage: true });
      };
      const visit = await visits.open("/account", options, "Dora Developer");
      const { page } = visit;
      await page.getByRole("button", { name: `Accept the invitation to ${name}` }).click();
      await page.waitForURL(`${address}/?tenantId=${tenantId}`);

      await page.goto(`${address}/imports?tenantId=${tenantId}`);
      await page.getByRole("link", { name: "Import code" }).click();
      await page.waitForURL(`${address}/imports/new`);
      const tenants = page.locator('main select[name="tenantId"]');
      if ((await tenants.count()) > 0) await tenants.selectOption(tenantId);
      const folder = path.join(projectRoot, "examples/terraform-shop");
      await page.getByLabel("Folder").setInputFiles(folder);
      await page.locator("#status", { hasText: /^6 files/ }).waitFor();
      await see(page, "folder");
      await page.getByRole("button", { name: "Import" }).click();
      await page.waitForURL(/\/imports\/[\da-f-]{36}$/);
      await see(page, "draft");
      await page.getByLabel("Name of the template").fill(name);
      await page.getByRole("button", { name: "Make a template of it" }).click();
      await page.waitForURL(/\/templates\/[\da-f-]{36}$/);
      await see(page, "template");
      await page.getByLabel("Name of the instance").fill(name);
      await page.getByLabel("Target").selectOption(targetId);
      await page.locator('[name="variables.project"]').fill(name);
      await page.locator('[name="variables.domain"]').fill(`${name}.example`);
      await page.getByRole("button", { name: "Make the instance" }).click();
      await page.waitForURL(/\/instances\/[\da-f-]{36}$/);
      const instancePath = new URL(page.url()).pathname;
      page.on("dialog", (dialog) => void dialog.accept());
      await page.getByRole("button", { name: "Deploy" }).click();
      await page.waitForURL(`${address}/deployments/**`);
      await page.locator("#plan [data-mark=done]").first().waitFor({ timeout: RUN_MS });
      await see(page, "run");
      await page
        .getByRole("heading", { name: `Deploy of ${name} succeeded.` })
        .waitFor({ timeout: RUN_MS });
      expect(await page.locator("#plan li[data-resource]").count()).toBe(7);

      await client.patch(instancePath, { approvalMode: "always" });
      await page.goto(`${address}${instancePath}/variables`);
      await page.getByText("Change variables").click();
      await page.locator('[name="variables.databaseSize"]').fill("db-s-2vcpu-4gb");
      await page.getByRole("button", { name: "Save the variables" }).click();
      await page.getByRole("cell", { name: "db-s-2vcpu-4gb" }).waitFor();
      await see(page, "instance");
      await page.getByRole("button", { name: "Deploy" }).click();
      await page.waitForURL(`${address}/deployments/**`);
      const waits = `Deploy of ${name} waits for approval.`;
      await page.getByRole("heading", { name: waits }).waitFor({ timeout: RUN_MS });
      await page.locator("#plan summary").first().click();
      expect(await page.locator("#plan").innerText()).toMatch(/db-s-1vcpu-1gb.*db-s-2vcpu-4gb/s);
      expect(await page.getByRole("button", { name: "Approve the plan" }).count()).toBe(0);
      await see(page, "plan");

      const second = await visits.open("/", options);
      await second.page.getByRole("link", { name: waits }).click();
      second.page.on("dialog", (dialog) => void dialog.accept());
      await second.page.getByRole("button", { name: "Approve the plan" }).click();
      for (const one of [second.page, page]) {
        const ended = one.getByRole("heading", { name: /^Deploy of .* (succeeded|failed)/ });
        await ended.waitFor({ timeout: RUN_MS });
        expect(await one.locator("#standing").innerText()).toContain("succeeded.");
      }
      await see(second.page, "approved");

      const heard = () =>
        heardOf("deployment.succeeded", tenantId) === 2 &&
        heardOf("deployment.approved", tenantId) === 1;
      expect(await receiver.until(heard, RUN_MS)).toBe(true);
      await page.goto(`${address}/webhooks/${webhookId}?eventType=deployment.approved`);
      await page.locator("td a").first().click();
      await page.waitForURL(/\/deliveries\//);
      expect(await page.locator("main").innerText()).toMatch(/deployment\.approved[^]*204/);
      await see(page, "delivery");
      visits.expectClean(visit);
      visits.expectClean(second);
    },
  );
});
