import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { ensureBrowserScripts } from "./ensure-browser-scripts.ts";

it("makes the scripts that are missing or old, and leaves the others", async () => {
  // Drafts are beside the assets: on the same file system.
  const root = await mkdtemp(path.join(projectRoot, ".asset-test-"));
  const directory = path.join(root, "public/assets/console");
  const inDirectory = (name: string): string => path.join(directory, name);
  const entries = ["console", "deployment", "docs", "graph-arrange", "graph", "import", "template"];
  try {
    const made = await ensureBrowserScripts(directory);
    expect(made).toEqual(expect.arrayContaining(entries.map((name) => `${name}.js`)));
    expect(JSON.parse(await readFile(inDirectory("functions.json"), "utf8"))).toContainEqual({
      name: "trim",
      isMethod: true,
      form: "text.trim()",
      description: "The text without white space at its ends.",
    });
    const parts = made.filter((name) => name.startsWith("parts/"));
    expect(parts.length).toBeGreaterThan(2);

    expect(await ensureBrowserScripts(directory)).toEqual([]);
    await writeFile(inDirectory("graph.js"), "// made of other sources\n");
    await writeFile(inDirectory("former.js"), "");
    await writeFile(inDirectory("parts/former.js"), "");
    await writeFile(inDirectory("console.css"), "");
    await writeFile(inDirectory("functions.json"), "[]");
    expect(await ensureBrowserScripts(directory)).toEqual(["graph.js", "functions.json"]);
    const shared = parts.find((name) => name.includes("chunk-")) ?? "";
    await rm(inDirectory(shared));
    expect(await ensureBrowserScripts(directory)).toEqual([shared]);
    expect((await readdir(directory, { recursive: true })).toSorted()).toEqual(
      [...made, "console.css", "parts"].toSorted(),
    );
    expect(await readdir(root)).toEqual(["public"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 60_000);
