/**
 * Bundles the libraries that the console's scripts import into static assets, which are no part of the Worker, and writes
 * the functions of expressions beside them. Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the
 * tests.
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { glob, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { functionWords } from "#engine/expressions/function-words.ts";
import { projectRoot } from "../files/project-root.ts";
import { replaceFile } from "../files/replace-file.ts";

const assetsDirectory = path.join(projectRoot, "public/assets/libraries");
/** The first line of each asset: its sources. */
const STAMP = "// made of ";

/** Beside this file, a module for each library exports the parts that the scripts import. */
const libraries = ["graph-layout", "editor"] as const;

/** The functions of expressions in words, for the editor's completion. */
const FUNCTIONS = "functions.json";

/** Makes the assets that are missing or of other versions, and returns their names. */
export async function ensureBrowserLibraries(directory = assetsDirectory): Promise<string[]> {
  const versions = await readFile(path.join(projectRoot, "package-lock.json"), "utf8");
  const made: string[] = [];
  for (const library of libraries) {
    const entry = path.join(import.meta.dirname, `${library}.ts`);
    const source = await readFile(entry, "utf8");
    const name = `${library}.js`;
    const stamp = STAMP + createHash("sha256").update(versions).update(source).digest("hex");
    const file = path.join(directory, name);
    if ((await textOf(file))?.split("\n", 1)[0] === stamp) continue;
    const text = `${stamp}\n${await bundle(entry)}`;
    await replaceFile(file, text, path.join(directory, "../../.."));
    made.push(name);
  }
  const words = JSON.stringify(functionWords());
  const file = path.join(directory, FUNCTIONS);
  if ((await textOf(file)) !== words) {
    await replaceFile(file, words, path.join(directory, "../../.."));
    made.push(FUNCTIONS);
  }
  for await (const name of glob("*", { cwd: directory }))
    if (name !== FUNCTIONS && !libraries.some((library) => name === `${library}.js`))
      await rm(path.join(directory, name), { force: true });
  return made;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The licences stay at the end of the text. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
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
