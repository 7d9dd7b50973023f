import type * as Dagre from "@dagrejs/dagre";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { ensureBrowserLibraries } from "./ensure-browser-libraries.ts";

it("bundles what is missing or of other versions, and leaves what is there", async () => {
  // Drafts are beside the assets: on the same file system.
  const root = await mkdtemp(path.join(projectRoot, ".asset-test-"));
  const directory = path.join(root, "public/assets/libraries");
  try {
    const names = ["graph-layout.js", "editor.js"];
    const functions = path.join(directory, "functions.json");
    expect(await ensureBrowserLibraries(directory)).toEqual([...names, "functions.json"]);
    expect(JSON.parse(await readFile(functions, "utf8"))).toContainEqual({
      name: "trim",
      isMethod: true,
      form: "text.trim()",
      description: "The text without white space at its ends.",
    });
    const file = path.join(directory, "graph-layout.js");
    const { graphlib, layout } = (await import(file)) as typeof Dagre;
    const graph = new graphlib.Graph().setGraph({});
    for (const name of ["a", "b"]) graph.setNode(name, { width: 10, height: 10 });
    graph.setEdge("a", "b", {});
    layout(graph);
    expect(graph.node("b").y).toBeGreaterThan(graph.node("a").y);
    // One file without imports, which loads nothing from another host.
    for (const name of names)
      expect(await readFile(path.join(directory, name), "utf8")).not.toMatch(
        /(^|;)import[\s{*"]|\beval\(|new Function\(/,
      );

    expect(await ensureBrowserLibraries(directory)).toEqual([]);
    await writeFile(file, "// made of other versions\n");
    await writeFile(path.join(directory, "former.js"), "");
    await writeFile(functions, "[]");
    expect(await ensureBrowserLibraries(directory)).toEqual(["graph-layout.js", "functions.json"]);
    expect(await readdir(directory)).toEqual([...names, "functions.json"].toSorted());
    expect(await readdir(root)).toEqual(["public"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 60_000);
