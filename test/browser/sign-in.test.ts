/** Signing in, at `npm start`'s own provider, as a person does: pages, a provider elsewhere, cookies, keys. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOf } from "../../scripts/client/client.ts";
import { partOf } from "../support/depth.ts";
import {
  describeInBrowser,
  type OpenPage,
  overflowOf,
  phone,
  sharedService,
  smallTexts,
  startBrowser,
  takeScreenshot,
  type TestBrowser,
} from "./browser.ts";
import { expectReadable } from "./console-visit.ts";

const desktop = { viewport: { width: 1280, height: 900 } };

describeInBrowser("signing in", () => {
  let address: string;
  let issuer: string;
  let operatorKey: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    ({ address, operatorKey, issuer } = await sharedService());
    browser = await startBrowser(address);
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** Nothing was refused or failed, and nobody was asked but the service and the provider. */
  function expectClean({ errors, violations, foreignRequests }: OpenPage): void {
    const strangers = foreignRequests.filter((url) => new URL(url).origin !== issuer);
    expect({ errors, violations, strangers }).toEqual({
      errors: [],
      violations: [],
      strangers: [],
    });
  }

  async function signIn(who: string, options = {}): Promise<OpenPage> {
    const opened = await browser.open("/login?returnTo=/account", { ...desktop, ...options });
    await opened.page.getByRole("link", { name: /^Continue with/ }).click();
    await opened.page.getByLabel("Operator key").fill(operatorKey);
    await opened.page.getByRole("button", { name: who }).click();
    await opened.page.waitForURL(`${address}/account`);
    return opened;
  }

  /** What the API answers to the page itself, with the cookie. */
  async function ask(page: Page, method: string, at: string, headers = {}, body?: unknown) {
    return page.evaluate(
      async ([method, at, headers, body]) => {
        const json = { "content-type": "application/json", ...headers };
        const init =
          body === undefined ? { headers } : { headers: json, body: JSON.stringify(body) };
        const response = await fetch(`/api/v1${at}`, { method, ...init });
        const text = await response.text();
        return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
      },
      [method, at, headers, body] as const,
    );
  }

  it("works by the keyboard alone, from the page to the account and out again", async () => {
    const opened = await browser.open("/login?returnTo=/account", desktop);
    const { page } = opened;
    await page.keyboard.press("Tab");
    const button = page.locator(":focus");
    expect(await button.innerText()).toBe("Continue with Development");
    const outline = await button.evaluate((element) => getComputedStyle(element).outlineWidth);
    expect(Number.parseFloat(outline)).toBeGreaterThan(1);
    await takeScreenshot(page, "login");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${issuer}/interaction/**`);
    await takeScreenshot(page, "login-provider");
    expect(await page.getByLabel("Operator key").evaluate((field) => field.matches(":focus"))).toBe(
      true,
    );
    await page.keyboard.type(operatorKey);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}/account`);
    expect(await page.locator("h1").innerText()).toBe("Olivia Operator");
    expect(await page.title()).toBe("Olivia Operator · Control API");
    expect(await page.locator("main").innerText()).toContain("operator");

    const proof = { "x-service-csrf": "1" };
    const tenant = { name: "By session", slug: "by-session" };
    const unproved = await ask(page, "POST", "/tenants", {}, tenant);
    expect([unproved.status, unproved.body.code]).toEqual([403, "csrf_required"]);
    expect((await ask(page, "POST", "/tenants", proof, tenant)).status).toBe(201);
    const cookies = await page.context().cookies(address);
    const session = cookies.find(({ name }) => name === "control_session_dev");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    expect(opened.errors.splice(0)).toEqual([expect.stringContaining("403")]);

    const reached: string[] = [];
    while (reached.at(-1) !== "Sign out" && reached.length < 30) {
      await page.keyboard.press("Tab");
      reached.push(await page.locator(":focus").innerText());
    }
    // The page is one of the console: its navigation comes first.
    expect(reached.slice(0, 2)).toEqual(["To the content", "Control API"]);
    expect(reached).toContain("Overview");
    expect(reached.slice(-3)).toEqual(["API reference", "Olivia Operator", "Sign out"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}/login`);
    const kept = { cookie: `control_session_dev=${session?.value ?? ""}` };
    const after = await fetch(`${address}/api/v1/auth/session`, { headers: kept });
    expect(after.status).toBe(401);
    expect((await page.context().cookies(address)).map(({ name }) => name)).not.toContain(
      "control_session_dev",
    );
    expectClean(opened);
  });

  it("makes a member of whoever accepts an invitation, and says who is signed in", async () => {
    const operator = clientOf(address, operatorKey);
    const { id } = await operator.post<{ id: string }>("/tenants", { name: "Acme", slug: "acme" });
    await operator.post(`/tenants/${id}/members`, {
      email: "mark@example.com",
      role: "CustomerAdmin",
    });
    const opened = await signIn("Mark Member");
    const { page } = opened;
    expect(await page.locator("main").innerText()).toContain("You are a member of no tenant yet");
    const own = page.locator("#invitations");
    expect(await own.innerText()).toMatch(/Acme acme\s+admin/);
    await takeScreenshot(page, "account-invited");
    await own.getByRole("button", { name: "Accept the invitation to Acme" }).click();
    await page.waitForURL(`${address}/?tenantId=*`);
    await page.goto(`${address}/account`);
    await page.getByRole("button", { name: "Leave Acme" }).waitFor();
    expect(await own.count()).toBe(0);
    expect(await page.locator("main").innerText()).toMatch(/Acme .*\s+admin/);
    await page.goto(`${address}/login?returnTo=/docs`);
    expect(await page.locator("main").innerText()).toContain("signed in as mark@example.com");
    await takeScreenshot(page, "login-signed-in");
    await page.getByRole("link", { name: "Continue", exact: true }).click();
    await page.waitForURL(`${address}/docs`);
    expectClean(opened);
  });

  it("shows a new key once, which works", async () => {
    const opened = await signIn("Olivia Operator");
    const { page } = opened;
    const fillForm = async () => {
      await page.getByText("Create a key").click();
      await page.getByLabel("the whole platform").check();
      await page.getByLabel("Name", { exact: true }).fill("from the page");
      await page.getByRole("button", { name: "Everything that I may" }).click();
    };
    await fillForm();
    await page.getByRole("button", { name: "Create the key" }).click();
    const shown = page.locator("[role=status] code");
    const key = await shown.innerText();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(key);
    const { data } = await clientOf(address, key).get<{ data: { name: string }[] }>("/api-keys");
    expect(data.map(({ name }) => name)).toContain("from the page");
    await takeScreenshot(page, "account", { fullPage: true });
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByText("Create a key").waitFor();
    expect(await page.content()).not.toContain(key);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Revoke from the page" }).click();
    await page.getByText("You created none that works.").waitFor();
    const refused = await fetch(`${address}/api/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(refused.status).toBe(401);
    await page.route("**/api/v1/api-keys", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
    );
    await fillForm();
    await page.getByRole("button", { name: "Create the key" }).click();
    await expect.poll(() => page.locator("#problem").innerText()).toContain("request failed");
    expect(opened.errors.splice(0)).toEqual([expect.stringContaining("502")]);
    expectClean(opened);
  });

  it("ends a session elsewhere, at once", async () => {
    const there = await signIn("Mark Member");
    const here = await signIn("Mark Member");
    const theirs = (await ask(there.page, "GET", "/auth/session")).body.session.id as string;
    await here.page.locator(`[data-path="/auth/sessions/${theirs}"]`).click();
    await here.page
      .locator(`[data-path="/auth/sessions/${theirs}"]`)
      .waitFor({ state: "detached" });
    expect((await ask(there.page, "GET", "/auth/session")).status).toBe(401);
    await there.page.goto(`${address}/account`);
    expect(there.page.url()).toBe(`${address}/login?returnTo=%2Faccount`);
    expect((await ask(here.page, "GET", "/auth/session")).status).toBe(200);
    expectClean(here);
  });

  it("says in words that somebody gave up at the provider", async () => {
    const opened = await browser.open("/login", phone);
    const { page } = opened;
    await page.getByRole("link", { name: /^Continue with/ }).click();
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole("button", { name: "Do not sign in" }).click();
    await page.waitForURL(`${address}/login?error=provider_refused&returnTo=**`);
    expect(await page.getByRole("alert").innerText()).toContain(
      "refused or canceled at the provider",
    );
    expect(await page.title()).toMatch(/^Sign-in failed/);
    expect(await overflowOf(page)).toBe(0);
    expect(await smallTexts(page, 14)).toEqual([]);
    await takeScreenshot(page, "login-phone-failed");
    expectClean(opened);
  });

  it("asks for the operator key, and says when it is another", async () => {
    const opened = await browser.open("/login", desktop);
    const { page } = opened;
    await page.getByRole("link", { name: /^Continue with/ }).click();
    await page.getByLabel("Operator key").fill("another");
    await page.getByRole("button", { name: "Olivia Operator" }).click();
    expect(await page.getByRole("alert").innerText()).toContain("not the operator key");
    await page.getByLabel("Operator key").fill(operatorKey);
    await page.getByRole("button", { name: "Olivia Operator" }).click();
    await page.waitForURL(`${address}/`);
    expect(opened.errors.splice(0)).toEqual([expect.stringContaining("403")]);
    expectClean(opened);
  });

  it("is not offered under another name of this machine's, which a foreign page could have", async () => {
    const statusFor = async (host: string) => {
      const at = `${issuer}/.well-known/openid-configuration`;
      const [response] = (await once(get(at, { headers: { host } }), "response")) as [
        IncomingMessage,
      ];
      response.resume();
      return response.statusCode;
    };
    expect(await statusFor(new URL(issuer).host)).toBe(200);
    expect(await statusFor("evil.example")).toBe(421);
  });

  const screens = [
    ["phone", phone],
    ["dark phone", { ...phone, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))(
    "leads to an account that is readable on a %s",
    async ([name, options]) => {
      const opened = await signIn("Olivia Operator", options);
      const { page } = opened;
      expect(await overflowOf(page)).toBe(0);
      const buttons = await page.locator("main button:visible").count();
      if (name.includes("script")) expect(buttons).toBe(0);
      else await expectReadable(page);
      await takeScreenshot(page, `account-${name.replaceAll(" ", "-")}`, { fullPage: true });
      expectClean(opened);
    },
  );
});
