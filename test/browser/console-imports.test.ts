/** The imports' pages of the console, as people use them: what is sent and what is not, what is said of it, the draft. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { partOf } from "../support/depth.ts";
import { describeInBrowser, overflowOf, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop, expectReadable } from "./console-visit.ts";

const hostile = `<img src=x onerror="document.title='taken'">`;

describeInBrowser("the console's imports", () => {
  let address: string;
  let visits: ConsoleVisits;
  let temporary: string;
  let folder: string;
  let importPath: string;

  beforeAll(async () => {
    const service = await sharedService();
    ({ address } = service);
    visits = await consoleVisits(service);
    temporary = await mkdtemp(path.join(tmpdir(), "control-api-import-"));
    folder = path.join(temporary, "shop");
    await cp(path.join(projectRoot, "examples/terraform-shop"), folder, { recursive: true });
    const others: Record<string, string | Uint8Array> = {
      ".git/config": "[core]",
      "node_modules/a/package.json": "{}",
      "web/node_modules/b/package.json": "{}",
      "README.md": "# Shop",
      "logo.png": new Uint8Array([137, 80, 78, 71, 0]),
      "large.json": " ".repeat(1024 * 1024 + 1),
      "binary.json": new Uint8Array([123, 0, 125]),
      "latin.yaml": new Uint8Array([97, 58, 32, 233]),
      "terraform.tfstate": '{"version":4,"lineage":"x","resources":[]}',
      "prod.tfvars": 'project = "shop"\n',
      "web/cache.tf": 'resource "other_cache" "extra" {}\n',
      "database/users.tf": `variable "${hostile}" {}\nlocals {\n  db_password = "correct horse"\n}\n`,
    };
    for (const [name, content] of Object.entries(others)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
  });

  afterAll(async () => {
    await visits?.close();
    await rm(temporary, { recursive: true, force: true });
  });

  /** Drops it from outside the browser, as a person does with a file manager. */
  async function drop(page: Page, what: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const box = await page.locator(".drop").boundingBox();
    const at = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 };
    const data = { items: [], files: [what], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }

  const sentWords = (page: Page) => page.locator("#status");

  it("says what of a dropped folder is sent and what is not, tries it, and imports it", async () => {
    const opened = await visits.open("/imports/new");
    const { page } = opened;
    expect(await page.getByRole("button", { name: "Import" }).isDisabled()).toBe(true);
    await drop(page, folder);
    await expect
      .poll(() => sentWords(page).innerText())
      .toMatch(/^10 files, \d+ KiB, will be sent/);
    const left = page.locator("#chosen");
    for (const words of [
      "3 folders with everything in them",
      "2 files of other kinds",
      "1 file over 1 MiB",
      "2 files that are not text in UTF-8",
    ])
      expect(await left.innerText()).toContain(words);
    expect(await left.innerText()).toContain("web/node_modules");
    const cautions = page.locator(".caution");
    expect(await cautions.locator("h2").allInnerTexts()).toEqual([
      "State",
      "Values of variables",
      "Secrets",
    ]);
    expect(await cautions.nth(2).innerText()).toContain("database/users.tf, line 3");
    await takeScreenshot(page, "console-import-chosen", { fullPage: true });
    await expectReadable(page);
    await cautions.nth(0).getByLabel("Send them").uncheck();
    expect(await sentWords(page).innerText()).toMatch(/^9 files/);

    const bodies: { files: { path: string }[] }[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push(request.postDataJSON());
    });
    await page.getByLabel("the whole platform").check();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("heading", { name: "Dry run" }).waitFor();
    expect(await page.locator("#result").innerText()).toContain(
      "The draft has 8 resources whole and 0 in part; 1 is left out.",
    );
    await takeScreenshot(page, "console-import-dry-run", { fullPage: true });
    await page.getByRole("button", { name: "Import" }).click();
    await page.waitForURL(/\/imports\/[\da-f-]{36}$/);
    for (const { files } of bodies)
      expect(files.map((file) => file.path)).toEqual([
        "database/main.tf",
        "database/users.tf",
        "main.tf",
        "network/main.tf",
        "outputs.tf",
        "prod.tfvars",
        "variables.tf",
        "web/cache.tf",
        "web/main.tf",
      ]);
    expect(bodies).toHaveLength(2);
    importPath = new URL(page.url()).pathname;
    expect(await page.title()).not.toBe("taken");
    visits.expectClean(opened);
  });

  it("shows what was found, tab by tab, and the draft with its gaps by file and line", async () => {
    const opened = await visits.open(importPath);
    const { page } = opened;
    expect(await page.locator("main").innerText()).toContain("9 resources in 4 modules");
    const gaps = page.locator("details", { hasText: "web/cache.tf" });
    expect(await gaps.innerText()).toMatch(/Line \d+\s+module\.web\.other_cache\.extra/);
    await takeScreenshot(page, "console-import-draft", { fullPage: true });
    await expectReadable(page);
    const tabs = page.getByRole("navigation", { name: "Parts of the import" });
    const names = await tabs.getByRole("link").allInnerTexts();
    expect(names).toContain("Graph 12");
    const open = async (name: string) => {
      await tabs.getByRole("link", { name, exact: true }).click();
      await page.locator(".tabs [aria-current]", { hasText: name }).waitFor();
    };
    for (const name of partOf(
      names.filter((one) => one !== "Graph 12"),
      4,
    )) {
      await open(name);
      await expectReadable(page);
      await takeScreenshot(page, `console-import-tab-${name.split(" ")[0]?.toLowerCase() ?? ""}`);
    }
    await open("Graph 12");
    await page.locator(".graph-view svg").waitFor();
    expect(await overflowOf(page)).toBe(0);
    await takeScreenshot(page, "console-import-tab-graph", { fullPage: true });
    visits.expectClean(opened);
  });

  it("is filled in by keys alone: an input for a folder, and one for files", async () => {
    const opened = await visits.open("/imports/new");
    const { page } = opened;
    await page.getByLabel("Folder").waitFor();
    const reached: string[] = [];
    for (let presses = 0; presses < 30 && !reached.includes("report"); presses += 1) {
      await page.keyboard.press("Tab");
      reached.push(await page.locator(":focus").evaluate(({ id }) => id));
    }
    expect(reached.filter((id) => id !== "").slice(-4)).toEqual([
      "folder",
      "files",
      "every-kind",
      "report",
    ]);
    await page.getByLabel("Folder").focus();
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(path.join(folder, "network"));
    await expect.poll(() => sentWords(page).innerText()).toMatch(/^1 file, 1 KiB/);
    await page.getByLabel("Files", { exact: true }).setInputFiles([path.join(folder, "README.md")]);
    await expect.poll(() => page.locator("#chosen").innerText()).toContain("1 file of other kinds");
    expect(await page.getByLabel("Folder").inputValue()).toBe("");
    expect(await page.getByRole("button", { name: "Import" }).isDisabled()).toBe(true);
    await page.getByLabel("Send files of every kind").check();
    await expect.poll(() => sentWords(page).innerText()).toMatch(/^1 file, 1 KiB/);
    visits.expectClean(opened);
  });

  it("says at its input what is wrong, before it is sent and after", async () => {
    const opened = await visits.open("/imports/new");
    const { page } = opened;
    const report = page.getByLabel("Report of another tool");
    const json = (text: string | Buffer) => ({
      name: "report.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
    const owner = page.locator("fieldset[name=tenantId]");
    await report.setInputFiles(json(`{"a": ${hostile}`));
    await page.getByRole("button", { name: "Dry run" }).click();
    expect(await owner.locator("+ .fault").innerText()).toContain("Say whether it is for one");
    await page.getByLabel("the whole platform").check();
    await page.getByRole("button", { name: "Import" }).click();
    expect(await page.locator("#report + .fault").innerText()).toContain("report.json is not JSON");
    await report.setInputFiles(json("[]"));
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.locator("#report + .fault", { hasText: "has to be a JSON object" }).waitFor();
    // As PowerShell writes what a program prints.
    await report.setInputFiles(json(Buffer.from('\uFEFF{"summary": {}}', "utf16le")));
    await page
      .locator("main")
      .getByLabel(/^Tenant/)
      .fill("nobody");
    await page.getByRole("button", { name: "Dry run" }).click();
    await owner.locator("+ .fault", { hasText: "UUID" }).waitFor();
    expect(await owner.getAttribute("aria-invalid")).toBe("true");
    await takeScreenshot(page, "console-import-faults", { fullPage: true });
    await page.getByLabel("the whole platform").check();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("heading", { name: "Dry run" }).waitFor();
    expect(await page.locator("#result").innerText()).toContain("There is no draft");
    expect(opened.errors.splice(0)).toEqual([expect.stringContaining("400")]);
    visits.expectClean(opened);
  });

  it("sends nothing that is more than an import takes", async () => {
    const opened = await visits.open("/imports/new");
    const { page } = opened;
    const choose = (count: number, bytes: number) =>
      page.evaluate(
        ([files, size]) => {
          const transfer = new DataTransfer();
          for (let at = 0; at < files; at += 1)
            transfer.items.add(new File(["x".repeat(size)], `${at}.tf`));
          const input = document.querySelector<HTMLInputElement>("#files");
          if (input === null) throw new Error("There is no input for files.");
          input.files = transfer.files;
          input.dispatchEvent(new Event("change"));
        },
        [count, bytes] as const,
      );
    const problem = page.locator("#problem");
    await choose(2_001, 1);
    await expect
      .poll(() => problem.innerText(), { timeout: 15_000 })
      .toContain("at most 2000 files");
    expect(await page.getByRole("button", { name: "Import" }).isDisabled()).toBe(true);
    await choose(11, 1024 * 1024);
    await expect
      .poll(() => problem.innerText(), { timeout: 15_000 })
      .toContain("at most 10 MiB in all");
    await choose(10, 1024 * 1024);
    await expect
      .poll(() => sentWords(page).innerText(), { timeout: 15_000 })
      .toMatch(/^10 files, 10\.0 MiB/);
    expect(await problem.isVisible()).toBe(false);
    visits.expectClean(opened);
  });

  const screens = [
    ["phone", phone],
    ["dark desktop", { ...desktop, colorScheme: "dark" }],
    ["phone without a script", { ...phone, javaScriptEnabled: false }],
  ] as const;
  it.for(partOf(screens, 3))("is readable on a %s", async ([name, options]) => {
    const opened = await visits.open("/imports", options);
    const { page } = opened;
    for (const place of ["/imports", "/imports/new", importPath, `${importPath}?part=coverage`]) {
      await page.goto(`${address}${place}`);
      expect(await page.locator("h1").count()).toBe(1);
      const isLive = options.javaScriptEnabled !== false;
      if (place === "/imports/new") expect(await page.locator("#import").isVisible()).toBe(isLive);
      if (isLive) await expectReadable(page);
      const picture = place.replace(importPath, "one").replaceAll(/\W+/g, "-");
      await takeScreenshot(page, `console-imports-${picture}-${name.replaceAll(" ", "-")}`, {
        fullPage: true,
      });
    }
    visits.expectClean(opened);
  });
});
