/** The pages of templates, as people use them: a source is typed, checked and completed, saved, and made an instance of. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { completionsAt } from "#console/browser/editor/completions.ts";
import type { RootSchema } from "#console/browser/editor/schema.ts";
import { functionWords } from "#engine/expressions/function-words.ts";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { partOf } from "../support/depth.ts";
import { describeInBrowser, overflowOf, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop, expectReadable } from "./console-visit.ts";

const hostile = `<img src=x onerror="document.title='taken'">`;
const source = `# ${hostile}
config:
  zone: { type: string, enum: [eu-1, us-1] }
  password: { type: string, secret: true, minLength: 12 }
resources:
  net:
    type: mock:Network
    properties:
      name: net-\${zone}
  db:
    type: mock:Database
    properties:
      name: db
      password: \${password}
      network: \${net.id}
`;

describeInBrowser("the pages of templates", () => {
  let visits: ConsoleVisits;
  let client: Client;
  let tenantId: string;
  let templateId: string;
  let place: string;

  beforeAll(async () => {
    const service = await sharedService();
    visits = await consoleVisits(service);
    const operator = clientOf(service.address, service.operatorKey);
    ({ id: tenantId } = await operator.post<Named>("/tenants", {
      name: "Templates",
      slug: `templates-${crypto.randomUUID().slice(0, 8)}`,
    }));
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: "pipeline",
      scopes: ["*"],
      tenantId,
    });
    client = clientOf(service.address, key);
    const description = `A network and a database ${hostile}`;
    ({ id: templateId } = await client.post<Named>("/templates", {
      name: "shop",
      description,
      source,
    }));
    place = `/templates/${templateId}`;
    await client.post("/cloud/targets", {
      provider: "mock",
      name: "sandbox",
      config: {},
      allowedRegions: ["eu-1"],
      defaultRegion: "eu-1",
    });
  });

  afterAll(async () => {
    await visits?.close();
  });

  const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: "Source, in YAML" });

  /** Waits for what is offered, with this first, and takes it. */
  async function take(page: Page, option: string): Promise<void> {
    const chosen = page.locator(".cm-tooltip-autocomplete [aria-selected]");
    await expect.poll(() => chosen.allInnerTexts()).toEqual([expect.stringContaining(option)]);
    // What was typed a moment ago may be meant for the editor still.
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
  }

  async function tabTo(page: Page, words: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      const [name] = await page.evaluate(() => {
        const { activeElement } = document;
        const label = activeElement?.closest("label")?.querySelector("span")?.textContent;
        return [label ?? activeElement?.textContent];
      });
      if (name === words) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`No press of Tab leads to ${words}.`);
  }

  it("says what is wrong at its line while one types, completes, saves a version and makes an instance of it, by keyboard alone", async () => {
    const opened = await visits.open(place);
    const { page } = opened;
    const editor = editorOf(page);
    await editor.waitFor();
    await tabTo(page, "Delete");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await editor.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  web:\n  type: mock:Ser");
    await take(page, "mock:Server");
    await page.keyboard.type("\nprop");
    await take(page, "properties");
    await page.keyboard.type("na");
    await take(page, "name");
    await page.keyboard.type("a\nnetwrk: ${net.i");
    await take(page, "id");
    const message = page.locator(".words.warning", { hasText: "Did you mean" });
    await message.waitFor();
    expect(await message.innerText()).toContain(`"network"`);
    const found = page.locator("#diagnostics li", { hasText: "netwrk" });
    expect(await found.getByRole("link").innerText()).toMatch(/^Line 20,/);
    await page.locator("#makes td", { hasText: "mock:Server" }).waitFor();
    await takeScreenshot(page, "console-template-problem", { fullPage: true });
    await expectReadable(page);

    // From the list to the place in the text, to correct it there.
    await page.keyboard.press("Control+Home");
    await found.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Delete");
    await page.keyboard.type("network");
    await message.waitFor({ state: "detached" });
    // The first one closes what is offered, if it is open.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await tabTo(page, "Save as version 2");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${place}?version=2`);
    await page.getByRole("heading", { name: "Source of version 2" }).waitFor();
    const { source: saved } = await client.get<{ source: string }>(`${place}/versions/2`);
    expect(saved).toBe(
      `${source}  web:\n    type: mock:Server\n    properties:\n      name: a\n      network: \${net.id}`,
    );

    await tabTo(page, "Make an instance");
    await page.keyboard.press("Enter");
    await tabTo(page, "Name of the instance");
    await page.keyboard.type("shop");
    await tabTo(page, "Target");
    await page.keyboard.type("sand");
    await tabTo(page, "zone");
    await page.keyboard.type("us");
    await tabTo(page, "password");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    await page.locator("label:has-text('password') .fault").waitFor();
    await takeScreenshot(page, "console-template-instance", { fullPage: true });
    await page.keyboard.type(" and long enough");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/instances/*");
    const [made] = await client.list<Named>(`/instances?templateId=${templateId}`);
    expect(await client.get(`/instances/${made?.id}`)).toMatchObject({
      name: "shop",
      templateVersion: 2,
      variables: { zone: "us-1", password: "[secret]" },
    });
    expect(await page.title()).not.toBe("taken");
    // The browser reports the answer that refused the short password.
    const errors = opened.errors.filter((error) => !error.includes("status of 400"));
    visits.expectClean({ ...opened, errors });
  }, 60_000);

  it("completes the properties of a type that the schema names only when it is asked for", async () => {
    const opened = await visits.open("/templates/new");
    const { page } = opened;
    await page.getByLabel("Name", { exact: true }).fill("queue");
    await page
      .locator("form[data-form]")
      .getByLabel(/^Tenant/)
      .fill(tenantId);
    const editor = editorOf(page);
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("resources:\n  logs:\n  type: aws:AWS::SQS::Queu");
    await take(page, "aws:AWS::SQS::Queue");
    await page.keyboard.type("\nprop");
    await take(page, "properties");
    await page.keyboard.type("FifoQ");
    await take(page, "FifoQueue");
    await page.keyboard.type("tr");
    await take(page, "true");
    await page.keyboard.press("Control+s");
    await page.waitForURL(/templates\/[0-9a-f-]{36}$/);
    await page.getByRole("heading", { name: "queue" }).waitFor();
    const { pathname } = new URL(page.url());
    const { source: saved } = await client.get<{ source: string }>(`${pathname}/versions/1`);
    expect(saved).toContain("      FifoQueue: true");
    visits.expectClean(opened);
  });

  it("marks the text in question from its start to its end, and completes a function", async () => {
    const { id } = await client.post<Named>("/templates", { name: "marked", source });
    const opened = await visits.open(`/templates/${id}`);
    const { page } = opened;
    await editorOf(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("outputs:\n  o: ${net.id + zonne.upp");
    await take(page, "upperAscii");
    await page.keyboard.type("()");
    const marked = page.locator(".cm-lintRange-error");
    await expect.poll(() => marked.allInnerTexts()).toEqual(["zonne"]);
    visits.expectClean(opened);
  });

  it("asks before a version of somebody else is left out of the next", async () => {
    const { id } = await client.post<Named>("/templates", { name: "shared", source });
    const opened = await visits.open(`/templates/${id}`);
    const { page } = opened;
    await editorOf(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# mine\n");
    await client.post(`/templates/${id}/versions`, { source: `# theirs\n${source}` });
    let asked = "";
    page.once("dialog", (dialog) => {
      asked = dialog.message();
      void dialog.dismiss();
    });
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await expect.poll(() => asked).toContain("Version 2 was added meanwhile");
    expect(await client.list(`/templates/${id}/versions`)).toHaveLength(2);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.waitForURL(`**/templates/${id}?version=3`);
    visits.expectClean(opened);
  });

  it("offers what the schema and the template allow at each place", async () => {
    const above = `config:
  zone: { type: string }
resources:
  net:
    type: mock:Network
    properties: { name: net, type: other }
  web:
    type: mock:Server
`;
    const loop = `${above}  loop:\n    type: mock:Server\n    forEach: [a]\n    properties:\n`;
    // `|` is the cursor.
    const places: readonly (readonly [text: string, first: readonly string[]])[] = [
      ["|", ["name", "description", "runtime", "config"]],
      ["# |", []],
      [`${above}    |`, ["properties", "get", "when", "forEach", "options"]],
      ["resources:\n  a:\n    |", ["type", "component", "version", "properties"]],
      ["resources:\n  a:\n    component: b\n    |", ["version", "properties", "when"]],
      [`${above}    when: |`, ["true", "false"]],
      [
        `${above}    properties:\n      name: web\n      |\n      region: x`,
        ["tags", "image", "size"],
      ],
      [`${above}    properties: { name: web, |`, ["region", "tags", "image"]],
      [`${above}    options:\n      protect: |`, ["true", "false"]],
      [`${above}    options:\n      aliases:\n      - |`, ["name", "key", "address", "to"]],
      [`${above}    options:\n      dependsOn:\n        - \${|`, ["zone", "net", "web", "control"]],
      [`${above}    properties:\n      name: a-\${net.|`, ["id", "name", "region", "tags", "cidr"]],
      [
        `${above}    properties:\n      name: \${control.target.|`,
        ["name", "region", "environment"],
      ],
      [`${above}    properties:\n      name: $\${|`, []],
      [`${above}    when: \${zone == "|`, []],
      [`${above}    when: \${zone == "}" && net.|`, ["id", "name", "region"]],
      [`${above}    when: '\${zone.?|`, ["all", "charAt", "contains"]],
      [`${above}    when: '\${zone.trim().st|`, ["all", "charAt", "contains"]],
      [`${above}    when: '\${base64.|`, ["decode", "encode"]],
      [`${loop}      name: \${each.|`, ["key", "value", "all"]],
      [`${loop}      name: \${loop.|`, ["all"]],
      [`${loop}      name: "\${loop[\\"a\\"].|`, ["id", "name"]],
      [`${above}outputs:\n  o: \${each.|`, ["all"]],
      ["config:\n  zone: { type: |", ["string", "integer", "number"]],
      ["config:\n  constructor:\n    |", ["type", "default", "secret"]],
    ];
    const schema = await client.get<RootSchema>("/templates/schema");
    const functions = functionWords();
    const offeredAt = (text: string) => {
      const [before = "", after = ""] = text.split("|");
      const lines = `${before}${after}`.split("\n");
      const above = before.split("\n");
      const found = completionsAt(schema, lines, above.length - 1, above.at(-1) ?? "", functions);
      return found?.options ?? [];
    };
    const labelsAt = (text: string) => offeredAt(text).map(({ label }) => label);
    for (const [text, first] of places)
      expect([text, labelsAt(text).slice(0, first.length || 1)]).toEqual([text, first]);
    expect(labelsAt(`${loop}      name: \${1 + |`)).toEqual(
      expect.arrayContaining(["zone", "net", "each", "control", "has", "omit", "cidrSubnet"]),
    );
    expect(labelsAt(`${above}    properties:\n      name: \${|`)).not.toContain("each");
    expect(offeredAt(`${above}    when: '\${zone.|`)).toContainEqual(
      expect.objectContaining({
        label: "startsWith",
        detail: "text.startsWith(start)",
        info: "Whether the text starts with another one.",
      }),
    );
  });

  const screens = [
    ["desktop", desktop],
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 4))("is readable on a %s", async ([name, options]) => {
    const opened = await visits.open(place, options);
    const { page } = opened;
    const isScripted = !name.includes("script");
    for (const [picture, shown] of [
      ["template", place],
      ["templates", "/templates"],
      ["template-new", "/templates/new"],
    ] as const) {
      await page.goto(new URL(shown, page.url()).href);
      if (isScripted && picture !== "templates") await editorOf(page).waitFor();
      expect([shown, await overflowOf(page)]).toEqual([shown, 0]);
      if (isScripted) await expectReadable(page);
      await takeScreenshot(page, `console-${picture}-${name.replaceAll(" ", "-")}`, {
        fullPage: true,
      });
    }
    visits.expectClean(opened);
  });
});
