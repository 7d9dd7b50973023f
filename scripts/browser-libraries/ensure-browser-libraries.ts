/**
 * Bundles the libraries that the console's scripts import into static assets, which are no part of the Worker. Wrangler
 * runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { glob, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../project-root.ts";
import { replaceFile } from "../replace-file.ts";

const assetsDirectory = path.join(projectRoot, "public/assets/libraries");
/** The first line of each: of what it was made. */
const STAMP = "// made of ";

/** What the scripts import of each library, by the name of the asset. */
const libraries: Readonly<Record<string, string>> = {
  "graph-layout.js": `export { graphlib, layout } from "@dagrejs/dagre";`,
  "editor.js": `
    export { basicSetup, EditorView } from "codemirror";
    export { autocompletion } from "@codemirror/autocomplete";
    export { indentWithTab } from "@codemirror/commands";
    export { yaml } from "@codemirror/lang-yaml";
    export { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
    export { lintGutter, setDiagnostics } from "@codemirror/lint";
    export { EditorState, StateEffect, StateField } from "@codemirror/state";
    export { Decoration, keymap, WidgetType } from "@codemirror/view";
    export { tags } from "@lezer/highlight";
  `,
};

/** Returns the names of the assets that it made: those that were missing or of other versions. */
export async function ensureBrowserLibraries(directory = assetsDirectory): Promise<string[]> {
  const versions = await readFile(path.join(projectRoot, "package-lock.json"), "utf8");
  const made: string[] = [];
  for (const [name, source] of Object.entries(libraries)) {
    const stamp = STAMP + createHash("sha256").update(versions).update(source).digest("hex");
    const file = path.join(directory, name);
    if ((await firstLineOf(file)) === stamp) continue;
    const text = `${stamp}\n${await bundle(source)}`;
    await replaceFile(file, text, path.join(directory, "../../.."));
    made.push(name);
  }
  for await (const name of glob("*", { cwd: directory }))
    if (!Object.hasOwn(libraries, name)) await rm(path.join(directory, name), { force: true });
  return made;
}

async function firstLineOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).split("\n", 1)[0];
  } catch {
    return undefined;
  }
}

/** The licences stay at the end of the text. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: projectRoot },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    legalComments: "eof",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

if (import.meta.main) await ensureBrowserLibraries();
