/** What people change on the page of an instance: variables by their type, triggers, settings, and its end. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { describeInBrowser, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, expectReadable } from "./console-visit.ts";
import type { SharedService } from "./shared-service.ts";

const source = `
config:
  label: { type: string, default: none }
  size: { type: string, enum: [small, large], default: small }
  count: { type: integer, default: 1 }
  public: { type: boolean, default: false }
  settings: { type: object, default: {} }
  password: { type: string, secret: true, default: "first horse" }
  network: { type: string, default: "" }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
outputs:
  networkId: \${net.id}
  secretId:
    fn::secret: \${net.id}
`;

interface Instance {
  name: string;
  variables: Record<string, unknown>;
  labels: Record<string, string>;
  approvalMode: string | null;
  expiresAt: string | null;
  templateVersion: number;
}

describeInBrowser("the page of an instance", () => {
  let service: SharedService;
  let visits: ConsoleVisits;
  let client: Client;
  let templateId: string;
  let targetId: string;

  beforeAll(async () => {
    service = await sharedService();
    visits = await consoleVisits(service);
    const operator = clientOf(service.address, service.operatorKey);
    const tenant = await operator.post<Named>("/tenants", {
      name: "Instance",
      slug: `instance-${Date.now()}`,
    });
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: "pipeline",
      scopes: ["*"],
      tenantId: tenant.id,
    });
    client = clientOf(service.address, key);
    ({ id: templateId } = await client.post<Named>("/templates", { name: "typed", source }));
    ({ id: targetId } = await client.post<Named>("/cloud/targets", {
      provider: "mock",
      name: "cloud",
      environment: "sandbox",
      config: {},
      allowedRegions: ["eu-1"],
      defaultRegion: "eu-1",
    }));
  });

  afterAll(async () => {
    await visits?.close();
  });

  async function instanceNamed(name: string, more: object = {}): Promise<string> {
    const body = { name, templateId, targetId, ...more };
    return (await client.post<Named>("/instances", body)).id;
  }

  it("sends variables as their types, only those that were changed, and not over another's change", async () => {
    const id = await instanceNamed("typed", { variables: { settings: { a: 1, b: 2 }, count: 3 } });
    const read = () => client.get<Instance>(`/instances/${id}`);
    const opened = await visits.open(`/instances/${id}/variables`);
    const { page } = opened;
    await page.getByText("Change variables").click();
    await variable(page, "label").fill("123");
    await variable(page, "size").selectOption("large");
    await variable(page, "public").selectOption("true");
    await variable(page, "count").fill("");
    await variable(page, "settings").fill('{"b": 2, "c": [1]}');
    await variable(page, "password").fill("another horse ");
    await takeScreenshot(page, "console-instance-variables", { fullPage: true });
    await saveAndWait(page, "Save the variables");
    expect((await read()).variables).toEqual({
      label: "123",
      size: "large",
      public: true,
      settings: { b: 2, c: [1] },
      password: "[secret]",
    });

    await page.getByText("Change variables").click();
    await page.getByRole("button", { name: "Save the variables" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("Nothing is different");
    await variable(page, "label").fill("mine");
    await client.patch(`/instances/${id}`, { variables: { label: "theirs" } });
    await page.getByRole("button", { name: "Save the variables" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("changed meanwhile");
    expect((await read()).variables).toMatchObject({ label: "theirs" });

    await page.reload();
    await page.getByText("Change variables").click();
    await variable(page, "count").fill("1.5");
    await page.getByRole("button", { name: "Save the variables" }).click();
    await page.locator("label:has([aria-invalid]) .fault").waitFor();
    expect(await page.locator("[aria-invalid]").getAttribute("name")).toBe("variables.count");
    // What the browser itself says of refused requests.
    expect(opened.errors.filter((text) => !/status of 4(00|12)/.test(text))).toEqual([]);
  });

  it("adds, disables, rotates and deletes triggers of each kind", async () => {
    const id = await instanceNamed("triggered");
    const list = async () =>
      (
        await client.get<{ data: { kind: string; enabled: boolean; condition: object }[] }>(
          `/instances/${id}/triggers`,
        )
      ).data;
    const opened = await visits.open(`/instances/${id}/triggers`);
    const { page } = opened;
    const open = async (words: string) => {
      await page.getByText("Add a trigger").click();
      await page.getByText(words, { exact: true }).click();
      return page.locator("details.foldout details.foldout[open]");
    };
    let form = await open("Deploy at set times");
    await form.getByLabel(/^When/).fill("0 3 * * 1");
    await form.getByLabel("Time zone").fill("Europe/Berlin");
    await saveAndWait(page, "Add: deploy at set times");
    form = await open("Check for drift at set times");
    await form.getByLabel(/^When/).fill("30 * * * *");
    await form.getByLabel("Deploy when it found drift").check();
    await saveAndWait(page, "Add: check for drift");
    form = await open("Deploy new versions of the template");
    await form.getByLabel("From version").fill("2");
    await form.getByLabel("Add a version when a component has a new release").check();
    await saveAndWait(page, "Add: deploy new versions");
    form = await open("Deploy when an output that it reads is different");
    await form.getByLabel("Only outputs of these names").fill("networkId");
    await saveAndWait(page, "Add: deploy when an output");
    form = await open("Deploy when its secret URL is called");
    await form.getByLabel("Calls are signed").selectOption("standard");
    await form.getByRole("button").click();
    const shown = page.getByText("Copy this now: it is not shown again.").locator("..");
    expect(await shown.innerText()).toMatch(
      /Address to call: http:\S*\/hooks\/\S+[\s\S]+Signing key: \S+/,
    );
    await Promise.all([
      page.waitForEvent("load"),
      shown.getByRole("button", { name: "I have it" }).click(),
    ]);
    expect((await list()).map(({ kind, condition }) => [kind, condition]).toReversed()).toEqual([
      ["schedule", { cron: "0 3 * * 1", timeZone: "Europe/Berlin" }],
      ["drift", { cron: "30 * * * *", timeZone: "UTC", remediate: true }],
      ["template_version", { from: 2, components: true }],
      ["upstream_output", { outputs: ["networkId"] }],
      ["inbound_webhook", { signature: "standard" }],
    ]);
    await takeScreenshot(page, "console-instance-triggers", { fullPage: true });

    await saveAndWait(page, "Disable schedule");
    expect((await list()).at(-1)).toMatchObject({ kind: "schedule", enabled: false });
    await saveAndWait(page, "Enable schedule");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Rotate the URL" }).click();
    await page.getByText("Copy this now").waitFor();
    await page.reload();
    for (const kind of [
      "schedule",
      "drift",
      "template version",
      "upstream output",
      "inbound webhook",
    ]) {
      page.once("dialog", (dialog) => void dialog.accept());
      await saveAndWait(page, `Delete ${kind}`);
    }
    expect(await list()).toEqual([]);
    visits.expectClean(opened);
  }, 60_000);

  it("is renamed, labelled, bound, upgraded and deleted", async () => {
    const id = await instanceNamed("upstream");
    const reader = await instanceNamed("reader", {
      bindings: { network: { instanceId: id, output: "networkId" } },
    });
    const read = () => client.get<Instance>(`/instances/${id}`);
    const opened = await visits.open(`/instances/${id}/settings`);
    const { page } = opened;
    await page.getByLabel("Name", { exact: true }).fill("renamed");
    await page.getByLabel(/^Labels/).fill("team=web\ntier=front");
    await page.getByLabel("Plans wait for approval").selectOption("always");
    await page.getByLabel("Destroyed automatically").fill("2099-01-02T03:04");
    await saveAndWait(page, "Save the settings");
    expect(await read()).toMatchObject({
      name: "renamed",
      labels: { team: "web", tier: "front" },
      approvalMode: "always",
      expiresAt: "2099-01-02T03:04:00.000Z",
    });
    await page.getByLabel(/^Labels/).fill("tier=back");
    await page.getByLabel("Destroyed automatically").fill("");
    await saveAndWait(page, "Save the settings");
    expect(await read()).toMatchObject({ labels: { tier: "back" }, expiresAt: null });

    await client.post(`/templates/${templateId}/versions`, { source: `${source}# more\n` });
    await page.reload();
    page.once("dialog", (dialog) => void dialog.accept());
    await saveAndWait(page, "Use version 2");
    expect((await read()).templateVersion).toBe(2);

    await page.getByRole("link", { name: "Variables", exact: true }).click();
    await page.waitForURL(`**/instances/${id}/variables`);
    const below = page.getByRole("row").filter({ hasText: "reader" });
    expect((await below.innerText()).split(/\s+/)).toEqual(["networkId", "reader", "network"]);
    await takeScreenshot(page, "console-instance-bindings", { fullPage: true });
    await expectReadable(page);
    await below.getByRole("link").click();
    await page.waitForURL(`**/instances/${reader}`);
    await page.getByRole("link", { name: "Variables", exact: true }).click();
    await page.waitForURL(`**/instances/${reader}/variables`);
    page.once("dialog", (dialog) => void dialog.accept());
    await saveAndWait(page, "Remove the binding of network");
    const fillBinding = async () => {
      await page.getByText("Bind a variable").click();
      await page.getByLabel(/^Variable/).selectOption("network");
      await page.getByLabel(/^Instance/).selectOption("renamed");
      await page.getByLabel(/^Its output/).fill("networkId");
    };
    const readBindings = async () =>
      (await client.get<{ bindings: unknown }>(`/instances/${reader}`)).bindings;
    expect(await readBindings()).toEqual({});

    await fillBinding();
    await takeScreenshot(page, "console-instance-bind", { fullPage: true });
    await expectReadable(page);
    await client.patch(`/instances/${reader}`, { labels: { by: "others" } });
    await page.getByRole("button", { name: "Bind the variable" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("changed meanwhile");
    expect(await readBindings()).toEqual({});
    await page.reload();
    await fillBinding();
    await saveAndWait(page, "Bind the variable");
    expect(await readBindings()).toEqual({
      network: { instanceId: id, output: "networkId" },
    });
    page.once("dialog", (dialog) => void dialog.accept());
    await saveAndWait(page, "Remove the binding of network");
    expect(opened.errors.splice(0)).toEqual([expect.stringContaining("412")]);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Delete the instance" }).click();
    await page.waitForURL("**/instances");
    visits.expectClean(opened);

    const small = await visits.open(`/instances/${id}/variables`, phone);
    await small.page.getByText("Change variables").click();
    await expectReadable(small.page);
    await small.page.getByRole("link", { name: "Triggers", exact: true }).click();
    await small.page.getByText("Add a trigger").click();
    await expectReadable(small.page);
    await takeScreenshot(small.page, "console-instance-phone", { fullPage: true });
  }, 60_000);
});

function variable(page: Page, name: string): Locator {
  return page.locator(`[name="variables.${name}"]`);
}

/** Presses, and waits until the page was loaded again. */
async function saveAndWait(page: Page, name: string): Promise<void> {
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name }).first().click(),
  ]);
}
