import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { brokenReferences, readProject } from "./doc-references.ts";

const project = readProject(projectRoot);

describe("the Markdown pages", () => {
  it("are found", () => {
    expect([...project.pages.keys()]).toContain("README.md");
    expect(project.pages.size).toBeGreaterThan(60);
  });

  it.each([...project.pages.keys()])("%s names only what exists", (page) => {
    expect(brokenReferences(page, project)).toEqual([]);
  });

  // Without it, Wrangler takes the committed configuration, and the secret goes to a Worker of its name.
  it.each([...project.pages.keys()].filter((page) => !page.startsWith("docs/decisions/")))(
    "%s stores secrets in the Worker that the installation's configuration names",
    (page) => {
      const text = project.pages.get(page) ?? "";
      expect(text).not.toMatch(/wrangler secret put(?! \S+ --config wrangler\.installation\.json)/);
    },
  );

  it("README fits a first visit", () => {
    expect(project.pages.get("README.md")?.split("\n").length).toBeLessThan(250);
  });
});

it("the decisions that the code names exist", () => {
  const pages = readdirSync(path.join(projectRoot, "docs/decisions"));
  const files = ["bench", "lint", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true })
      .map((file) => path.join(folder, String(file)))
      .filter((file) => /\.tsx?$/.test(file)),
  );
  const named = files.flatMap((file) =>
    [
      ...readFileSync(path.join(projectRoot, file), "utf8").matchAll(/decisions?[ /](0\d{3})\b/g),
    ].map(([, number = ""]) => ({ file, number })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ number }) => !pages.some((page) => page.startsWith(number)))).toEqual([]);
});

describe("the console", () => {
  const texts = readdirSync(path.join(projectRoot, "src/console"), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => readFileSync(path.join(projectRoot, "src/console", file), "utf8"));
  const pages = new Set(
    texts.flatMap((text) => [...text.matchAll(/href="\/docs\/([\w-]+)/g)].map(([, page]) => page)),
  );

  it.each([...pages])("leads to a page of the reference: %s", (page) => {
    expect(readdirSync(path.join(projectRoot, "public/docs"))).toContain(`${page}.html`);
  });
});

describe("a reference that leads nowhere", () => {
  const identifiers = new Set(["read", "InstanceRunner"]);
  const broken = (text: string): string[] => {
    const pages = new Map([...project.pages, ["docs/page.md", text]]);
    return brokenReferences("docs/page.md", { ...project, identifiers, pages });
  };

  it.each([
    ["see `src/areas/nowhere/routes.ts`.", "path: src/areas/nowhere/routes.ts"],
    ["npx vitest run test/areas/nothing-*.test.ts", "path: test/areas/nothing-*.test.ts"],
    ["`<verb>-nowhere.tsx`", "file: <verb>-nowhere.tsx"],
    ["`no-such-file.ts`", "file: no-such-file.ts"],
    ["`#kernel/no-such-file.ts`", "file: #kernel/no-such-file.ts"],
    ["`call.noSuchMethod(…)`", "identifier: noSuchMethod"],
    ["`NoSuchName`", "identifier: NoSuchName"],
    ["[page](no-such-page.md)", "link: no-such-page.md"],
    ["[page](../README.md#no-such-heading)", "link: ../README.md#no-such-heading"],
    ["`npm run no-such-script`", "npm script: no-such-script"],
  ])("%s is told", (text, problem) => {
    expect(broken(text)).toContain(problem);
  });

  it("is none of these", () => {
    const text =
      "`src/areas/<area>/routes.ts`, `src/app.ts`, `./x.ts`, `call.ts`, `call.read(…)`, `InstanceRunner`, `test/**/*.test.ts`, " +
      "[index](decisions/), [first](#first), [web](https://example.com/docs/x), `npm run verify`\n# First";
    expect(broken(text)).toEqual([]);
  });
});

describe("the decision records", () => {
  const folder = "docs/decisions";
  const records = readdirSync(path.join(projectRoot, folder)).filter((name) => /^\d/.test(name));
  const index = project.pages.get(`${folder}/README.md`) ?? "";
  const rows = index.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));

  it("have each a number of their own", () => {
    const numbers = records.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(records)("%s has a title and a status, as the index says", (name) => {
    const number = name.slice(0, 4);
    const [title, , status] = (project.pages.get(`${folder}/${name}`) ?? "").split("\n");
    expect(title).toMatch(new RegExp(`^# ${number} \\S`));
    expect(status).toMatch(/^Status: (accepted|superseded by )/);
    const row = rows.find((cells) => cells[1] === `[${number}](${name})`);
    expect(row?.[2]).toBe(title?.slice(7));
    expect(row?.[3]).toBe(status?.slice(8));
    expect(row?.[4]).toMatch(/\w+.*\.$/);
  });
});
