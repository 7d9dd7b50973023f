/** The console's pages of members, invitations and keys, as people use them. */
import { expect, it } from "vitest";
import { describeInBrowser, takeScreenshot } from "./browser.ts";
import { consoleTenant, expectCleanBut, hostile, readableOnScreens } from "./console-tenant.ts";
import { expectReadable } from "./console-visit.ts";

describeInBrowser("the console's members and keys", () => {
  const scene = consoleTenant();
  const places: string[] = [];

  it("invites a person by a link that is shown once, renews the invitation and revokes it", async () => {
    const place = `/members?tenantId=${scene.tenantId}`;
    const opened = await scene.visits.open(place);
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
    expectCleanBut(scene, opened, 400);
  });

  it("makes a key that is shown once, rotates it and revokes it", async () => {
    const place = `/keys?tenantId=${scene.tenantId}`;
    const opened = await scene.visits.open(place);
    const { page } = opened;
    await page.getByText("Create a key").click();
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(scene.tenantId);
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
    const keys = await scene.client.get<{
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
    expectCleanBut(scene, opened, 400);
  });

  readableOnScreens(scene, places);
});

function valuesOf(inputs: Element[]): string[] {
  return inputs.map((input) => (input as HTMLInputElement).value);
}
