/** The console's pages of what surrounds deployments, as people use them: webhooks, targets, members, keys and others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { partOf } from "../support/depth.ts";
import {
  describeInBrowser,
  type OpenPage,
  phone,
  sharedService,
  takeScreenshot,
} from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop, expectReadable } from "./console-visit.ts";

const hostile = `<img src=x onerror="document.title='taken'">`;

describeInBrowser("the console, around deployments", () => {
  let visits: ConsoleVisits;
  let client: Client;
  let tenantId: string;
  let receiver: Receiver;
  let webhookPlace: string;
  const places: string[] = [];

  beforeAll(async () => {
    const service = await sharedService();
    visits = await consoleVisits(service);
    receiver = await startReceiver();
    const operator = clientOf(service.address, service.operatorKey);
    const tenant = await operator.post<Named>("/tenants", {
      name: `Around ${hostile}`,
      slug: `around-${crypto.randomUUID().slice(0, 8)}`,
    });
    tenantId = tenant.id;
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: `pipeline ${hostile}`,
      scopes: ["*"],
      tenantId,
    });
    client = clientOf(service.address, key);
  });

  /** The browser's own words for an answer that was expected are no fault. */
  function expectCleanBut(opened: OpenPage, status: number): void {
    const errors = opened.errors.filter((error) => !error.includes(`status of ${status}`));
    visits.expectClean({ ...opened, errors });
  }

  afterAll(async () => {
    await visits?.close();
    await receiver?.close();
  });

  it("makes a webhook, with each fault beside its input, and shows its secret once", async () => {
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
    webhookPlace = new URL(page.url()).pathname;
    places.push("/webhooks", webhookPlace);
    expect(await page.content()).not.toContain("whsec_");
    expectCleanBut(opened, 400);
  });

  it("sends a test to a webhook and shows what its receiver said", async () => {
    const opened = await visits.open(webhookPlace);
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
    visits.expectClean(opened);
  });

  it("refuses a change of a webhook that somebody else changed, and repeats what failed", async () => {
    const opened = await visits.open(webhookPlace);
    const { page } = opened;
    await client.patch(webhookPlace, { description: "somebody else's" });
    await page.getByText("Edit", { exact: true }).click();
    await page.getByLabel("Description", { exact: true }).fill("mine");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("changed meanwhile");
    expect(await client.get(webhookPlace)).toMatchObject({ description: "somebody else's" });
    await page.reload();
    await page.getByText("Repeat failed deliveries").click();
    await page
      .getByLabel(/^From/)
      .fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Repeat them" }).click();
    await page.getByRole("heading", { name: "Repetition of failed deliveries" }).waitFor();
    expectCleanBut(opened, 412);
  });

  it("registers a target, says what verifying found, and has it deleted by its name", async () => {
    const opened = await visits.open("/targets");
    const { page } = opened;
    await page.getByLabel("Provider").last().selectOption("mock");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByLabel(/^Tenant/).fill(tenantId);
    await page.getByLabel("Name", { exact: true }).fill(`Sandbox ${hostile}`);
    await page.getByLabel("Environment").selectOption("sandbox");
    await page.getByLabel("latencyMs").fill("70000");
    await page.getByLabel(/^Regions/).fill("eu-1\nus-1");
    await page.getByLabel("Default region").fill("eu-1");
    await page.getByRole("button", { name: "Register" }).click();
    await page.locator(".fault").waitFor();
    await expectReadable(page);
    await takeScreenshot(page, "console-target-form", { fullPage: true });
    await page.getByLabel("latencyMs").fill("5");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("heading", { name: `Sandbox ${hostile}` }).waitFor();
    const place = new URL(page.url()).pathname;
    places.push("/targets", place);
    expect(await client.get(`/cloud${place}`)).toMatchObject({
      tenantId,
      config: { latencyMs: 5 },
      allowedRegions: ["eu-1", "us-1"],
      maxConcurrentDeployments: 3,
    });
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("What the provider said:").waitFor();
    await takeScreenshot(page, "console-target-verified");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Its credential worked at").waitFor();
    await page.getByText("Edit", { exact: true }).click();
    await page.getByLabel("latencyMs").fill("");
    await page.getByLabel("Default region").fill("us-1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => client.get(`/cloud${place}`))
      .toMatchObject({ defaultRegion: "us-1", config: { faults: [] } });
    expectCleanBut(opened, 400);
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
