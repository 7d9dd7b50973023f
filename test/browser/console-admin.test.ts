/** The console's pages of what surrounds deployments, as people use them: webhooks, targets, members, keys and others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { partOf } from "../support/depth.ts";
import { describeInBrowser, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop, expectReadable } from "./console-visit.ts";

const hostile = `<img src=x onerror="document.title='taken'">`;

describeInBrowser("the console, around deployments", () => {
  let visits: ConsoleVisits;
  let client: Client;
  let tenantId: string;
  let receiver: Receiver;
  const places: string[] = [];

  beforeAll(async () => {
    const service = await sharedService();
    visits = await consoleVisits(service);
    receiver = await startReceiver();
    const operator = clientOf(service.address, service.operatorKey);
    const tenant = await operator.post<Named>("/tenants", {
      name: `Around ${hostile}`,
      slug: "around",
    });
    tenantId = tenant.id;
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: `pipeline ${hostile}`,
      scopes: ["*"],
      tenantId,
    });
    client = clientOf(service.address, key);
  });

  afterAll(async () => {
    await visits?.close();
    await receiver?.close();
  });

  it("makes a webhook, shows its secret once, sends a test and shows what the receiver said", async () => {
    const opened = await visits.open("/webhooks");
    const { page } = opened;
    await page.getByLabel(/^Tenant/).fill(tenantId);
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
    const place = new URL(page.url()).pathname;
    places.push("/webhooks", place);
    expect(await page.content()).not.toContain("whsec_");
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

    await page.goto(new URL(place, page.url()).href);
    await client.patch(place, { description: "somebody else's" });
    await page.getByText("Edit", { exact: true }).click();
    await page.getByLabel("Description", { exact: true }).fill("mine");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("changed meanwhile");
    expect(await client.get(place)).toMatchObject({ description: "somebody else's" });
    await page.reload();
    await page.getByText("Repeat failed deliveries").click();
    await page
      .getByLabel(/^From/)
      .fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Repeat them" }).click();
    await page.getByRole("heading", { name: "Repetition of failed deliveries" }).waitFor();
    expect(await page.title()).not.toBe("taken");
    const refused = opened.errors.filter((error) => !/status of 4(00|12)/.test(error));
    visits.expectClean({ ...opened, errors: refused });
  });

  const screens = [
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))("is readable on a %s", async ([name, options]) => {
    const opened = await visits.open("/webhooks", options);
    const { page } = opened;
    for (const place of places) {
      await page.goto(new URL(place, page.url()).href);
      if (!name.includes("script")) await expectReadable(page);
      const words = place.split("/").filter((part) => /^[a-z]+$/.test(part));
      const picture = `console-${words.join("-")}${place.split("/").length % 2 ? "-one" : ""}-${name.replaceAll(" ", "-")}`;
      await takeScreenshot(page, picture, { fullPage: true });
    }
    visits.expectClean(opened);
  });
});
