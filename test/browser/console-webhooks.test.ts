/** The console's pages of webhooks and their deliveries, as people use them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { describeInBrowser, takeScreenshot } from "./browser.ts";
import {
  consoleTenant,
  expectCleanBut,
  hostile,
  readableOnScreens,
  unfold,
} from "./console-tenant.ts";
import { expectReadable } from "./console-visit.ts";

describeInBrowser("the console's webhooks", () => {
  const scene = consoleTenant();
  const places: string[] = [];
  let receiver: Receiver;
  let webhookPlace: string;

  beforeAll(async () => {
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await receiver?.close();
  });

  it("makes a webhook, with each fault beside its input, and shows its secret once", async () => {
    const opened = await scene.visits.open("/webhooks");
    const { page } = opened;
    await unfold(page, "Create a webhook");
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(scene.tenantId);
    await page.getByLabel(/^URL/).fill("not a URL");
    await page.getByLabel("Description", { exact: true }).fill(`chat ${hostile}`);
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.locator(".fault").first().waitFor();
    expect(await page.getByLabel(/^URL/).getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("fieldset[aria-invalid=true] + .fault").count()).toBe(1);
    await takeScreenshot(page, "console-webhook-form", { fullPage: true });
    await expectReadable(page);
    await page.getByLabel(/^URL/).fill(receiver.url);
    await page.getByText("deployment", { exact: true }).click();
    await page.getByLabel("Everything of deployment").check();
    await page.getByRole("button", { name: "Create the webhook" }).click();
    const secret = page.locator("[role=status] code");
    await secret.waitFor();
    receiver.setSecret(await secret.innerText());
    await takeScreenshot(page, "console-webhook-secret");
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("heading", { name: `chat ${hostile}` }).waitFor();
    webhookPlace = new URL(page.url()).pathname;
    places.push("/webhooks", webhookPlace);
    expect(await page.content()).not.toContain("whsec_");
    expectCleanBut(scene, opened, 400);
  });

  it("sends a test to a webhook and shows what its receiver said", async () => {
    const opened = await scene.visits.open(webhookPlace);
    const { page } = opened;
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("heading", { name: "Delivery of webhook.test" }).waitFor();
    places.push(new URL(page.url()).pathname);
    expect(await receiver.until(() => receiver.verified.length === 1, 20_000)).toBe(true);
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator(".changes .tag.good").allInnerTexts();
      })
      .toEqual(["204"]);
    await page.getByText("Attempt 1").click();
    await takeScreenshot(page, "console-webhook-delivery", { fullPage: true });

    expect(await page.title()).not.toBe("taken");
    scene.visits.expectClean(opened);
  });

  it("refuses a change of a webhook that somebody else changed, and repeats what failed", async () => {
    const opened = await scene.visits.open(webhookPlace);
    const { page } = opened;
    await scene.client.patch(webhookPlace, { description: "somebody else's" });
    await page.getByText("Edit", { exact: true }).click();
    await page.getByLabel("Description", { exact: true }).fill("mine");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("changed meanwhile");
    expect(await scene.client.get(webhookPlace)).toMatchObject({ description: "somebody else's" });
    await page.reload();
    await page.getByText("Edit", { exact: true }).click();
    await page
      .locator("summary", { hasText: /^instance/ })
      .first()
      .click();
    await page.getByLabel("Everything of instance").check();
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Save" }).click();
    await reloaded;
    expect(await scene.client.get(webhookPlace)).toMatchObject({
      events: expect.arrayContaining(["deployment.*", "instance.*"]),
    });
    await page.getByText("Repeat failed deliveries").click();
    await page
      .getByLabel(/^From/)
      .fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Repeat them" }).click();
    await page.getByRole("heading", { name: "Repetition of failed deliveries" }).waitFor();
    expectCleanBut(scene, opened, 412);
  });

  readableOnScreens(scene, places);
});
