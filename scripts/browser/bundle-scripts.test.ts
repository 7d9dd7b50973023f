import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type BundledFile, bundleScripts } from "./bundle-scripts.ts";
import { stamped } from "./ensure-browser-scripts.ts";

/**
 * The most that a page loads, in KiB of gzip. Measured: 5 for a page with forms alone, 9 with an import, 27 with a graph,
 * 30 with a deployment or a template; 17 of them arrange the graph. The editor, which is loaded later, is 144.
 */
const MAX_KIB = 40;
const MAX_EDITOR_KIB = 150;

const files = await bundleScripts();
const fileOf = (name: string): BundledFile => {
  const found = files.find((file) => file.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};
const kibOf = ({ text }: BundledFile): number => gzipSync(text).length / 1024;

/** The scripts that each page names, once each. */
const scriptsOfPages = new Set(
  globSync("src/console/**/*.tsx").flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\bscripts: \[([^\]]*)\]/g)].map(([, list = ""]) =>
      list.replaceAll('"', ""),
    ),
  ),
);

/** Everything that a page loads at once, and the Worker of its graph. */
function loadedWith(scripts: readonly string[]): BundledFile[] {
  const names = new Set(scripts.map((script) => `${script}.js`));
  // A set hands out what is added meanwhile.
  for (const name of names) {
    const { loads, sources } = fileOf(name);
    for (const loaded of loads) names.add(loaded);
    if (sources.includes("src/console/browser/graph/ask-arranger.ts"))
      names.add("graph-arrange.js");
  }
  return [...names].map(fileOf);
}

describe("the scripts of the pages", () => {
  it.each([...scriptsOfPages])("are small with %s", (list) => {
    const loaded = loadedWith(list.split(", "));
    const kib = loaded.reduce((sum, file) => sum + kibOf(file), 0);
    expect(kib).toBeGreaterThan(2);
    expect(kib).toBeLessThan(MAX_KIB);
  });

  it("are known for pages with forms, a graph, a deployment, an import and a template", () => {
    expect([...scriptsOfPages].toSorted()).toEqual([
      "console",
      "console, deployment",
      "console, graph",
      "console, import",
      "console, template, graph",
      "live",
    ]);
  });

  it("load the editor later, once", () => {
    const editors = files.filter(({ sources }) =>
      sources.some((source) => source.includes("node_modules/@codemirror/view/")),
    );
    expect(editors.map(({ name }) => name.replace(/-\w+\.js$/, ""))).toEqual([
      "parts/source-editor",
    ]);
    expect(editors.reduce((sum, file) => sum + kibOf(file), 0)).toBeLessThan(MAX_EDITOR_KIB);
    const atOnce = loadedWith(["console", "template", "graph"]);
    expect(atOnce.map(({ name }) => name)).not.toContain(editors[0]?.name);
  });

  it("are made again once a source changes", () => {
    const sources = files.flatMap((file) => file.sources);
    expect(sources.length).toBeGreaterThan(50);
    const missed = sources.filter(
      (source) =>
        !source.startsWith("node_modules/") &&
        !stamped.some((pattern) => matchesGlob(source, pattern)),
    );
    expect(missed).toEqual([]);
  });

  it("load nothing from another host, and evaluate no text", () => {
    const hostile = files.filter(({ text }) =>
      /\beval\(|new Function\(|import\(?"https?:|from"https?:/.test(text),
    );
    expect(hostile.map(({ name }) => name)).toEqual([]);
  });
});
