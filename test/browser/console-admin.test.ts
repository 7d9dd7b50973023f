/** The console's pages of what surrounds deployments, as people use them: webhooks, targets, members, keys and others. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
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

  /** A form that is folded in, unless the page shows it at once. */
  async function unfold(page: Page, words: string): Promise<void> {
    const folded = page.locator("details:not([open]) > summary", { hasText: words });
    if ((await folded.count()) > 0) await folded.click();
  }

  afterAll(async () => {
    await visits?.close();
    await receiver?.close();
  });

  it("makes a webhook, with each fault beside its input, and shows its secret once", async () => {
    const opened = await visits.open("/webhooks");
    const { page } = opened;
    await unfold(page, "Create a webhook");
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(tenantId);
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
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(tenantId);
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
    await expect.poll(() => client.get(`/cloud${place}`)).toMatchObject({ defaultRegion: "us-1" });
    expect(await client.get(`/cloud${place}`)).toHaveProperty("config", {});
    expectCleanBut(opened, 400);
  });

  it("invites a person by a link that is shown once, renews the invitation and revokes it", async () => {
    const place = `/members?tenantId=${tenantId}`;
    const opened = await visits.open(place);
    const { page } = opened;
    await page.getByText("Invite a person").click();
    await page.getByLabel("Email address").fill("nobody");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.locator(".fault").waitFor();
    await page.getByLabel("Email address").fill("grace@acme.example");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = page.locator("[role=status] code");
    expect(await link.innerText()).toMatch(/^http.*\/login\?invitation=cpi_/);
    await takeScreenshot(page, "console-invitation");
    await page.getByRole("button", { name: "I have it" }).click();
    await page.waitForURL(`**${place}`);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Renew the invitation of grace@acme.example" }).click();
    await link.waitFor();
    await page.getByRole("button", { name: "I have it" }).click();
    places.push(place);
    await page.getByRole("button", { name: "Revoke the invitation" }).click();
    await page.getByText("Nobody is invited.").waitFor();
    expectCleanBut(opened, 400);
  });

  it("makes a key that is shown once, rotates it and revokes it", async () => {
    const place = `/keys?tenantId=${tenantId}`;
    const opened = await visits.open(place);
    const { page } = opened;
    await page.getByText("Create a key").click();
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(tenantId);
    await page.getByLabel("Name", { exact: true }).fill(`reader ${hostile}`);
    const scopes = page.locator("fieldset[name=scopes]");
    expect(await scopes.locator("input:checked").count()).toBe(0);
    await page.getByRole("button", { name: "Create the key" }).click();
    await scopes.locator("+ .fault").waitFor();
    await page.getByLabel("Valid for").selectOption("30");
    await page.getByRole("button", { name: "Read only" }).click();
    await scopes.getByText("instances 1 chosen").click();
    await page.getByRole("button", { name: "Deploy" }).click();
    await takeScreenshot(page, "console-key-form", { fullPage: true });
    await expectReadable(page);
    const chosen = await scopes.locator("input:checked").evaluateAll(valuesOf);
    expect(chosen).toContain("instances:write");
    expect(chosen).not.toContain("instances:read");
    await page.getByRole("button", { name: "Everything that I may" }).click();
    expect(await scopes.locator("input:checked").evaluateAll(valuesOf)).toEqual(["*"]);
    await scopes.getByLabel("everything that I may").uncheck();
    await scopes.locator('[value="instances:read"]').check();
    await page.getByRole("button", { name: "Create the key" }).click();
    const shown = page.locator("[role=status] code");
    const key = await shown.innerText();
    await page.getByRole("button", { name: "I have it" }).click();
    const keys = await client.get<{
      data: { name: string; scopes: string[]; expiresAt: string }[];
    }>("/api-keys");
    expect(keys.data[0]).toMatchObject({
      name: `reader ${hostile}`,
      scopes: ["instances:read"],
    });
    const days = (Date.parse(keys.data[0]?.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    places.push(place);
    const row = page.getByRole("row", { name: /^reader/ });
    await row.getByText("Rotate").click();
    await row.getByLabel(/^The old key/).selectOption("0");
    await row.getByRole("button", { name: /^Make a new key/ }).click();
    expect(await shown.innerText()).not.toBe(key);
    await page.getByRole("button", { name: "I have it" }).click();
    page.once("dialog", (dialog) => void dialog.accept());
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await row.getByText("revoked").waitFor();
    expectCleanBut(opened, 400);
  });

  it("opens an incident for whom it was told and resolves it, and finds both in the audit log", async () => {
    const opened = await visits.open("/incidents");
    const { page } = opened;
    await page.getByText("Open an incident").click();
    await page.getByRole("textbox", { name: "Title" }).fill(`Slow ${hostile}`);
    await page.getByLabel(/^Message/).fill("Deployments take longer.");
    await page.getByLabel(/^Affected/).fill("deployments\ntargets");
    const create = page.getByRole("button", { name: "Open the incident" });
    const owner = page.locator("fieldset[name=tenantId]");
    expect(await owner.locator("input:checked").count()).toBe(0);
    // Nothing is chosen: the browser itself asks, and where it does not, the script does.
    await create.click();
    expect(await owner.locator("input:invalid").count()).toBe(2);
    await page.locator("form[data-form]").evaluate(withoutValidation);
    await create.click();
    await page.getByText("Say whether it is for one tenant or for the whole platform.").waitFor();
    await owner.getByLabel("one tenant").check();
    await create.click();
    await page.getByText("Say for which tenant.").waitFor();
    await takeScreenshot(page, "console-incident-owner", { fullPage: true });
    await expectReadable(page);
    const before = await client.get<{ data: unknown[] }>("/incidents");
    expect(before.data).toEqual([]);
    await owner.getByLabel("the whole platform").check();
    await owner.getByLabel(/^Tenant/).fill(tenantId);
    expect(await owner.getByLabel("one tenant").isChecked()).toBe(true);
    await create.click();
    await page.getByRole("heading", { name: `Slow ${hostile}` }).waitFor();
    const place = new URL(page.url()).pathname;
    places.push("/incidents", place, `/audit?tenantId=${tenantId}`);
    await page.getByLabel(/^Message/).fill("It is over.");
    await page.locator("select[name=status]").selectOption("RESOLVED");
    await page.getByRole("button", { name: "Post the update" }).click();
    await page.getByText("open it again").waitFor();
    expect(await client.get(place)).toMatchObject({
      tenantId,
      status: "RESOLVED",
      components: ["deployments", "targets"],
    });
    await page.goto(new URL(`/audit?tenantId=${tenantId}&resourceType=incident`, page.url()).href);
    expect(await page.getByRole("row").count()).toBe(3);
    await page.getByRole("link", { name: "incident.create" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    visits.expectClean(opened);
  });

  it("makes a feature flag, never in place of another, and edits it", async () => {
    const opened = await visits.open("/flags");
    const { page } = opened;
    const key = `checkout-${crypto.randomUUID().slice(0, 8)}`;
    const create = page.getByRole("button", { name: "Create the flag" });
    await unfold(page, "Create a flag");
    await page.getByLabel(/^Key/).fill(key);
    await page.getByLabel("Type").selectOption("string");
    await page.getByLabel(/^Variants/).fill("not JSON");
    await create.click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("Variants is not JSON");
    await page.getByLabel(/^Variants/).fill(`{ "a": "1", "b": ${JSON.stringify(hostile)} }`);
    await page.getByLabel(/^Default variant/).fill("a");
    await create.click();
    await page.getByRole("heading", { name: key }).waitFor();
    const place = new URL(page.url()).pathname;
    places.push("/flags", place);
    await page.getByText("Edit", { exact: true }).click();
    await page.getByLabel(/^Rules/).fill('[{ "percentage": 25, "variant": "b" }]');
    await page.getByLabel(/^Enabled/).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("25 %").waitFor();
    await page.getByText("Edit", { exact: true }).click();
    await takeScreenshot(page, "console-flag-form", { fullPage: true });
    await page.goto(new URL("/flags", page.url()).href);
    await unfold(page, "Create a flag");
    await page.getByLabel(/^Key/).fill(key);
    await create.click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("one of this name");
    expectCleanBut(opened, 412);
  });

  const screens = [
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))(
    "is readable on a %s",
    { timeout: 60_000 },
    async ([name, options]) => {
      const opened = await visits.open("/webhooks", options);
      const { page } = opened;
      for (const place of places) {
        const response = await page.goto(new URL(place, page.url()).href);
        expect([place, response?.status()]).toEqual([place, 200]);
        if (!name.includes("script")) await expectReadable(page);
        const [room, id, more] = new URL(page.url()).pathname.slice(1).split("/");
        const picture = ["console", room, id && "one", more, ...name.split(" ")].filter(Boolean);
        await takeScreenshot(page, picture.join("-"), { fullPage: true });
      }
      visits.expectClean(opened);
    },
  );
});

function valuesOf(inputs: Element[]): string[] {
  return inputs.map((input) => (input as HTMLInputElement).value);
}

function withoutValidation(form: Element): void {
  (form as HTMLFormElement).noValidate = true;
}
