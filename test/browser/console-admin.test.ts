/** The console's pages of targets, incidents and feature flags, as people use them. */
import { expect, it } from "vitest";
import { describeInBrowser, takeScreenshot } from "./browser.ts";
import {
  consoleTenant,
  expectCleanBut,
  hostile,
  readableOnScreens,
  unfold,
  withoutValidation,
} from "./console-tenant.ts";
import { expectReadable } from "./console-visit.ts";

describeInBrowser("the console, around deployments", () => {
  const scene = consoleTenant();
  const places: string[] = [];

  it("registers a target, says what verifying found, and has it deleted by its name", async () => {
    const opened = await scene.visits.open("/targets");
    const { page } = opened;
    await page.getByLabel("Provider").last().selectOption("mock");
    await page.getByRole("button", { name: "Go on" }).click();
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(scene.tenantId);
    await page.getByLabel("Name", { exact: true }).fill(`Sandbox ${hostile}`);
    await page.getByLabel("Environment").selectOption("sandbox");
    await page.getByLabel("Latency (ms)").fill("70000");
    await page.getByLabel(/^Regions/).fill("eu-1\nus-1");
    await page.getByLabel("Default region").fill("eu-1");
    await page.getByRole("button", { name: "Register" }).click();
    await page.locator(".fault").waitFor();
    await expectReadable(page);
    await takeScreenshot(page, "console-target-form", { fullPage: true });
    await page.getByLabel("Latency (ms)").fill("5");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("heading", { name: `Sandbox ${hostile}` }).waitFor();
    const place = new URL(page.url()).pathname;
    places.push("/targets", place);
    expect(await scene.client.get(`/cloud${place}`)).toMatchObject({
      tenantId: scene.tenantId,
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
    await page.getByLabel("Latency (ms)").fill("");
    await page.getByLabel("Default region").fill("us-1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => scene.client.get(`/cloud${place}`))
      .toMatchObject({ defaultRegion: "us-1" });
    expect(await scene.client.get(`/cloud${place}`)).toHaveProperty("config", {});
    expectCleanBut(scene, opened, 400);
  });

  it("opens an incident for whom it was told and resolves it, and finds both in the audit log", async () => {
    const opened = await scene.visits.open("/incidents");
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
    const before = await scene.client.get<{ data: unknown[] }>("/incidents");
    expect(before.data).toEqual([]);
    await owner.getByLabel("the whole platform").check();
    await owner.getByLabel(/^Tenant/).fill(scene.tenantId);
    expect(await owner.getByLabel("one tenant").isChecked()).toBe(true);
    await create.click();
    await page.getByRole("heading", { name: `Slow ${hostile}` }).waitFor();
    const place = new URL(page.url()).pathname;
    places.push("/incidents", place, `/audit?tenantId=${scene.tenantId}`);
    await page.getByLabel(/^Message/).fill("It is over.");
    await page.locator("select[name=status]").selectOption("RESOLVED");
    await page.getByRole("button", { name: "Post the update" }).click();
    await page.getByText("open it again").waitFor();
    expect(await scene.client.get(place)).toMatchObject({
      tenantId: scene.tenantId,
      status: "RESOLVED",
      components: ["deployments", "targets"],
    });
    await page.goto(
      new URL(`/audit?tenantId=${scene.tenantId}&resourceType=incident`, page.url()).href,
    );
    expect(await page.getByRole("row").count()).toBe(3);
    await page.getByRole("link", { name: "incident.create" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    scene.visits.expectClean(opened);
  });

  it("chooses a tenant without a button, and tells times exactly", async () => {
    const opened = await scene.visits.open("/targets");
    const { page } = opened;
    expect(await page.getByRole("button", { name: "Show" }).count()).toBe(0);
    await page.locator("select[name=tenantId]").first().selectOption(scene.tenantId);
    await page.waitForURL(`**/targets?tenantId=${scene.tenantId}`);
    await page.goto(new URL(`/audit?tenantId=${scene.tenantId}`, page.url()).href);
    const time = page.locator("time").first();
    expect(await time.innerText()).toMatch(/ago|just now/);
    expect(await time.getAttribute("title")).toMatch(/\d .*\(20\d\d-[\d-]+ [\d:]+ UTC\)$/);
    scene.visits.expectClean(opened);
  });

  it("makes a feature flag, never in place of another, and edits it", async () => {
    const opened = await scene.visits.open("/flags");
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
    expectCleanBut(scene, opened, 412);
  });

  readableOnScreens(scene, places);
});
